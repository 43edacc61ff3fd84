// The schedules of collectives among neighbours.
#pragma once

#include <cstdint>
#include <string_view>

#include "algorithms/neighbourhood/problem.hpp"
#include "algorithms/schedule/program.hpp"
#include "algorithms/topology/topology.hpp"

namespace isthmus {

/// direct: one message an edge, as MPI's own. aggregated: one message a pair of clusters that have an edge, between a
/// rank of either that collects and hands out; inside a cluster one message an edge.
enum class NeighbourAlgorithm : std::uint8_t { direct, aggregated };
std::string_view name(NeighbourAlgorithm algorithm);

/// Append the program of a rank; the counts of all blocks that it sends, receives or relays must be right.
///
/// direct sends m bytes to each of d neighbours elsewhere: d messages over wide-area links.
void neighbours_direct(Program& program, int rank, const NeighbourProblem& problem);
/// aggregated needs two more steps inside the clusters, and a message between two clusters has all blocks of their
/// edges: a block that allgather brings to several ranks of a cluster crosses once. Relays differ from pair to pair:
/// for clusters A and B, those of A with an edge to B take turns by the number of B, and those of B by the number of A.
void neighbours_aggregated(Program& program, int rank, const NeighbourProblem& problem, const Topology& topology);

/// The generator of an algorithm; all arguments must outlive it.
ProgramSource source(NeighbourAlgorithm algorithm, const NeighbourProblem& problem, const Topology& topology);

}  // namespace isthmus
