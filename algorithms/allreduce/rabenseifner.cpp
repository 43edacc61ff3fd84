// Rabenseifner's allreduce. Rabenseifner 2004, "Optimization of collective reduction operations"; Thakur, Rabenseifner,
// Gropp 2005, section 8.2: recursive halving leaves every member with one block of the sum, recursive doubling
// distributes the blocks. If P is not a power of two the first ranks form pairs, and one of each pair takes part for
// both.
//
// Cost for P = 2^k (there): 2 log2(P) alpha + 2 (P - 1) / P m beta + (P - 1) / P m gamma.
//
// The halving exchanges with the nearest rank first, which keeps the order of operands.
#include "algorithms/allreduce/allreduce.hpp"
#include "algorithms/patterns/halving.hpp"

namespace isthmus {

void allreduce_rabenseifner(Program& program, int size, int rank, Slice own, Slice into) {
  const PowerOfTwo core(size, rank);
  const Slice sum = combine_pairs(program, core, own, into);
  if (!core.takes_part()) {
    program.receive(into, core.partner());
    return;
  }
  if (core.members() == 1) program.copy(into, sum);
  halve(program, core, sum, into);
  const std::vector<BlockRange> ranges = halved_ranges(core.members(), core.member());
  for (int step = static_cast<int>(ranges.size()) - 2; step >= 0; --step) {
    const int partner = core.rank_of(core.member() ^ 1 << step);
    program.receive(range_of(into, other_half(ranges[step], ranges[step + 1]), core.members()), partner);
    program.send(range_of(into, ranges[step + 1], core.members()), partner);
  }
  if (core.partner() >= 0) program.send(into, core.partner());
}

}  // namespace isthmus
