// In-order binary tree reduction, the one of Open MPI (coll/tuned) for operators that do not commute: the top of a
// range of members is its last one, and the others are cut in two halves, each with a tree of its own. So a member's
// left subtree, its right one and itself are consecutive, in this order.
//
// Cost: as of the binary tree (Pjesivac-Grbovic 2005, table 3), whose height this tree exceeds by one at most, and one
// message more where the receiver is not the last member.
#include "algorithms/reduce/delivery.hpp"

namespace isthmus {
namespace {

FanIn in_order_fan_in(const RootedGroup& party) {
  FanIn fan;
  const int self = party.relative_rank();
  // The range first..top in which this member is at the top.
  int first = 0, top = party.size() - 1;
  while (top != self) {
    fan.parent = party.rank(top);
    const int middle = first + (top - first + 1) / 2;  // the first member of the right half
    if (self < middle)
      top = middle - 1;
    else {
      first = middle;
      --top;
    }
  }
  const int middle = first + (top - first + 1) / 2;
  if (first < middle) fan.before.push_back(party.rank(middle - 1));
  if (middle < top) fan.before.push_back(party.rank(top - 1));
  return fan;
}

}  // namespace

void reduce_in_order_binary(Program& program, const RootedGroup& party, const Reduction& reduction) {
  combine_and_deliver(program, party.rank(party.relative_rank()), in_order_fan_in(party), party.rank(party.size() - 1),
                      reduction);
}

}  // namespace isthmus
