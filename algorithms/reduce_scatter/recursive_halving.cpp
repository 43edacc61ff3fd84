// Recursive halving reduce-scatter. Thakur, Rabenseifner, Gropp 2005, section 6; Open MPI and MPICH for short messages
// and operators that commute: ranks at distance P / 2 exchange the half of the blocks that belongs to the other half of
// the ranks, then at distance P / 4 a quarter, and so on. If P is not a power of two the first ranks form pairs: one of
// each pair takes part for both, and sends the other its block.
//
// Cost for P = 2^k (there): log2(P) alpha + (P - 1) / P m (beta + gamma). Partial sums cover ranks that are not
// consecutive: the operator has to commute.
#include "algorithms/patterns/halving.hpp"
#include "algorithms/reduce_scatter/reduce_scatter.hpp"

namespace isthmus {

void reduce_scatter_recursive_halving(Program& program, int size, int rank, const Blocks& blocks, Slice into) {
  const PowerOfTwo core(size, rank);
  const Slice all = blocks.range(0, size);
  if (leave_to_partner(program, core, all, into)) return;
  const Slice work = program.reserve(all.count);
  const Slice other = program.reserve(all.count);
  Slice sum = combine_pairs(program, core, all, work);
  const auto blocks_in = [&](Slice where, BlockRange members) {
    const Slice range = blocks.range(core.first_rank_of(members.first), core.first_rank_of(members.end));
    return where.part(range.offset - all.offset, range.count);
  };

  const int member = core.member();
  BlockRange held{0, core.members()};
  for (int bit = core.members() / 2; bit > 0; bit /= 2) {
    const int partner = core.rank_of(member ^ bit);
    const int middle = held.first + bit;
    const BlockRange kept = member < middle ? BlockRange{held.first, middle} : BlockRange{middle, held.end};
    program.receive(blocks_in(other, kept), partner);
    program.send(blocks_in(sum, other_half(held, kept)), partner);
    program.reduce(blocks_in(work, kept), blocks_in(sum, kept), blocks_in(other, kept));
    sum = work;
    held = kept;
  }
  const auto block_in_sum = [&](int of) { return sum.part(blocks.of(of).offset - all.offset, blocks.of(of).count); };
  if (core.partner() >= 0) program.send(block_in_sum(core.partner()), core.partner());
  program.copy(into, block_in_sum(rank));
}

}  // namespace isthmus
