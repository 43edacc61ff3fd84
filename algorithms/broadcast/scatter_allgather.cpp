// Scatter-allgather broadcast (van de Geijn). Barnett, Shuler, Gupta, Payne, van de Geijn, Watts 1994, "Building a
// high-performance collective communication library"; Thakur, Rabenseifner, Gropp 2005, section 5: the message is
// scattered in P blocks along a binomial tree, then gathered everywhere round a ring. Each message is cut into
// segments.
//
// Cost (Thakur 2005, unsegmented): (ceil(log2 P) + P - 1) alpha + 2 (P - 1) / P m beta.
//
// After the scatter a rank holds the blocks of its whole binomial subtree; the ring leaves these out, so that no rank
// receives a byte twice. The last to finish, the leaves, need all P - 1 steps as in the original.
#include <algorithm>

#include "algorithms/broadcast/broadcast.hpp"
#include "algorithms/topology/tree.hpp"

namespace isthmus {
namespace {

constexpr Tree binomial{TreeShape::binomial};

/// The end of the subtree of a member: its blocks are member ... end - 1.
int subtree_end(const RootedGroup& party, int member) {
  if (member == 0) return party.size();
  return static_cast<int>(std::min<std::int64_t>(std::int64_t{member} + (member & -member), party.size()));
}

Slice blocks_of_subtree(const RootedGroup& party, Slice message, int member) {
  const std::int64_t begin = block(message, member, party.size()).offset;
  const std::int64_t end = block(message, subtree_end(party, member) - 1, party.size()).end();
  return message.part(begin - message.offset, end - begin);
}

/// Calls `pass(block)` for the blocks that reach a member over the ring, in the order in which they come: from its left
/// neighbour's own block backwards, without those that the scatter brought, nor those that are empty.
template <typename Pass>
void for_each_ring_block(const RootedGroup& party, Slice message, int member, Pass&& pass) {
  const int size = party.size();
  const auto filled = static_cast<int>(std::min<std::int64_t>(message.count, size));
  for (int from = std::min(member, filled) - 1; from >= 0; --from) pass(block(message, from, size));
  for (int from = filled - 1; from >= subtree_end(party, member); --from) pass(block(message, from, size));
}

}  // namespace

void broadcast_scatter_allgather(Program& program, const RootedGroup& party, Slice message, std::int64_t segment) {
  const int size = party.size();
  const int self = party.relative_rank();
  const int left = party.rank(self == 0 ? size - 1 : self - 1);
  const int right = self + 1 == size ? 0 : self + 1;

  if (!party.is_root()) {
    const int parent = party.rank(parent_in(binomial, size, self));
    for (const Slice part : split(blocks_of_subtree(party, message, self), segment)) program.receive(part, parent);
  }
  for_each_ring_block(party, message, self, [&](Slice coming) {
    for (const Slice part : split(coming, segment)) program.receive(part, left);
  });

  for_each_child(binomial, size, self, [&](int child) {
    for (const Slice part : split(blocks_of_subtree(party, message, child), segment))
      program.send(part, party.rank(child));
  });
  for_each_ring_block(party, message, right, [&](Slice going) {
    for (const Slice part : split(going, segment)) program.send(part, party.rank(right));
  });
}

}  // namespace isthmus
