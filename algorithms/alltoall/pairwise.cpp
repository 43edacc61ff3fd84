// Pairwise exchange. Pjesivac-Grbovic 2005, section 4.2; Thakur, Rabenseifner, Gropp 2005, section 6: at step k every
// rank sends to rank + k and receives from rank - k; the next step begins when both are done. So every rank sends one
// message and receives one at a time.
//
// Blocks are received into one buffer, which all steps except the last share, and copied to their positions. Sharing
// the buffer makes each step wait for the one before it.
//
// Cost (Pjesivac-Grbovic 2005, table 4): Hockney (P - 1) (alpha + n beta); P-LogP (P - 1) (L + g(n)).
#include <algorithm>

#include "algorithms/alltoall/alltoall.hpp"

namespace isthmus {

void alltoall_pairwise(Program& program, int size, int rank, const ExchangedBlocks& blocks) {
  program.set_lane({.one_send_at_a_time = true});
  program.copy(blocks.from(rank), blocks.to(rank));
  const auto source = [&](int step) { return (rank + size - step) % size; };
  std::int64_t largest = 0;
  for (int step = 1; step + 1 < size; ++step) largest = std::max(largest, blocks.from(source(step)).count);
  const Slice arrived = program.reserve(largest);

  for (int step = 1; step < size; ++step) {
    const int to = (rank + step) % size;
    const Slice place = blocks.from(source(step));
    const bool is_last = step + 1 == size;
    const Slice coming = is_last ? place : arrived.part(0, place.count);
    program.receive(coming, source(step));
    program.send(blocks.to(to), to);
    if (!is_last) program.copy(place, coming);
  }
}

}  // namespace isthmus
