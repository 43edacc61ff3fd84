// Lower bounds on the time of a collective on a network: what no schedule can beat.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "algorithms/collective/problem.hpp"
#include "algorithms/network/placed_network.hpp"

namespace isthmus {

/// What makes a bound; each is explained in the file of its name.
enum class BoundKind : std::uint8_t {
  nothing,    ///< nothing is to be done
  loopback,   ///< all ranks are on one host
  distance,   ///< latency between two hosts (host_pairs)
  cut,        ///< links between two sets of hosts (host_pairs, host_sets)
  partition,  ///< links between three or more sets of hosts (partitions)
  spreading,  ///< how many hosts can have been reached by a time (spreading)
  detours,    ///< blocks that have to share links, by the ways that they can take (detours)
  sums,       ///< operands that have to come together over links, and sums to go out (sums)
  unlimited,  ///< data is to be moved, over routes that no link limits
};

std::string_view name(BoundKind kind);

/// A link that a bound counts, or the own links of equal hosts, which are counted together.
struct BindingLink {
  std::vector<int> links;    ///< in Network::links
  double bandwidth_Bps = 0;  ///< of all of them
  double latency_s = 0;      ///< the least of a way through it, during which it cannot be busy with this
  double bytes = 0;          ///< what it carries if the collective takes just the time of the bound
};

struct LowerBound {
  double seconds = 0;
  BoundKind kind = BoundKind::nothing;
  double bytes = 0;    ///< that have to cross the links (detours, sums: each times the price of its way)
  int from_host = -1;  ///< distance, cut: a host that the bytes come from
  int to_host = -1;    ///< ... and one that they go to
  std::vector<BindingLink> links = {};
};

/// Lower bound on the completion time of the collective, on every schedule; `nothing` for one rank, or if no data is to
/// be moved.
///
/// The greatest of the bounds of this folder: each is valid alone, so that in large networks only some of them are
/// computed. Throws BadInput for a problem that check_problem() refuses, and for a host that another cannot reach.
///
/// Common to all of them: bytes move by messages, which follow the routes of the network from host to host; a message
/// is passed on only after it has arrived as a whole; on a shared link messages occupy the link in turn, each for at
/// least its bytes / bandwidth; a fatpipe link only has latency. Any host of the ranks may relay. Headers and
/// overheads are left out, except in `spreading`, because a schedule may send any number of messages.
LowerBound find_lower_bound(const PlacedNetwork& placed, const Problem& problem);

/// The seconds of find_lower_bound().
double lower_bound(const PlacedNetwork& placed, const Problem& problem);

/// The number of bounds computed in this process. For tests that check that one request computes one.
std::int64_t bounds_worked_out();

}  // namespace isthmus
