#include "algorithms/patterns/fan_in.hpp"

#include <algorithm>
#include <utility>

namespace isthmus {
namespace {

/// The segments of any slice with as many elements as `like`.
template <typename Visit>
void for_each_segment(Slice like, std::int64_t segment, Visit visit) {
  for (const Slice part : split(like, segment)) visit(part.offset - like.offset, part.count);
}

}  // namespace

FanIn fan_in_along(Tree tree, const RootedGroup& group) {
  FanIn fan;
  continue_along(tree, group, fan);
  return fan;
}

void continue_along(Tree tree, const RootedGroup& group, FanIn& fan) {
  const auto before = static_cast<std::ptrdiff_t>(fan.after.size());
  for_each_child(tree, group.size(), group.relative_rank(), [&](int child) { fan.after.push_back(child); });
  const auto first = fan.after.begin() + before;
  std::sort(first, fan.after.end());
  std::transform(first, fan.after.end(), first, [&](int child) { return group.rank(child); });
  fan.parent = group.is_root() ? -1 : group.rank(parent_in(tree, group.size(), group.relative_rank()));
}

void combine_along(Program& program, const FanIn& fan, Slice own, Slice into, std::int64_t segment,
                   const std::function<void()>& then) {
  std::vector<Slice> operands;  // in order
  std::vector<std::pair<Slice, int>> coming;
  coming.reserve(fan.before.size() + fan.after.size());
  operands.reserve(coming.capacity() + 1);
  const auto expect = [&](int child) {
    operands.push_back(program.reserve(own.count));
    coming.emplace_back(operands.back(), child);
  };
  for (const int child : fan.before) expect(child);
  operands.push_back(own);
  for (const int child : fan.after) expect(child);

  for_each_segment(own, segment, [&](std::int64_t first, std::int64_t count) {
    for (const auto& [slot, child] : coming) program.receive(slot.part(first, count), child);
  });

  if (then) then();

  const bool stays = fan.parent < 0;
  for_each_segment(own, segment, [&](std::int64_t first, std::int64_t count) {
    Slice sum = operands.front().part(first, count);
    for (std::size_t i = 1; i < operands.size(); ++i) {
      // A partial sum overwrites a child's operand, which is not needed any more.
      const bool last = i + 1 == operands.size();
      const Slice to = (last && stays ? into : coming.front().first).part(first, count);
      program.reduce(to, sum, operands[i].part(first, count));
      sum = to;
    }
    if (!stays)
      program.send(sum, fan.parent);
    else if (operands.size() == 1 && into != own)
      program.copy(into.part(first, count), sum);
  });
}

}  // namespace isthmus
