// The automatic choice: which algorithm, with which parameters, serves a call best on a network.
//
// Every algorithm of the collective that serves the problem is tried with sensible parameters, each plan is timed by
// replay, and of those that take up to 1 % longer than the quickest the one with the fewest messages is taken
// (thrift.hpp). The answer is a pure function of its arguments: all ranks find the same plan without communicating.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/collective/algorithm.hpp"
#include "algorithms/network/placed_network.hpp"

namespace isthmus {

/// A plan with the seconds that the replay gives it, and how many messages its schedule has.
struct Candidate {
  Plan plan;
  double seconds = 0;
  std::int64_t messages = 0;
};

struct Choice {
  Plan plan;
  double seconds = 0;  ///< predicted by replay: common start to the last rank's end
};

/// How much of each algorithm may be tried: its other plans are left out once this many messages have been replayed. A
/// number of messages and not a time, so that all ranks stop at the same plan.
inline constexpr std::int64_t default_effort_messages = std::int64_t{1} << 23;

/// The plan that serves the problem best. Throws BadInput for a problem that no algorithm could serve (see
/// check_problem), for a missing route, and where no algorithm serves it.
Choice choose(const PlacedNetwork& placed, const Problem& problem,
              std::int64_t effort_messages = default_effort_messages);

/// Every plan that was tried: the choice, then the others, quickest first. Throws as choose().
std::vector<Candidate> candidates(const PlacedNetwork& placed, const Problem& problem,
                                  std::int64_t effort_messages = default_effort_messages);

/// What of a plan is left to choose.
enum class Open : std::uint8_t {
  nothing,
  segment,    ///< the segment, for the shape that the plan names
  parameters  ///< everything that the algorithm takes
};

/// The plan with what is open chosen: the best of those that candidates() tries of its algorithm, so that an algorithm
/// is at its best wherever it is compared with others. Degrees without a default are chosen even where nothing is open.
/// A plan that does not serve the problem, and one without schedule, comes back as it is.
Plan choose_parameters(const Plan& plan, Open open, const PlacedNetwork& placed, const Problem& problem,
                       std::int64_t effort_messages = default_effort_messages);

/// A network for a topology of which nothing else is known: a host for each rank, and for each group a link of its own
/// out and one in, which all that crosses its boundary shares. The costs of level 0 are those of a wide area (10 ms and
/// 10 MB/s), further in those of a machine room (50 us, 100 MB/s), then of the inside of a machine (1 us, 5 GB/s);
/// where there are no groups at all, those of a machine room; messages cost what they do in TCP over Ethernet, but for
/// frames. Rank r is placed on host r.
Network default_network(const Topology& topology);
/// Rank r on host r.
Placement one_rank_a_host(int ranks);

}  // namespace isthmus
