// Recursive doubling scan. Kogge, Stone 1973; Hillis, Steele 1986: at step k member i sends to member i + 2^k the sum
// of the 2^k members up to i, and combines what it receives from i - 2^k with its prefix, as the left operand.
//
// Cost: ceil(log2 P) (alpha + m (beta + 2 gamma)). MPICH's exchange of the same name sends as many messages backwards
// as well, half of which are not needed.
#include "algorithms/scan/scan.hpp"

namespace isthmus {

void exscan_recursive_doubling(Program& program, const RootedGroup& group, Slice own, Slice into) {
  const int size = group.size(), self = group.relative_rank();
  Slice latest = own;  // the sum of the latest `distance` members
  for (std::int64_t distance = 1; distance < size; distance *= 2) {
    const std::int64_t before = self - distance, behind = self + distance;
    const bool first = distance == 1;
    const Slice coming = before < 0 || first ? into : program.reserve(own.count);
    if (before >= 0) program.receive(coming, group.rank(static_cast<int>(before)));
    if (behind < size) program.send(latest, group.rank(static_cast<int>(behind)));
    if (before < 0) continue;
    if (self + 2 * distance < size) {
      const Slice sum = first ? program.reserve(own.count) : latest;
      program.reduce(sum, coming, latest);
      latest = sum;
    }
    if (!first) program.reduce(into, coming, into);
  }
}

}  // namespace isthmus
