#include "algorithms/reduce_scatter/table.hpp"

#include <array>

#include "algorithms/collective/operators.hpp"
#include "algorithms/packed/packed.hpp"
#include "algorithms/reduce_scatter/reduce_scatter.hpp"

namespace isthmus {
namespace {

Blocks blocks(const Call& call) { return {call.problem, call.topology.size(), Buffer::input}; }
Slice into(const Call& call) { return output(0, block_count(call.problem, call.rank)); }

constexpr auto rows_of(Collective collective) {
  const bool is_block = collective == Collective::reduce_scatter_block;  // for which Open MPI has other numbers
  return std::array{
      Algorithm{collective, "ring", "Patarasu, Yuan 2009; Open MPI, coll/tuned",
                "sums come round the ring to their owners, for operators that commute", "",
                [](Program& program, const Call& call) {
                  reduce_scatter_ring(program, call.topology.size(), call.rank, blocks(call), into(call));
                },
                nullptr, serves_commutative_only}
          .called(is_block ? Counterpart{.nccl = "ring"}
                           : Counterpart{.openmpi = 3, .openmpi_name = "ring", .nccl = "ring"}),
      Algorithm{collective, "recursive-halving", "Thakur et al. 2005, section 6",
                "exchange of halves with the farthest first, for operators that commute", "",
                [](Program& program, const Call& call) {
                  reduce_scatter_recursive_halving(program, call.topology.size(), call.rank, blocks(call), into(call));
                },
                nullptr, serves_commutative_only}
          .called({.openmpi = is_block ? 3 : 2, .openmpi_name = "recursive_halving", .mpich = "recursive_halving"}),
      Algorithm{collective, "butterfly", "Traff 2005",
                "exchange of halves with the nearest first, which keeps the order", "",
                [](Program& program, const Call& call) {
                  reduce_scatter_butterfly(program, call.topology.size(), call.rank, blocks(call), into(call));
                }}
          .called({.openmpi = 4, .openmpi_name = "butterfly"}),
      Algorithm{collective, "pairwise", "Thakur et al. 2005, section 6", "every operand straight to its owner", "",
                [](Program& program, const Call& call) {
                  const Blocks all = blocks(call);
                  reduce_scatter_pairwise(
                      program, RootedGroup(call.topology.size(), call.rank, 0),
                      [&](int owner) { return all.of(owner); }, into(call));
                }}
          .called({.mpich = "pairwise"}),
      Algorithm{collective, "multilevel", "in the spirit of Kielmann 2000, section 3",
                "combined inside each cluster in shares, then straight to the owners: one wide-area latency", "",
                [](Program& program, const Call& call) {
                  reduce_scatter_multilevel(program, call.topology, call.rank, blocks(call), into(call),
                                            call.problem.commutative);
                }}
          .using_groups()
          .as_default(),
      packed_row(collective)};
}

constexpr auto reduce_scatter_rows = rows_of(Collective::reduce_scatter);
constexpr auto reduce_scatter_block_rows = rows_of(Collective::reduce_scatter_block);

}  // namespace

std::span<const Algorithm> reduce_scatter_table() { return reduce_scatter_rows; }

std::span<const Algorithm> reduce_scatter_block_table() { return reduce_scatter_block_rows; }

}  // namespace isthmus
