// What the ways of a packing move, cut into pieces, in the order in which the pieces set out.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/collective/packing.hpp"

namespace isthmus {

/// Some elements that take one way together.
struct WayPiece {
  std::int64_t due = 0;  ///< when it sets out, in millionths of the time of the collective
  int way = 0;
  int block = 0;            ///< which of the blocks that the way serves
  std::int64_t number = 0;  ///< among the pieces of that block on that way
  std::int64_t first = 0;   ///< its first element, counted from the start of the block
  std::int64_t count = 0;
};

/// A part of a block that takes one way.
struct WayPart {
  int way = 0, block = 0;
  std::int64_t first = 0, count = 0;  ///< in the block
  std::int64_t whole = 0;             ///< elements of the way
};

/// Divides some blocks, one behind the other, among the ways that serve them: each way takes consecutive elements by
/// its share, cut at whole elements, the same on every rank. `ways` are numbers of ways, `blocks` the elements of each
/// block.
std::vector<WayPart> divide(const Packing& packing, std::span<const int> ways, std::span<const std::int64_t> blocks);

/// Calls visit(parts of one way) for each way of a list.
template <typename Visit>
void for_each_way(std::span<const WayPart> parts, Visit visit) {
  for (std::size_t begin = 0; begin < parts.size();) {
    std::size_t end = begin + 1;
    while (end < parts.size() && parts[end].way == parts[begin].way) ++end;
    visit(parts.subspan(begin, end - begin));
    begin = end;
  }
}

/// When the first and the last piece of a way set out, in millionths of the time of the collective.
struct DueTimes {
  std::int64_t first = 0, last = 0;
};
/// `hops`: between sites, along the whole way.
DueTimes due_times(const Packing& packing, int way, int hops);

/// Appends the pieces of the parts of one way, of `segment` elements each at most (0: one piece a part) and as equal as
/// can be. `sender[block]` is where a block begins. Blocks of one sender follow each other; senders take turns, since
/// all of them begin at the start. A piece is due when the bytes before it on the way have set out.
void append_pieces(std::span<const WayPart> parts, std::span<const int> sender, std::int64_t segment, DueTimes due,
                   std::vector<WayPiece>& pieces);

/// In the order of due times; of pieces due at one time, by way, block and number.
void sort_by_due(std::vector<WayPiece>& pieces);

}  // namespace isthmus
