#include "algorithms/scatter/table.hpp"

#include "algorithms/broadcast/tree_broadcast.hpp"
#include "algorithms/scatter/scatter.hpp"

namespace isthmus {
namespace {

Slice own(const Call& call) { return output(0, call.problem.count); }
Blocks all(const Call& call) { return {call.problem, call.topology.size(), Buffer::input}; }

constexpr Algorithm table[] = {
    {Collective::scatter, "linear", "Open MPI, coll/basic", "the root sends to every rank in turn", "segment",
     [](Program& program, const Call& call) {
       scatter_linear(program, call.topology.size(), call.rank, call.problem.root, own(call), all(call),
                      call.segment_elements());
     }},
    {Collective::scatter, "binomial", "Thakur et al. 2005, section 4; MPICH", "subtrees halve from step to step",
     "segment",
     [](Program& program, const Call& call) {
       scatter_binomial(program, call.topology.size(), call.rank, call.problem.root, own(call), all(call),
                        call.segment_elements());
     }},
    {Collective::scatter, "multilevel", "Karonis 2000, section 3.1, for scatter",
     "from coordinator to coordinators at every level, any tree at any level", "segment levels degree",
     [](Program& program, const Call& call) {
       scatter_multilevel(program, call.topology, call.rank, call.problem.root, own(call), all(call),
                          call.segment_elements(), call.parameters.levels, call.parameters.degree);
     },
     check_levels},
};

}  // namespace

std::span<const Algorithm> scatter_table() { return table; }

}  // namespace isthmus
