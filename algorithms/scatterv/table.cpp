#include "algorithms/scatterv/table.hpp"

#include "algorithms/broadcast/tree_broadcast.hpp"
#include "algorithms/scatter/scatter.hpp"

namespace isthmus {
namespace {

Slice own(const Call& call) { return output(0, block_count(call.problem, call.rank)); }
Blocks all(const Call& call) { return {call.problem, call.topology.size(), Buffer::input}; }

void check_sizes_known(const Topology&, const Problem& problem, const Parameters&) { check_counts_known(problem); }

// In MPI the root alone knows the sizes of all blocks, so that nobody else could pass on those of others; sent straight
// each byte crosses one wide-area link, once. The others are for where all sizes are known.
constexpr Algorithm table[] = {
    {Collective::scatterv, "linear", "Open MPI, coll/basic", "the root sends to every rank in turn", "segment",
     [](Program& program, const Call& call) {
       scatter_linear(program, call.topology.size(), call.rank, call.problem.root, own(call), all(call),
                      call.segment_elements());
     }},
    {Collective::scatterv, "binomial", "Thakur et al. 2005, section 4; MPICH", "subtrees halve from step to step",
     "segment",
     [](Program& program, const Call& call) {
       scatter_binomial(program, call.topology.size(), call.rank, call.problem.root, own(call), all(call),
                        call.segment_elements());
     },
     nullptr, check_sizes_known},
    {Collective::scatterv, "multilevel", "Karonis 2000, section 3.1, for scatterv",
     "from coordinator to coordinators at every level, any tree at any level", "segment levels degree",
     [](Program& program, const Call& call) {
       scatter_multilevel(program, call.topology, call.rank, call.problem.root, own(call), all(call),
                          call.segment_elements(), call.parameters.levels, call.parameters.degree);
     },
     check_levels, check_sizes_known},
};

}  // namespace

std::span<const Algorithm> scatterv_table() { return table; }

}  // namespace isthmus
