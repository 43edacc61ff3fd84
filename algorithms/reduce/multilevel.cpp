// The multilevel reduction. Karonis 2000, section 3, its broadcast (section 3.1) turned round. The operands of a
// group come together at its coordinator, those of the coordinators at the coordinator of the group around them, any
// tree at any level, the receiver taking the place of the coordinator in every group around it. With segments (which
// the paper does not have) a coordinator passes each one on as soon as it is complete.
//
// By default linear between the outermost groups and binomial inside, so that no operand crosses two wide-area links,
// and each group's sum crosses one once.
//
// With an operator that does not commute only consecutive ranks can be combined (ordered_fan_in.cpp). Then the runs of
// consecutive ranks that share a group take the place of the groups, at every level, and come together at their first
// ranks; around the receiver, whose place is in the middle, the runs before it and those behind it come together apart.
// Groups of consecutive ranks lose nothing by this; where ranks go round the sites in turn every operand travels on its
// own, as it must.
//
// Cost, unsegmented: the sum over the levels of the cost of each level's tree.
#include <vector>

#include "algorithms/patterns/fan_in.hpp"
#include "algorithms/patterns/ordered_fan_in.hpp"
#include "algorithms/patterns/tree_broadcast.hpp"
#include "algorithms/reduce/reduce.hpp"
#include "algorithms/topology/exchange.hpp"

namespace isthmus {
namespace {

/// Innermost groups first: their sums are there first.
FanIn fan_in_over_groups(const Topology& topology, int rank, int root, std::span<const std::string> levels,
                         int degree) {
  FanIn fan;
  const std::vector<int> groups = groups_coordinated_by(topology, rank, root);
  for (auto group = groups.rbegin(); group != groups.rend(); ++group) {
    const RootedGroup party = participants_at(topology, *group, rank, root);
    const FanIn here = fan_in_along(level_tree(topology.group(*group), levels, degree), party);
    fan.after.insert(fan.after.end(), here.after.begin(), here.after.end());
    fan.parent = here.parent;
  }
  return fan;
}

}  // namespace

void reduce_multilevel(Program& program, const Topology& topology, int rank, const Reduction& reduction,
                       bool commutative, std::span<const std::string> levels, int degree) {
  const FanIn fan = commutative ? fan_in_over_groups(topology, rank, reduction.receiver, levels, degree)
                                : ordered_fan_in(topology, rank, reduction.receiver);
  combine(program, fan, reduction.own, reduction.into, reduction.segment);
}

}  // namespace isthmus
