// What all reductions along trees share: combine what the children send with the own operand, in order, and pass the
// sum on.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "algorithms/schedule/program.hpp"
#include "algorithms/topology/rooted_group.hpp"
#include "algorithms/topology/tree.hpp"

namespace isthmus {

/// A rank's place in a tree of partial sums: sum of `before`, own operand, sum of `after`, in this order, goes to
/// `parent`, which is -1 where the sum stays.
struct FanIn {
  std::vector<int> before;
  std::vector<int> after;
  int parent = -1;
};

/// The place in a tree over a party, the children in ascending order, which for a binomial tree is the one in which
/// they are done. Operands come in the order of relative numbers where the tree keeps_order().
FanIn fan_in_along(Tree tree, const RootedGroup& party);
bool keeps_order(Tree tree);

/// Combines and passes on, segment by segment; the receives of all segments are posted ahead, and right behind them
/// comes whatever `then` adds. Where there is no parent the sum ends in `into`, which may be `own`. Takes scratch for
/// the operand of each child.
void combine(Program& program, const FanIn& fan, Slice own, Slice into, std::int64_t segment,
             const std::function<void()>& then = {});

}  // namespace isthmus
