#include "algorithms/alltoall/table.hpp"

#include "algorithms/alltoall/alltoall.hpp"

namespace isthmus {
namespace {

constexpr int default_limit = 4;

ExchangedBlocks blocks(const Call& call) { return {call.problem, call.topology.size(), call.rank}; }

constexpr Algorithm table[] = {
    {Collective::alltoall, "linear", "Open MPI, coll/basic", "all at once, each block straight", "",
     [](Program& program, const Call& call) {
       alltoall_linear(program, call.topology.size(), call.rank, blocks(call));
     }},
    {Collective::alltoall, "pairwise", "Pjesivac-Grbovic 2005, section 4.2",
     "one exchange after the other, at growing distances", "",
     [](Program& program, const Call& call) {
       alltoall_pairwise(program, call.topology.size(), call.rank, blocks(call));
     }},
    {Collective::alltoall, "turns", "Pjesivac-Grbovic 2005, section 4.2 (linear)",
     "one rank sends after the other, straight to all", "segment",
     [](Program& program, const Call& call) {
       alltoall_turns(program, call.topology.size(), call.rank, blocks(call), call.segment_elements());
     }},
    {Collective::alltoall, "bruck", "Bruck et al. 1997, section 3",
     "each block by way of distances that are powers of two", "",
     [](Program& program, const Call& call) {
       alltoall_bruck(program, call.topology.size(), call.rank, call.problem.count);
     }},
    {Collective::alltoall, "linear-sync", "Open MPI, coll/tuned",
     "linear, with a limit on open receives (degree of them, 4 by default)", "degree",
     [](Program& program, const Call& call) {
       alltoall_linear_sync(program, call.topology.size(), call.rank, blocks(call),
                            call.parameters.degree > 0 ? call.parameters.degree : default_limit);
     }},
    {Collective::alltoall, "multilevel", "Karonis 2000, for alltoall; work shared by all members",
     "all for a group as one message, level by level, then inside", "",
     [](Program& program, const Call& call) { alltoall_multilevel(program, call.topology, call.rank, call.problem); }},
};

}  // namespace

std::span<const Algorithm> alltoall_table() { return table; }

}  // namespace isthmus
