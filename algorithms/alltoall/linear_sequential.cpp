// Sequential linear alltoall. Pjesivac-Grbovic 2005, section 4.2: at step i rank i sends to all others, in the order of
// ranks, segment by segment; the next rank begins as soon as it has received its whole block from rank i. There is
// rarely more than one message in the network: for networks that drop frames when messages meet.
//
// Cost (there, table 4): P-LogP P L + (P - 1) (n_s P + 1 - P / 2) g(m_s).
//
// A rank's first message is sent from a buffer into which the last segment from the rank before is received. This
// dependency makes the rank wait for its turn.
#include <algorithm>

#include "algorithms/alltoall/alltoall.hpp"

namespace isthmus {

void alltoall_linear_sequential(Program& program, int size, int rank, const ExchangedBlocks& blocks,
                                std::int64_t segment) {
  program.copy(blocks.from(rank), blocks.to(rank));
  if (size == 1) return;
  const std::int64_t count = blocks.to(0).count;
  const std::int64_t step = segment > 0 ? std::min(segment, count) : count;
  if (count == 0) return;
  const std::int64_t last = (count - 1) / step * step;  // begin of the last segment

  const int before = rank - 1;
  const Slice turn = program.reserve(rank > 0 ? step : 0);
  for (int from = 0; from < size; ++from) {
    if (from == rank) continue;
    for (const Slice part : split(blocks.from(from), step)) {
      const bool gives_turn = from == before && part.offset == blocks.from(from).offset + last;
      program.receive(gives_turn ? turn.part(0, part.count) : part, from);
    }
  }
  if (rank > 0) program.copy(blocks.from(before).part(last, count - last), turn.part(0, count - last));

  bool is_first = rank > 0;
  for (std::int64_t first = 0; first < count; first += step) {
    for (int to = 0; to < size; ++to) {
      if (to == rank) continue;
      Slice part = blocks.to(to).part(first, std::min(step, count - first));
      if (is_first) {
        program.copy(turn.part(0, part.count), part);
        part = turn.part(0, part.count);
        is_first = false;
      }
      program.send(part, to);
    }
  }
}

}  // namespace isthmus
