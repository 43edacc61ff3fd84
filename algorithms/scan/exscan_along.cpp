// An exclusive scan along any tree, used by eco and k-ary: operands up to rank 0, which combines them in order, and the
// sums down. So it keeps the order of ranks whatever the tree.
#include "algorithms/gather/gather.hpp"
#include "algorithms/scan/scan.hpp"

namespace isthmus {
namespace {

/// One block of `count` elements of every rank except one, in scratch from its start.
Blocks all_but(int left_out, int size, std::int64_t count) {
  Problem blocks{.collective = Collective::gatherv};
  blocks.counts.assign(size, count);
  blocks.counts[left_out] = 0;
  return {blocks, size, Buffer::scratch};
}

}  // namespace

void exscan_along(Program& program, const PlaceOf& place_of, int size, int rank, Slice own, Slice into) {
  const std::int64_t count = own.count;
  const Blocks operands = all_but(size - 1, size, count);
  if (rank == 0) program.reserve((size - 1) * count);
  gather_along(program, place_of, rank, own.part(0, operands.of(rank).count), operands, 0);
  if (rank == 0)
    for (int next = 1; next + 1 < size; ++next)
      program.reduce(operands.of(next), operands.of(next - 1), operands.of(next));
  // The sum up to a rank is where its operand was, and is the block of the next rank.
  const Blocks sums = all_but(0, size, count);
  scatter_along(program, place_of, rank, into.part(0, sums.of(rank).count), sums, 0);
}

}  // namespace isthmus
