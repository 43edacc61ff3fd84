// A graph divided into parts of exact sizes that exchange little.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/mapping/neighbour_graph.hpp"

namespace isthmus {

/// The part of each vertex. `sizes` add up to the number of vertices; part p gets exactly sizes[p] of them. Recursive
/// bisection, each half grown from several vertices and then refined by moves as in Fiduccia and Mattheyses, "A
/// linear-time heuristic for improving network partitions" (DAC 1982), with the sizes kept exact; then the same
/// refinement between every two parts that have an edge. Deterministic.
std::vector<int> partition_graph(const NeighbourGraph& graph, std::span<const int> sizes);

/// Refines a division in place, between every two parts that have an edge, without changing their sizes.
void refine_parts(const NeighbourGraph& graph, int parts, std::vector<int>& part_of);

/// The weight of all edges between different parts.
std::int64_t cut_weight(const NeighbourGraph& graph, std::span<const int> part_of);

}  // namespace isthmus
