// Splitted-binary tree broadcast. Pjesivac-Grbovic 2005, section 4.2: the first half of the message goes down the left
// half of a binary tree and the second half down the right one, pipelined by segments; then every rank exchanges halves
// with its partner on the other side. With an even number of ranks one leaf of the left side has no partner, and
// receives its second half from the root.
//
// The two sides are the odd and the even relative ranks, so that their sizes differ by one at most; partners are 2i + 1
// and 2i + 2.
//
// Cost (there, table 2, Hockney): (ceil(log2(P + 1)) + ceil(n_s / 2) - 2) (2 alpha + beta m_s) + alpha + beta m / 2.
// (The last two terms, the exchange, are printed with m_s in the place of m.)
#include <algorithm>
#include <array>

#include "algorithms/broadcast/broadcast.hpp"
#include "algorithms/topology/tree.hpp"

namespace isthmus {
namespace {

constexpr Tree binary{TreeShape::k_ary, 2};

/// One of the two subtrees under the root: its members are first, first + 2, first + 4 ...
struct Side {
  int first;  // 1 left, 2 right
  int size;

  int member(int index) const { return first + 2 * index; }
};

void send_halves(Program& program, const RootedGroup& group, const std::array<Slice, 2>& halves, std::int64_t segment) {
  // Segments go to both sides alternately. The halves differ by one element at most, so that their numbers of segments
  // differ by one at most.
  const std::int64_t step = segment > 0 ? segment : std::max<std::int64_t>(halves[0].count, 1);
  for (std::int64_t first = 0; first < halves[0].count; first += step)
    for (const int side : {0, 1})
      if (side + 1 < group.size() && first < halves[side].count)
        program.send(halves[side].part(first, std::min(step, halves[side].count - first)), group.rank(side + 1));
}

}  // namespace

void broadcast_splitted_binary(Program& program, const RootedGroup& group, Slice message, std::int64_t segment) {
  const std::array<Slice, 2> halves = {block(message, 0, 2), block(message, 1, 2)};
  const int without_partner = group.size() % 2 == 0 ? group.size() - 1 : -1;
  if (group.is_root()) {
    send_halves(program, group, halves, segment);
    if (without_partner > 0) program.send(halves[1], group.rank(without_partner));
    return;
  }

  const bool left = group.relative_rank() % 2 == 1;
  const Side side = left ? Side{1, group.size() / 2} : Side{2, (group.size() - 1) / 2};
  const int index = (group.relative_rank() - side.first) / 2;
  const int parent = index == 0 ? 0 : side.member(parent_in(binary, side.size, index));
  const int partner = group.relative_rank() == without_partner ? 0 : group.relative_rank() + (left ? 1 : -1);
  const Slice own = halves[left ? 0 : 1];
  const Slice other = halves[left ? 1 : 0];

  for (const Slice part : split(own, segment)) program.receive(part, group.rank(parent));
  program.receive(other, group.rank(partner));
  for (const Slice part : split(own, segment))
    for_each_child(binary, side.size, index, [&](int child) { program.send(part, group.rank(side.member(child))); });
  if (partner != 0) program.send(own, group.rank(partner));
}

}  // namespace isthmus
