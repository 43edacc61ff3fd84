// Reduction along trees: a rank combines its children's operands with its own, in order, and sends the sum to its
// parent.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "algorithms/schedule/program.hpp"
#include "algorithms/topology/rooted_group.hpp"
#include "algorithms/topology/tree.hpp"

namespace isthmus {

/// A rank's place in a tree of partial sums. The rank combines the sums of `before`, its own operand and the sums of
/// `after`, in this order, and sends the result to `parent`; -1: the result stays.
struct FanIn {
  std::vector<int> before;
  std::vector<int> after;
  int parent = -1;
};

/// The place in a tree over a group, the children in ascending order; in a binomial tree they finish in this order.
/// Operands are combined in the order of relative ranks, except in Bine trees and k-ary trees of degree 2 or more.
FanIn fan_in_along(Tree tree, const RootedGroup& group);
/// Goes on in the tree of the next group outwards: its children come after those so far, and its parent is the parent.
void continue_along(Tree tree, const RootedGroup& group, FanIn& fan);

/// Combines and sends to the parent, segment by segment. The receives of all segments are posted first; then come the
/// operations that `then` adds. Without a parent the sum ends in `into`, which may be `own`. Uses scratch for the
/// operand of each child.
void combine_along(Program& program, const FanIn& fan, Slice own, Slice into, std::int64_t segment,
                   const std::function<void()>& then = {});

}  // namespace isthmus
