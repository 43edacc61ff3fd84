#include "algorithms/alltoallv/table.hpp"

#include "algorithms/alltoall/alltoall.hpp"

namespace isthmus {
namespace {

constexpr int default_limit = 4;

ExchangedBlocks blocks(const Call& call) { return {call.problem, call.topology.size(), call.rank}; }

void check_sizes_known(const Topology&, const Problem& problem, const Parameters&) { check_counts_known(problem); }

// In MPI a rank knows the sizes of the blocks that it sends and receives, so that nobody could collect those of others;
// sent straight each byte crosses one wide-area link, once. The last is for where all sizes are known.
constexpr Algorithm table[] = {
    {Collective::alltoallv, "linear", "Open MPI, coll/basic", "all at once, each block straight", "",
     [](Program& program, const Call& call) {
       alltoall_linear(program, call.topology.size(), call.rank, blocks(call));
     }},
    {Collective::alltoallv, "pairwise", "Pjesivac-Grbovic 2005, section 4.2",
     "one exchange after the other, at growing distances", "",
     [](Program& program, const Call& call) {
       alltoall_pairwise(program, call.topology.size(), call.rank, blocks(call));
     }},
    {Collective::alltoallv, "linear-sync", "Open MPI, coll/tuned",
     "linear, with a limit on open receives (degree of them, 4 by default)", "degree",
     [](Program& program, const Call& call) {
       alltoall_linear_sync(program, call.topology.size(), call.rank, blocks(call),
                            call.parameters.degree > 0 ? call.parameters.degree : default_limit);
     }},
    {Collective::alltoallv, "multilevel", "Karonis 2000, for alltoall; work shared by all members",
     "all for a group as one message, level by level, then inside", "",
     [](Program& program, const Call& call) { alltoall_multilevel(program, call.topology, call.rank, call.problem); },
     nullptr, check_sizes_known},
};

}  // namespace

std::span<const Algorithm> alltoallv_table() { return table; }

}  // namespace isthmus
