// Neighbour exchange allgather. Chen, Zhang, Zhang, Yuan 2005, "Performance evaluation of allgather algorithms on
// terascale Linux cluster with fast Ethernet"; Open MPI: every rank exchanges with its two neighbours in turn. The
// first message is its own block; each later one is the two blocks received last. Half the steps of a ring.
//
// The paper has an even number of ranks. With an odd number the last rank is outside the ring: the rank before it sends
// its block with its own, and forwards to it every block that arrives.
//
// Cost for even P (there): P / 2 alpha + (P - 1) n beta.
#include "algorithms/allgather/allgather.hpp"

namespace isthmus {
namespace {

int wrap(int value, int size) { return ((value % size) + size) % size; }

/// The ring of neighbours: pairs of ranks, the last pair with the odd rank.
class Neighbours {
 public:
  Neighbours(int size, int rank) : size_(size), ring_(size - size % 2), rank_(rank) {}

  int steps() const { return ring_ / 2; }
  bool is_odd_one() const { return rank_ == ring_; }
  /// The rank that this one forwards everything to; -1: none.
  int odd_one() const { return size_ > ring_ && rank_ == ring_ - 1 ? ring_ : -1; }
  int partner(int step) const { return wrap(rank_ + (goes_right(step) ? 1 : -1), ring_); }

  /// The blocks that this rank sends and receives at a step.
  Slice going(const Blocks& all, int step) const {
    if (step == 0) return alone(all, rank_);
    return step == 1 ? pair(all, rank_ / 2) : coming(all, step - 1);
  }
  Slice coming(const Blocks& all, int step) const {
    if (step == 0) return alone(all, partner(0));
    const int distance = (step + 1) / 2;
    return pair(all, rank_ / 2 + (goes_right(step) ? distance : -distance));
  }

 private:
  bool goes_right(int step) const { return (rank_ + step) % 2 == 0; }
  /// The block of a rank, and of the odd rank if this rank represents it.
  Slice alone(const Blocks& all, int rank) const { return all.range(rank, rank + 1 == ring_ ? size_ : rank + 1); }
  Slice pair(const Blocks& all, int number) const {
    const int first = 2 * wrap(number, ring_ / 2);
    return all.range(first, first + 2 == ring_ ? size_ : first + 2);
  }

  int size_, ring_, rank_;
};

/// The blocks that the odd rank receives from its neighbour.
void receive_everything(Program& program, int rank, const Blocks& all) {
  const Neighbours neighbour(rank + 1, rank - 1);
  program.receive(all.of(rank - 1), rank - 1);
  for (int step = 0; step < neighbour.steps(); ++step) program.receive(neighbour.coming(all, step), rank - 1);
  program.send(all.of(rank), rank - 1);
}

}  // namespace

void allgather_neighbour_exchange(Program& program, int size, int rank, Slice own, const Blocks& all) {
  program.copy(all.of(rank), own);
  if (size == 1) return;
  const Neighbours neighbours(size, rank);
  if (neighbours.is_odd_one()) {
    receive_everything(program, rank, all);
    return;
  }
  const int odd_one = neighbours.odd_one();
  if (odd_one >= 0) {
    program.receive(all.of(odd_one), odd_one);
    program.send(all.of(rank), odd_one);
  }
  for (int step = 0; step < neighbours.steps(); ++step) {
    const int partner = neighbours.partner(step);
    program.receive(neighbours.coming(all, step), partner);
    program.send(neighbours.going(all, step), partner);
    if (odd_one >= 0) program.send(neighbours.coming(all, step), odd_one);
  }
}

}  // namespace isthmus
