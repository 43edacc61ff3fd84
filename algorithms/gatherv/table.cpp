#include "algorithms/gatherv/table.hpp"

#include "algorithms/gather/gather.hpp"

namespace isthmus {
namespace {

// The root alone knows the sizes of all blocks, so that nobody else could collect those of others. Sent straight each
// byte crosses one wide-area link, once.
constexpr Algorithm table[] = {
    {Collective::gatherv, "linear", "Open MPI, coll/basic", "every rank sends its block straight to the root",
     "segment",
     [](Program& program, const Call& call) {
       gather_linear(program, call.topology.size(), call.rank, call.problem.root,
                     input(0, block_count(call.problem, call.rank)),
                     Blocks(call.problem, call.topology.size(), Buffer::output), call.segment_elements());
     }},
};

}  // namespace

std::span<const Algorithm> gatherv_table() { return table; }

}  // namespace isthmus
