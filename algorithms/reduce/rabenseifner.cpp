// Rabenseifner's reduction. Rabenseifner 2004, "Optimization of collective reduction operations"; Thakur, Rabenseifner,
// Gropp 2005, section 7: recursive halving leaves every member with one block of the sum, which a binomial gather
// collects at the receiver. If the receiver is in a pair it is the one that takes part.
//
// Cost for P = 2^k (there): 2 log2(P) alpha + 2 (P - 1) / P m beta + (P - 1) / P m gamma.
#include "algorithms/patterns/halving.hpp"
#include "algorithms/reduce/reduce.hpp"

namespace isthmus {

void reduce_rabenseifner(Program& program, int size, int rank, const Reduction& reduction) {
  const auto& [own, into, segment, receiver] = reduction;
  const PowerOfTwo core(size, rank, receiver);
  const bool receives = rank == receiver;
  const Slice work = receives || !core.takes_part() ? into : program.reserve(own.count);
  const Slice sum = combine_pairs(program, core, own, work);
  if (!core.takes_part()) return;
  if (core.members() == 1) {
    program.copy(into, sum);
    return;
  }
  halve(program, core, sum, work);

  const int member = core.member();
  const std::vector<BlockRange> ranges = halved_ranges(core.members(), member);
  for (int step = static_cast<int>(ranges.size()) - 2; step >= 0; --step) {
    const int partner = core.rank_of(member ^ 1 << step);
    if (((member ^ core.member_of(receiver)) >> step & 1) != 0) {
      program.send(range_of(work, ranges[step + 1], core.members()), partner);
      return;
    }
    program.receive(range_of(work, other_half(ranges[step], ranges[step + 1]), core.members()), partner);
  }
}

}  // namespace isthmus
