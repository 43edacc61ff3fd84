#include "algorithms/patterns/halving.hpp"

#include <bit>

namespace isthmus {

PowerOfTwo::PowerOfTwo(int size, int rank, int favoured)
    : members_(static_cast<int>(std::bit_floor(static_cast<unsigned>(size)))),
      pairs_(size - members_),
      rank_(rank),
      favoured_(favoured) {}

int PowerOfTwo::rank_of(int member) const {
  if (member >= pairs_) return member + pairs_;
  return 2 * member + 1 == favoured_ ? favoured_ : 2 * member;
}

Slice combine_pairs(Program& program, const PowerOfTwo& core, Slice own, Slice into) {
  if (core.partner() < 0) return own;
  if (!core.takes_part()) {
    program.send(own, core.partner());
    return own;
  }
  const Slice other = program.reserve(own.count);
  program.receive(other, core.partner());
  if (core.partner() < core.rank())
    program.reduce(into, other, own);
  else
    program.reduce(into, own, other);
  return into;
}

bool leave_to_partner(Program& program, const PowerOfTwo& core, Slice operands, Slice into) {
  if (core.takes_part()) return false;
  combine_pairs(program, core, operands, {});
  program.receive(into, core.partner());
  return true;
}

std::vector<BlockRange> halved_ranges(int members, int member) {
  std::vector<BlockRange> ranges{{0, members}};
  for (int bit = 1; bit < members; bit <<= 1) {
    const auto [first, end] = ranges.back();
    const int middle = (first + end) / 2;
    ranges.push_back((member & bit) == 0 ? BlockRange{first, middle} : BlockRange{middle, end});
  }
  return ranges;
}

Slice range_of(Slice whole, BlockRange range, int parts) {
  const std::int64_t first = block(whole, range.first, parts).offset;
  return whole.part(first - whole.offset, block(whole, range.end - 1, parts).end() - first);
}

void halve(Program& program, const PowerOfTwo& core, Slice sum, Slice into) {
  const int members = core.members();
  const int member = core.member();
  const std::vector<BlockRange> ranges = halved_ranges(members, member);
  const Slice coming = program.reserve(members > 1 ? range_of(into, {0, members / 2}, members).count : 0);
  for (int step = 0; 1 << step < members; ++step) {
    const int partner = core.rank_of(member ^ 1 << step);
    const Slice kept = range_of(sum, ranges[step + 1], members);
    const Slice other = coming.part(0, kept.count);
    const Slice to = range_of(into, ranges[step + 1], members);
    program.receive(other, partner);
    program.send(range_of(sum, other_half(ranges[step], ranges[step + 1]), members), partner);
    if ((member >> step & 1) != 0)
      program.reduce(to, other, kept);
    else
      program.reduce(to, kept, other);
    sum = into;
  }
}

}  // namespace isthmus
