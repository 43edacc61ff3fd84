// Recursive doubling allreduce. Thakur, Rabenseifner, Gropp 2005, section 8.1: at step k ranks that differ in bit k
// exchange what they have and combine it. If P is not a power of two the first ranks form pairs; one of each pair takes
// part for both and sends the sum back.
//
// Cost for P = 2^k (there): log2(P) (alpha + m beta + m gamma); otherwise two messages more.
//
// Partial sums cover consecutive ranks, and the sum of the lower ranks is the left operand. So the order is kept, and
// all ranks bracket the operands in the same way.
#include "algorithms/allreduce/allreduce.hpp"
#include "algorithms/patterns/halving.hpp"

namespace isthmus {

void allreduce_recursive_doubling(Program& program, int size, int rank, Slice own, Slice into) {
  const PowerOfTwo core(size, rank);
  Slice sum = combine_pairs(program, core, own, into);
  if (!core.takes_part()) {
    program.receive(into, core.partner());
    return;
  }
  const Slice other = program.reserve(core.members() > 1 ? own.count : 0);
  for (int bit = 1; bit < core.members(); bit <<= 1) {
    const int partner = core.rank_of(core.member() ^ bit);
    program.receive(other, partner);
    program.send(sum, partner);
    if ((core.member() & bit) != 0)
      program.reduce(into, other, sum);
    else
      program.reduce(into, sum, other);
    sum = into;
  }
  if (sum != into) program.copy(into, sum);
  if (core.partner() >= 0) program.send(into, core.partner());
}

}  // namespace isthmus
