#include "algorithms/scatterv/table.hpp"

#include "algorithms/scatter/scatter.hpp"

namespace isthmus {
namespace {

// The root alone knows the sizes of all blocks, so that nobody else could pass on those of others. Sent straight each
// byte crosses one wide-area link, once.
constexpr Algorithm table[] = {
    {Collective::scatterv, "linear", "Open MPI, coll/basic", "the root sends to every rank in turn", "segment",
     [](Program& program, const Call& call) {
       scatter_linear(program, call.topology.size(), call.rank, call.problem.root,
                      output(0, block_count(call.problem, call.rank)),
                      Blocks(call.problem, call.topology.size(), Buffer::input), call.segment_elements());
     }},
};

}  // namespace

std::span<const Algorithm> scatterv_table() { return table; }

}  // namespace isthmus
