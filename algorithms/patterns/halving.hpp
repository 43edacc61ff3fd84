// Recursive halving with order kept: what the algorithms of Rabenseifner share.
//
// At step k members that differ in bit k exchange halves of what they still hold and combine the half that they keep,
// so that the operands of a partial sum are consecutive members (distance doubling). Where the number of ranks is no
// power of two the first ranks pair up, and one of each pair takes part for both (Thakur, Rabenseifner, Gropp 2005).
#pragma once

#include <vector>

#include "algorithms/schedule/program.hpp"

namespace isthmus {

/// The largest power of two of members out of `size` ranks: each stands for one rank, or for two neighbours.
class PowerOfTwo {
 public:
  /// Seen from `rank`. Of a pair the lower rank takes part, unless the other one is `favoured`.
  PowerOfTwo(int size, int rank, int favoured = -1);

  int members() const { return members_; }
  /// The member that stands for this rank, also where it does not take part itself.
  int member() const { return member_of(rank_); }
  bool takes_part() const { return rank_of(member()) == rank_; }
  int member_of(int rank) const { return rank < 2 * pairs_ ? rank / 2 : rank - pairs_; }
  int rank_of(int member) const;
  /// The first of the one or two ranks that a member stands for; members stand for consecutive ranks, in order.
  int first_rank_of(int member) const { return member < pairs_ ? 2 * member : member + pairs_; }
  /// The other one of the pair, -1 where there is none.
  int partner() const { return rank_ < 2 * pairs_ ? rank_ ^ 1 : -1; }
  int rank() const { return rank_; }

 private:
  int members_, pairs_, rank_, favoured_;
};

/// The pairs combine in order: who takes part ends with the sum, in `into`, or with its own operand where it is alone.
/// Returns where that is. Who does not take part sends its operand and is done.
Slice combine_pairs(Program& program, const PowerOfTwo& core, Slice own, Slice into);

/// The range of a member's blocks at each step of halving: from all of the blocks to one.
struct BlockRange {
  int first = 0;
  int end = 0;
};
/// By step, the whole range first: the lower half stays where the bit of the step is not set.
std::vector<BlockRange> halved_ranges(int members, int member);
/// The half that a member does not keep.
inline BlockRange other_half(BlockRange both, BlockRange kept) {
  return kept.first == both.first ? BlockRange{kept.end, both.end} : BlockRange{both.first, kept.first};
}
/// The part of a slice, cut in `parts` blocks, that a range covers.
Slice range_of(Slice whole, BlockRange range, int parts);

/// Halving over the members: the one block that is left is combined over all of them and lies in its place in `into`.
/// `sum` is what combine_pairs() returned, and of the same count as `into`.
void halve(Program& program, const PowerOfTwo& core, Slice sum, Slice into);

}  // namespace isthmus
