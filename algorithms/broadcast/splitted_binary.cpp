// Splitted-binary tree broadcast. Pjesivac-Grbovic 2005, section 4.2: the first half of the message goes down the left
// half of a binary tree and the second half down the right one, pipelined by segments; then every rank exchanges halves
// with its partner on the other side. With an even number of ranks one leaf of the left side has no partner, and
// receives its second half from the root.
//
// The sides are the odd and the even relative numbers, so that they differ by one member at most for every P; partners
// are 2i + 1 and 2i + 2.
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

void send_halves(Program& program, const RootedGroup& party, const std::array<Slice, 2>& halves, std::int64_t segment) {
  // Segment by segment to both sides in turn. The halves differ by one element at most, and so may their segments by
  // one.
  const std::int64_t step = segment > 0 ? segment : std::max<std::int64_t>(halves[0].count, 1);
  for (std::int64_t first = 0; first < halves[0].count; first += step)
    for (const int side : {0, 1})
      if (side + 1 < party.size() && first < halves[side].count)
        program.send(halves[side].part(first, std::min(step, halves[side].count - first)), party.rank(side + 1));
}

}  // namespace

void broadcast_splitted_binary(Program& program, const RootedGroup& party, Slice message, std::int64_t segment) {
  const std::array<Slice, 2> halves = {block(message, 0, 2), block(message, 1, 2)};
  const int without_partner = party.size() % 2 == 0 ? party.size() - 1 : -1;
  if (party.is_root()) {
    send_halves(program, party, halves, segment);
    if (without_partner > 0) program.send(halves[1], party.rank(without_partner));
    return;
  }

  const bool left = party.relative_rank() % 2 == 1;
  const Side side = left ? Side{1, party.size() / 2} : Side{2, (party.size() - 1) / 2};
  const int index = (party.relative_rank() - side.first) / 2;
  const int parent = index == 0 ? 0 : side.member(parent_in(binary, side.size, index));
  const int partner = party.relative_rank() == without_partner ? 0 : party.relative_rank() + (left ? 1 : -1);
  const Slice own = halves[left ? 0 : 1];
  const Slice other = halves[left ? 1 : 0];

  for (const Slice part : split(own, segment)) program.receive(part, party.rank(parent));
  program.receive(other, party.rank(partner));
  for (const Slice part : split(own, segment))
    for_each_child(binary, side.size, index, [&](int child) { program.send(part, party.rank(side.member(child))); });
  if (partner != 0) program.send(own, party.rank(partner));
}

}  // namespace isthmus
