#include "algorithms/gatherv/table.hpp"

#include "algorithms/broadcast/tree_broadcast.hpp"
#include "algorithms/gather/gather.hpp"

namespace isthmus {
namespace {

Slice own(const Call& call) { return input(0, block_count(call.problem, call.rank)); }
Blocks all(const Call& call) { return {call.problem, call.topology.size(), Buffer::output}; }

void check_sizes_known(const Topology&, const Problem& problem, const Parameters&) { check_counts_known(problem); }

// In MPI the root alone knows the sizes of all blocks, so that nobody else could collect those of others; sent straight
// each byte crosses one wide-area link, once. The others are for where all sizes are known.
constexpr Algorithm table[] = {
    {Collective::gatherv, "linear", "Open MPI, coll/basic", "every rank sends its block straight to the root",
     "segment",
     [](Program& program, const Call& call) {
       gather_linear(program, call.topology.size(), call.rank, call.problem.root, own(call), all(call),
                     call.segment_elements());
     }},
    {Collective::gatherv, "binomial", "Thakur et al. 2005, section 4; MPICH", "subtrees double from step to step",
     "segment",
     [](Program& program, const Call& call) {
       gather_binomial(program, call.topology.size(), call.rank, call.problem.root, own(call), all(call),
                       call.segment_elements());
     },
     nullptr, check_sizes_known},
    {Collective::gatherv, "multilevel", "Karonis 2000, section 3.1, for gatherv",
     "from group to group at every level, any tree at any level", "segment levels degree",
     [](Program& program, const Call& call) {
       gather_multilevel(program, call.topology, call.rank, call.problem.root, own(call), all(call),
                         call.segment_elements(), call.parameters.levels, call.parameters.degree);
     },
     check_levels, check_sizes_known},
};

}  // namespace

std::span<const Algorithm> gatherv_table() { return table; }

}  // namespace isthmus
