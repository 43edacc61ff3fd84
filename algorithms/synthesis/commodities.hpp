// What a collective has to move between sites: commodities, each with its bytes and the kind of way that serves it.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/collective/problem.hpp"
#include "algorithms/synthesis/site_network.hpp"

namespace isthmus {

/// trees_out: broadcast, allgather. trees_in: reduce, reduce_scatter. trees_both: allreduce, a tree in and a tree out.
/// paths: scatter, gather, alltoall; scan and exscan, from each site to the next.
enum class WayKind : std::uint8_t { trees_out, trees_in, trees_both, paths };

struct Commodity {
  int from = -1;     ///< the first site of a path, the root of a tree; -1: any site (allreduce)
  int to = -1;       ///< the last site of a path; the same as `from`: what hosts of one site send each other
  double bytes = 0;  ///< above 0
};

struct Commodities {
  WayKind kind = WayKind::trees_out;
  int root = -1;         ///< a rank; -1 where the collective has none
  bool to_root = false;  ///< gather
  bool reduces = false;  ///< receivers combine
  bool paced = false;    ///< a site's own pieces may crowd out those that it passes on
  bool chained = false;  ///< scan: what comes of one commodity is sent on for the next
  /// Allreduce: how often the trees in and the trees out together may fill a row, 1 to 2. 1: they share it all the
  /// time. 2: the trees in are done before the trees out begin, as where the latency is longer than what is left of the
  /// time.
  double both_fill = 1;
  bool acknowledged = false;  ///< what receivers send back counts too (SiteRows)
  double block_bytes = 1;     ///< the largest block or vector, the most that a piece can be; at least 1
  std::vector<Commodity> list;
};

/// What is known to be empty counts as very little, so that it has ways all the same. Blocks of unknown sizes count as
/// equal. Throws BadInput for collectives that packings do not serve, and for an operator that does not commute.
Commodities commodities_of(const SiteNetwork& network, const Problem& problem);

/// Of an allreduce or barrier in which each site sends its sum to all others.
Commodities sums_of_sites(const SiteNetwork& network, const Problem& problem);
/// Of an alltoall in which all that one site has for another is one message.
Commodities bundles_of_sites(const SiteNetwork& network, const Problem& problem);

}  // namespace isthmus
