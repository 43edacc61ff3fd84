#include "algorithms/gather/table.hpp"

#include "algorithms/broadcast/tree_broadcast.hpp"
#include "algorithms/gather/gather.hpp"

namespace isthmus {
namespace {

Slice own(const Call& call) { return input(0, call.problem.count); }
Blocks all(const Call& call) { return {call.problem, call.topology.size(), Buffer::output}; }

constexpr Algorithm table[] = {
    {Collective::gather, "linear", "Open MPI, coll/basic", "every rank sends its block straight to the root", "segment",
     [](Program& program, const Call& call) {
       gather_linear(program, call.topology.size(), call.rank, call.problem.root, own(call), all(call),
                     call.segment_elements());
     }},
    {Collective::gather, "binomial", "Thakur et al. 2005, section 4; MPICH", "subtrees double from step to step",
     "segment",
     [](Program& program, const Call& call) {
       gather_binomial(program, call.topology.size(), call.rank, call.problem.root, own(call), all(call),
                       call.segment_elements());
     }},
    {Collective::gather, "multilevel", "Karonis 2000, section 3.1, for gather",
     "from group to group at every level, any tree at any level", "segment levels degree",
     [](Program& program, const Call& call) {
       gather_multilevel(program, call.topology, call.rank, call.problem.root, own(call), all(call),
                         call.segment_elements(), call.parameters.levels, call.parameters.degree);
     },
     check_levels},
};

}  // namespace

std::span<const Algorithm> gather_table() { return table; }

}  // namespace isthmus
