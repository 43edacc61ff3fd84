// The rows of the tables of gather and gatherv, which have the same algorithms.
#pragma once

#include <array>

#include "algorithms/broadcast/tree_broadcast.hpp"
#include "algorithms/collective/algorithm.hpp"
#include "algorithms/gather/gather.hpp"

namespace isthmus::gather_rows {

inline Slice own(const Call& call) { return input(0, block_count(call.problem, call.rank)); }
inline Blocks all(const Call& call) { return {call.problem, call.topology.size(), Buffer::output}; }

inline void check_sizes_known(const Topology&, const Problem& problem, const Parameters&) {
  check_counts_known(problem);
}

// In MPI the root alone knows the sizes of all blocks of a gatherv, so that nobody else could collect those of others;
// sent straight each byte crosses one wide-area link, once. The others are for where all sizes are known.
constexpr std::array<Algorithm, 3> rows_of(Collective collective) {
  return {
      {{collective, "linear", "Open MPI, coll/basic", "every rank sends its block straight to the root", "segment",
        [](Program& program, const Call& call) {
          gather_linear(program, call.topology.size(), call.rank, call.problem.root, own(call), all(call),
                        call.segment_elements());
        }},
       {collective, "binomial", "Thakur et al. 2005, section 4; MPICH", "subtrees double from step to step", "segment",
        [](Program& program, const Call& call) {
          gather_binomial(program, call.topology.size(), call.rank, call.problem.root, own(call), all(call),
                          call.segment_elements());
        },
        nullptr, check_sizes_known},
       {collective, "multilevel", "Karonis 2000, section 3.1, for gather",
        "from group to group at every level, any tree at any level", "segment levels degree merged",
        [](Program& program, const Call& call) {
          gather_multilevel(program, call.topology, call.rank, call.problem.root, own(call), all(call),
                            call.segment_elements(), call.parameters.levels, call.parameters.degree);
        },
        check_levels, check_sizes_known}}};
}

}  // namespace isthmus::gather_rows
