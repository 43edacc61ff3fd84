// The automatic choice: the best algorithm and parameters for a call on a network.
//
// Every algorithm of the collective that serves the problem is tried with sensible parameters. Each plan is timed by
// replay; of the plans that take up to 1 % longer than the quickest the one with the fewest messages is taken
// (thrift.hpp). The result is a pure function of the arguments: all ranks find the same plan without communication.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/collective/algorithm.hpp"
#include "algorithms/network/placed_network.hpp"
#include "algorithms/tuning/trials/candidate.hpp"

namespace isthmus {

class KnownTrials;

/// The effort per algorithm: once this many messages have been replayed the algorithm's other plans are left out. A
/// number of messages and not a time, so that all ranks stop at the same plan.
inline constexpr std::int64_t default_effort_messages = std::int64_t{1} << 23;

/// The plan that serves the problem best. Throws BadInput for a problem that no algorithm could serve (see
/// check_problem), for a missing route, and where no algorithm serves it.
Candidate choose(const PlacedNetwork& placed, const Problem& problem,
                 std::int64_t effort_messages = default_effort_messages);

/// All plans that were tried: the choice, then the others, quickest first. Searches for the same problem, each of which
/// finds the same as alone, may share their trials. Throws as choose().
std::vector<Candidate> candidates(const PlacedNetwork& placed, const Problem& problem, Search search = Search::choice,
                                  std::int64_t effort_messages = default_effort_messages, KnownTrials* known = nullptr);

/// The choice, which a longer search may not find again, then the other plans that this search tries, quickest first.
/// Throws as choose().
std::vector<Candidate> choice_and_others(const PlacedNetwork& placed, const Problem& problem, Search longer,
                                         KnownTrials* known = nullptr);

/// Which parameters of a plan are to be chosen.
enum class Open : std::uint8_t {
  nothing,
  segment,    ///< the segment, for the shape that the plan names
  parameters  ///< all parameters of the algorithm
};

/// The plan with its open parameters chosen: the best of the plans that candidates(..., Search::every_algorithm) tries
/// of its algorithm, so that comparisons use each algorithm at its best. Degrees without a default are chosen even if
/// nothing is open. A plan that does not serve the problem, or has no schedule, is returned unchanged.
Plan choose_parameters(const Plan& plan, Open open, const PlacedNetwork& placed, const Problem& problem,
                       std::int64_t effort_messages = default_effort_messages);

/// A network with default costs for a topology: one host per rank, and for each group one link out and one link in,
/// shared by all messages that cross its boundary. The costs of level 0 are those of a wide area (10 ms and 10 MB/s),
/// further inside those of a machine room (50 us, 100 MB/s), then of the inside of a machine (1 us, 5 GB/s); without
/// groups, those of a machine room. The transport is TCP over Ethernet without frames. Rank r is placed on host r.
Network default_network(const Topology& topology);
/// Rank r on host r.
Placement one_rank_a_host(int ranks);

}  // namespace isthmus
