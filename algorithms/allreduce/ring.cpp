// Ring allreduce. Patarasu, Yuan 2009, "Bandwidth optimal all-reduce algorithms for clusters of workstations": blocks
// travel round the ring once to be combined and once to be distributed.
//
// Cost: 2 (P - 1) alpha + 2 (P - 1) / P m beta + (P - 1) / P m gamma. The sum of each block begins at a different rank,
// so that the operator has to commute.
#include "algorithms/allreduce/ring.hpp"

#include "algorithms/allreduce/allreduce.hpp"

namespace isthmus {

void ring_reduce_scatter(Program& program, int size, int rank, Slice own, Slice into) {
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  const auto number = [&](int step) { return (rank - step + size) % size; };
  // Two slots, so that the next block can arrive while the last one is being combined and sent.
  const std::int64_t largest = size > 1 ? block(own, 0, size).count : 0;
  const Slice slots[2] = {program.reserve(largest), program.reserve(size > 2 ? largest : 0)};
  for (int step = 0; step + 1 < size; ++step) {
    const Slice going = block(step == 0 ? own : into, number(step), size);
    const Slice mine = block(own, number(step + 1), size);
    const Slice coming = slots[step % 2].part(0, mine.count);
    program.receive(coming, left);
    program.send(going, right);
    program.reduce(block(into, number(step + 1), size), coming, mine);
  }
}

void ring_allgather(Program& program, int size, int rank, Slice into) {
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  const auto number = [&](int step) { return (rank + 1 - step + size) % size; };
  for (int step = 0; step + 1 < size; ++step) {
    program.receive(block(into, number(step + 1), size), left);
    program.send(block(into, number(step), size), right);
  }
}

void allreduce_ring(Program& program, int size, int rank, Slice own, Slice into) {
  if (size == 1) program.copy(into, own);
  ring_reduce_scatter(program, size, rank, own, into);
  ring_allgather(program, size, rank, into);
}

}  // namespace isthmus
