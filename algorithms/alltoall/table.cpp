#include "algorithms/alltoall/table.hpp"

#include "algorithms/alltoall/rows.hpp"

namespace isthmus {
namespace {

using alltoall_rows::blocks;

constexpr auto any_sizes = alltoall_rows::rows_of(Collective::alltoall);

constexpr Algorithm table[] = {
    any_sizes[0],
    any_sizes[1],
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
    any_sizes[2],
    any_sizes[3],
};

}  // namespace

std::span<const Algorithm> alltoall_table() { return table; }

}  // namespace isthmus
