// Linear alltoall with limited requests. Open MPI, coll/tuned (linear_sync): like linear, but with few receives posted
// at a time. When the oldest has completed the next receive is posted and the next block sent. This limits the number
// of messages that arrive at a rank, or cross a link, at the same time.
//
// Blocks are received into as many buffers as there are requests, used in turn, and copied to their positions. Reusing
// a buffer makes a receive wait for an earlier one. The last blocks are received at their positions.
//
// Cost: between those of linear (no limit) and pairwise (a limit of 1).
#include <algorithm>

#include "algorithms/alltoall/alltoall.hpp"

namespace isthmus {

void alltoall_linear_sync(Program& program, int size, int rank, const ExchangedBlocks& blocks, int limit) {
  program.copy(blocks.from(rank), blocks.to(rank));
  const auto place_of = [&](int distance) { return blocks.from((rank + size - distance) % size); };
  const int buffered =
      std::max(0, size - 1 - limit);  // the number of receives that are followed by another into the same buffer
  std::int64_t largest = 0;
  for (int distance = 1; distance <= buffered; ++distance) largest = std::max(largest, place_of(distance).count);
  const Slice buffers = program.reserve(std::min(buffered, limit) * largest);
  const auto coming = [&](int distance) {
    const Slice place = place_of(distance);
    return distance > buffered ? place : buffers.part((distance - 1) % limit * largest, place.count);
  };

  for (int distance = 1; distance < size; ++distance) {
    if (distance > limit) program.copy(place_of(distance - limit), coming(distance - limit));
    const int to = (rank + distance) % size;
    program.receive(coming(distance), (rank + size - distance) % size);
    program.send(blocks.to(to), to);
  }
}

}  // namespace isthmus
