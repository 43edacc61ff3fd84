// Butterfly reduce-scatter, which keeps the order of operands. Traff 2005, "An improved algorithm for (non-commutative)
// reduce-scatter with an application"; Open MPI, coll/tuned: recursive halving that exchanges with the nearest rank
// first, so that partial sums cover consecutive ranks. Blocks are first put in bit-reversed order, so that each ends at
// its owner. If P is not a power of two the first ranks form pairs: one of each pair takes part for both, and sends the
// other its block.
//
// Cost for P = 2^k: log2(P) alpha + (P - 1) / P m (beta + gamma), and copying m bytes.
#include <vector>

#include "algorithms/patterns/halving.hpp"
#include "algorithms/reduce_scatter/reduce_scatter.hpp"

namespace isthmus {
namespace {

int reversed(int number, int numbers) {
  int result = 0;
  for (int bit = 1; bit < numbers; bit <<= 1, number >>= 1) result = result << 1 | (number & 1);
  return result;
}

}  // namespace

void reduce_scatter_butterfly(Program& program, int size, int rank, const Blocks& blocks, Slice into) {
  const PowerOfTwo core(size, rank);
  const Slice all = blocks.range(0, size);
  if (leave_to_partner(program, core, all, into)) return;
  const int members = core.members();
  const Slice paired = core.partner() >= 0 ? program.reserve(all.count) : all;
  const Slice sum = combine_pairs(program, core, all, paired);
  const Slice packed = program.reserve(all.count);
  const Slice other = program.reserve(all.count);
  // By position: where the blocks of the member with the bit-reversed number begin.
  std::vector<std::int64_t> begin{0};
  for (int place = 0; place < members; ++place) {
    const int member = reversed(place, members);
    const Slice from = blocks.range(core.first_rank_of(member), core.first_rank_of(member + 1));
    program.copy(packed.part(begin.back(), from.count), sum.part(from.offset - all.offset, from.count));
    begin.push_back(begin.back() + from.count);
  }
  const auto places = [&](Slice where, BlockRange range) {
    return where.part(begin[range.first], begin[range.end] - begin[range.first]);
  };

  const int member = core.member();
  const std::vector<BlockRange> ranges = halved_ranges(members, member);
  for (int step = 0; 1 << step < members; ++step) {
    const int partner = core.rank_of(member ^ 1 << step);
    const Slice kept = places(packed, ranges[step + 1]);
    const Slice coming = places(other, ranges[step + 1]);
    program.receive(coming, partner);
    program.send(places(packed, other_half(ranges[step], ranges[step + 1])), partner);
    if ((member >> step & 1) != 0)
      program.reduce(kept, coming, kept);
    else
      program.reduce(kept, kept, coming);
  }
  // One or two blocks are left: those of the ranks that this member represents.
  const std::int64_t first = begin[ranges.back().first];
  const std::int64_t begin_of_member = blocks.of(core.first_rank_of(member)).offset;
  const auto left_of = [&](int of) {
    const Slice own = blocks.of(of);
    return packed.part(first + own.offset - begin_of_member, own.count);
  };
  if (core.partner() >= 0) program.send(left_of(core.partner()), core.partner());
  program.copy(into, left_of(rank));
}

}  // namespace isthmus
