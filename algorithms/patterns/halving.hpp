// Recursive halving that keeps the order of operands, for the algorithms of Rabenseifner.
//
// At step k members that differ in bit k exchange halves of what they still hold, and each combines the half that it
// keeps. Distances double, so that the operands of a partial sum are consecutive members. If the number of ranks is not
// a power of two the first ranks form pairs, and one of each pair takes part for both (Thakur, Rabenseifner, Gropp
// 2005).
#pragma once

#include <vector>

#include "algorithms/schedule/program.hpp"

namespace isthmus {

/// The members of a halving over `size` ranks. Their number is the largest power of two that is not above `size`; each
/// member represents one rank or two neighbours.
class PowerOfTwo {
 public:
  /// Seen from `rank`. Of a pair the lower rank takes part, unless the other rank is `favoured`.
  PowerOfTwo(int size, int rank, int favoured = -1);

  int members() const { return members_; }
  /// The member that represents this rank, whether the rank takes part itself or not.
  int member() const { return member_of(rank_); }
  bool takes_part() const { return rank_of(member()) == rank_; }
  int member_of(int rank) const { return rank < 2 * pairs_ ? rank / 2 : rank - pairs_; }
  int rank_of(int member) const;
  /// The first of the one or two ranks that a member represents; members represent consecutive ranks, in order.
  int first_rank_of(int member) const { return member < pairs_ ? 2 * member : member + pairs_; }
  /// The other rank of the pair; -1: none.
  int partner() const { return rank_ < 2 * pairs_ ? rank_ ^ 1 : -1; }
  int rank() const { return rank_; }

 private:
  int members_, pairs_, rank_, favoured_;
};

/// The pairs combine in order. A rank that takes part ends with the pair's sum in `into`, or with its own operand if it
/// has no partner; the slice is returned. The other rank of a pair sends its operand and is done.
Slice combine_pairs(Program& program, const PowerOfTwo& core, Slice own, Slice into);

/// For a reduce-scatter: a rank that takes no part sends its operands to its partner and receives its block, `into`.
/// Returns whether the rank is one of these.
bool leave_to_partner(Program& program, const PowerOfTwo& core, Slice operands, Slice into);

/// The range of a member's blocks at each step of halving: from all of the blocks to one.
struct BlockRange {
  int first = 0;
  int end = 0;
};
/// By step, the whole range first. A member whose bit of the step is 0 keeps the lower half.
std::vector<BlockRange> halved_ranges(int members, int member);
/// The half that a member does not keep.
inline BlockRange other_half(BlockRange both, BlockRange kept) {
  return kept.first == both.first ? BlockRange{kept.end, both.end} : BlockRange{both.first, kept.first};
}
/// The part of a slice, cut in `parts` blocks, that a range covers.
Slice range_of(Slice whole, BlockRange range, int parts);

/// Halving over the members. The one block that a member is left with is combined over all members and is at its
/// position in `into`. `sum` is the result of combine_pairs(), with the same count as `into`.
void halve(Program& program, const PowerOfTwo& core, Slice sum, Slice into);

}  // namespace isthmus
