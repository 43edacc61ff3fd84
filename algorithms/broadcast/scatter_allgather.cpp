// Scatter-allgather broadcast (van de Geijn). Barnett, Shuler, Gupta, Payne, van de Geijn, Watts 1994, "Building a
// high-performance collective communication library"; Thakur, Rabenseifner, Gropp 2005, section 5: the message is
// scattered in P blocks along a binomial tree, then gathered everywhere round a ring. Each message is cut into
// segments.
//
// Cost (Thakur 2005, unsegmented): (ceil(log2 P) + P - 1) alpha + 2 (P - 1) / P m beta.
//
// After the scatter a rank holds the blocks of its whole binomial subtree. The ring leaves these out, so that no rank
// receives a byte twice. The leaves, which finish last, need all P - 1 steps as in the original.
#include <algorithm>

#include "algorithms/broadcast/broadcast.hpp"
#include "algorithms/topology/tree.hpp"

namespace isthmus {
namespace {

constexpr Tree binomial{TreeShape::binomial};

/// The end of a member's subtree: the subtree is member ... end - 1.
int subtree_end(const RootedGroup& group, int member) {
  if (member == 0) return group.size();
  return static_cast<int>(std::min<std::int64_t>(std::int64_t{member} + (member & -member), group.size()));
}

Slice blocks_of_subtree(const RootedGroup& group, Slice message, int member) {
  const std::int64_t begin = block(message, member, group.size()).offset;
  const std::int64_t end = block(message, subtree_end(group, member) - 1, group.size()).end();
  return message.part(begin - message.offset, end - begin);
}

/// Calls `pass(block)` for the blocks that a member receives over the ring, in order of arrival: its left neighbour's
/// own block and then backwards, without empty blocks and without those from the scatter.
template <typename Pass>
void for_each_ring_block(const RootedGroup& group, Slice message, int member, Pass&& pass) {
  const int size = group.size();
  const auto filled = static_cast<int>(std::min<std::int64_t>(message.count, size));
  for (int from = std::min(member, filled) - 1; from >= 0; --from) pass(block(message, from, size));
  for (int from = filled - 1; from >= subtree_end(group, member); --from) pass(block(message, from, size));
}

}  // namespace

void broadcast_scatter_allgather(Program& program, const RootedGroup& group, Slice message, std::int64_t segment) {
  const int size = group.size();
  const int self = group.relative_rank();
  const int left = group.rank(self == 0 ? size - 1 : self - 1);
  const int right = self + 1 == size ? 0 : self + 1;

  if (!group.is_root()) {
    const int parent = group.rank(parent_in(binomial, size, self));
    for (const Slice part : split(blocks_of_subtree(group, message, self), segment)) program.receive(part, parent);
  }
  for_each_ring_block(group, message, self, [&](Slice coming) {
    for (const Slice part : split(coming, segment)) program.receive(part, left);
  });

  for_each_child(binomial, size, self, [&](int child) {
    for (const Slice part : split(blocks_of_subtree(group, message, child), segment))
      program.send(part, group.rank(child));
  });
  for_each_ring_block(group, message, right, [&](Slice going) {
    for (const Slice part : split(going, segment)) program.send(part, group.rank(right));
  });
}

}  // namespace isthmus
