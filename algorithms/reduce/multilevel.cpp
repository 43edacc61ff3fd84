// The multilevel reduction. Karonis 2000, section 3: the reverse of its broadcast (section 3.1). The operands of a
// group are combined at its coordinator, and the sums of coordinators at the coordinator of the next group outwards,
// along any tree at any level. The receiver is the coordinator of every group that contains it. With segments (which
// the paper does not have) a coordinator forwards each segment as soon as it is complete.
//
// By default linear between the outermost groups and binomial inside, so that no operand crosses two wide-area links,
// and each group's sum crosses one.
//
// With an operator that does not commute only consecutive ranks can be combined (ordered_fan_in.cpp). Then runs of
// consecutive ranks that share a group replace the groups, at every level, and are combined at their first ranks. The
// runs before the receiver and those after it are combined separately. Groups of consecutive ranks need no more
// messages than with a commutative operator. If ranks are placed on the sites in turn, every operand has to travel on
// its own.
//
// Cost, unsegmented: the sum over the levels of the cost of each level's tree.
#include "algorithms/patterns/fan_in.hpp"
#include "algorithms/patterns/ordered_fan_in.hpp"
#include "algorithms/reduce/reduce.hpp"
#include "algorithms/topology/exchange.hpp"

namespace isthmus {
namespace {

/// Innermost groups first: their sums are complete first.
FanIn fan_in_over_groups(const Topology& topology, int rank, int root, const GroupTrees& trees) {
  FanIn fan;
  for_each_group_coordinated_by(topology, rank, root, [&](int group) {
    continue_along(trees.at(topology, group), participants_at(topology, group, rank, root), fan);
  });
  return fan;
}

}  // namespace

void reduce_multilevel(Program& program, const Topology& topology, int rank, const Reduction& reduction,
                       bool commutative, const GroupTrees& trees) {
  const FanIn fan = commutative ? fan_in_over_groups(topology, rank, reduction.receiver, trees)
                                : ordered_fan_in(topology, rank, reduction.receiver);
  combine_along(program, fan, reduction.own, reduction.into, reduction.segment);
}

}  // namespace isthmus
