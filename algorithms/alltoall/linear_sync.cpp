// Linear alltoall with limited requests. Open MPI, coll/tuned (linear_sync): like the linear one, but with no more than
// a few receives open at a time; the next is posted, and the next block sent, when the oldest has come. So a rank is
// not flooded, and no link carries everybody's messages at once.
//
// What comes is put into place from as many buffers as requests, taken in turn: that is what makes one wait for
// another. The last ones go straight into place.
//
// Cost: between those of linear (no limit) and pairwise (a limit of 1).
#include <algorithm>

#include "algorithms/alltoall/alltoall.hpp"

namespace isthmus {

void alltoall_linear_sync(Program& program, int size, int rank, const ExchangedBlocks& blocks, int limit) {
  program.copy(blocks.from(rank), blocks.to(rank));
  const auto place_of = [&](int distance) { return blocks.from((rank + size - distance) % size); };
  const int buffered = std::max(0, size - 1 - limit);  // so many receives are followed by one in the same buffer
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
