// In-order binary tree reduction, the one of Open MPI (coll/tuned) for operators that do not commute: the top of a
// range of members is its last member; the other members form two halves, each with its own tree. So a member's left
// subtree, its right subtree and the member itself are consecutive, in this order.
//
// Cost: that of the binary tree (Pjesivac-Grbovic 2005, table 3), whose height this tree exceeds by one at most, and
// one message more if the receiver is not the last member.
#include "algorithms/reduce/delivery.hpp"

namespace isthmus {
namespace {

FanIn in_order_fan_in(const RootedGroup& group) {
  FanIn fan;
  const int self = group.relative_rank();
  // Finds the range first..top whose top is this member.
  int first = 0, top = group.size() - 1;
  while (top != self) {
    fan.parent = group.rank(top);
    const int middle = first + (top - first + 1) / 2;  // the first member of the right half
    if (self < middle)
      top = middle - 1;
    else {
      first = middle;
      --top;
    }
  }
  const int middle = first + (top - first + 1) / 2;
  if (first < middle) fan.before.push_back(group.rank(middle - 1));
  if (middle < top) fan.before.push_back(group.rank(top - 1));
  return fan;
}

}  // namespace

void reduce_in_order_binary(Program& program, const RootedGroup& group, const Reduction& reduction) {
  combine_and_deliver(program, group.rank(group.relative_rank()), in_order_fan_in(group), group.rank(group.size() - 1),
                      reduction);
}

}  // namespace isthmus
