// The sizes of blocks that relays have to know where blocks differ in size: MPI gives them to the two ends of an edge
// alone. Both ends tell the relay of their own cluster, so that nothing crosses a wide-area link.
#pragma once

#include <cstdint>
#include <span>

#include "algorithms/neighbourhood/problem.hpp"
#include "algorithms/schedule/contract.hpp"
#include "algorithms/schedule/program.hpp"
#include "algorithms/topology/topology.hpp"

namespace isthmus {

/// Appends the program of a rank, whose elements are counts. `input` has what the rank knows, BlockCounts::sent and
/// then received; `output` gets, for each pair of clusters that it relays for (cluster_pairs_of()), the counts of the
/// edges.
void exchange_counts(Program& program, int rank, const NeighbourProblem& problem, const Topology& topology);
/// The elements of a rank's output.
std::int64_t relayed_counts(int rank, const NeighbourProblem& problem, const Topology& topology);
/// Enters a rank's output into the problem's counts, which have been those of the rank alone.
void set_relayed_counts(NeighbourProblem& problem, int rank, std::span<const std::int64_t> output,
                        const Topology& topology);

/// What the verifier has to prove of the exchange.
Contract contract_of_counts(const NeighbourProblem& problem, const Topology& topology);

}  // namespace isthmus
