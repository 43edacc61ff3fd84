// Linear scan, inclusive and exclusive: each rank combines what it receives from the rank before it with its own
// operand, and sends the result to the next rank, segment by segment (Open MPI, coll/basic, without segments).
//
// Cost: (P + n_s - 2) (alpha + m_s (beta + gamma)).
#include "algorithms/scan/scan.hpp"

namespace isthmus {
namespace {

/// Receives the sum of all lower ranks into `before`, computes the sum with its own operand in `sum`, and sends that to
/// the next rank.
void pass_on(Program& program, int size, int rank, Slice own, Slice before, Slice sum, std::int64_t segment) {
  const auto like = [&](Slice whole, Slice part) { return whole.part(part.offset - own.offset, part.count); };
  if (rank > 0)
    for (const Slice part : split(before, segment)) program.receive(part, rank - 1);
  for (const Slice part : split(own, segment)) {
    if (rank > 0) program.reduce(like(sum, part), like(before, part), part);
    if (rank + 1 < size) program.send(rank > 0 ? like(sum, part) : part, rank + 1);
  }
}

}  // namespace

void scan_linear(Program& program, int size, int rank, Slice own, Slice into, std::int64_t segment) {
  if (rank == 0) program.copy(into, own);
  pass_on(program, size, rank, own, into, into, segment);
}

void exscan_linear(Program& program, int size, int rank, Slice own, Slice into, std::int64_t segment) {
  if (rank + 1 == size) {
    if (rank > 0)
      for (const Slice part : split(into, segment)) program.receive(part, rank - 1);
    return;
  }
  pass_on(program, size, rank, own, into, program.reserve(rank > 0 ? own.count : 0), segment);
}

}  // namespace isthmus
