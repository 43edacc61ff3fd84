// Recursive doubling allgather. Thakur, Rabenseifner, Gropp 2005, section 4.1: at step k ranks at distance 2^k exchange
// all that they hold. If P is not a power of two the first ranks form pairs, and the lower rank of a pair takes part
// for both: it forwards every received block to the other.
//
// Cost for P = 2^k (there): log2(P) alpha + (P - 1) n beta.
#include "algorithms/allgather/allgather.hpp"
#include "algorithms/patterns/halving.hpp"

namespace isthmus {
namespace {

/// The blocks of the ranks that `members` members from `first` on represent.
Slice blocks_of(const Blocks& all, int size, const PowerOfTwo& core, int first, int members) {
  const int pairs = size - core.members();
  const auto begin_of = [&](int member) { return member < pairs ? 2 * member : member + pairs; };
  return all.range(begin_of(first), begin_of(first + members));
}

}  // namespace

void allgather_recursive_doubling(Program& program, int size, int rank, Slice own, const Blocks& all) {
  const PowerOfTwo core(size, rank);
  const int other = core.partner();
  program.copy(all.of(rank), own);
  if (other >= 0) {
    program.receive(all.of(other), other);
    program.send(all.of(rank), other);
  }
  for (int distance = 1; distance < core.members(); distance *= 2) {
    const int first = core.member() & -distance;
    const Slice coming = blocks_of(all, size, core, first ^ distance, distance);
    if (!core.takes_part()) {
      program.receive(coming, other);
      continue;
    }
    const int partner = core.rank_of(core.member() ^ distance);
    program.receive(coming, partner);
    program.send(blocks_of(all, size, core, first, distance), partner);
    if (other >= 0) program.send(coming, other);
  }
}

}  // namespace isthmus
