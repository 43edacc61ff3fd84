// The broadcast algorithms as functions: each appends one rank's part to a program. Composition is calling several.
//
// `message` is the same slice on every rank; at the start the root of the group holds its data. `segment` is in
// elements; 0 sends the message whole. In the cost formulas of the algorithms P is the number of members, m the message
// in bytes, m_s the segment in bytes, n_s = ceil(m / m_s) the number of segments, and times are in seconds: a message
// of m bytes takes alpha + beta m (Hockney; alpha in s, beta in s/B), or L + g(m) from its start to its arrival, the
// next one leaving after g(m) (P-LogP).
#pragma once

#include <cstdint>

#include "algorithms/patterns/group_trees.hpp"
#include "algorithms/schedule/program.hpp"
#include "algorithms/topology/rooted_group.hpp"
#include "algorithms/topology/topology.hpp"

namespace isthmus {

void broadcast_linear(Program& program, const RootedGroup& group, Slice message, std::int64_t segment);
void broadcast_chain(Program& program, const RootedGroup& group, Slice message, std::int64_t segment);
void broadcast_k_chain(Program& program, const RootedGroup& group, Slice message, std::int64_t segment, int chains);
void broadcast_binary(Program& program, const RootedGroup& group, Slice message, std::int64_t segment);
void broadcast_binomial(Program& program, const RootedGroup& group, Slice message, std::int64_t segment);
void broadcast_k_ary(Program& program, const RootedGroup& group, Slice message, std::int64_t segment, int degree);
void broadcast_splitted_binary(Program& program, const RootedGroup& group, Slice message, std::int64_t segment);
void broadcast_scatter_allgather(Program& program, const RootedGroup& group, Slice message, std::int64_t segment);

/// Makes the current lane one that sends one message at a time.
void broadcast_magpie(Program& program, const Topology& topology, int rank, int root, Slice message);
/// A degree of 0 stands for the default: a flat tree over coordinators, binary trees inside clusters.
void broadcast_kielmann(Program& program, const Topology& topology, int rank, int root, Slice message,
                        std::int64_t segment, int wan_degree, int lan_degree);
void broadcast_multilevel(Program& program, const Topology& topology, int rank, int root, Slice message,
                          std::int64_t segment, const GroupTrees& trees);

/// `degree` is the degree of the trees inside clusters; 0: binary.
void broadcast_multipath(Program& program, const Topology& topology, int rank, int root, Slice message,
                         std::int64_t segment, int degree);

}  // namespace isthmus
