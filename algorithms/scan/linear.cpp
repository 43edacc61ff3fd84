// Linear scan, inclusive and exclusive: each rank adds its operand to what comes from the rank before it, and passes
// that on, segment by segment (Open MPI, coll/basic, without segments).
//
// Cost: (P + n_s - 2) (alpha + m_s (beta + gamma)).
#include "algorithms/scan/scan.hpp"

namespace isthmus {
namespace {

/// Receives the sum of all before into `before`, and passes on that with the own operand, which it computes in `sum`.
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
