// The multilevel reduction. Karonis 2000, section 3: its broadcast (section 3.1) turned round: the operands of a
// group come together at its coordinator, those of the coordinators at the coordinator of the group around them, any
// tree at any level, the receiver taking the place of the coordinator in every group around it. With segments (which
// the paper does not have) a coordinator passes each one on as soon as it is complete.
//
// By default linear between the outermost groups and binomial inside, so that no operand crosses two wide-area links,
// and each group's sum crosses one once.
//
// With an operator that does not commute only consecutive ranks can be combined. Then the runs of consecutive ranks
// that share a group take the place of the groups, at every level, and come together at their first ranks; around the
// receiver, whose place is in the middle, the runs before it and those behind it come together apart. Groups of
// consecutive ranks lose nothing by this; where ranks go round the sites in turn every operand travels on its own, as
// it must.
//
// Cost, unsegmented: the sum over the levels of the cost of each level's tree.
#include <algorithm>
#include <vector>

#include "algorithms/broadcast/tree_broadcast.hpp"
#include "algorithms/reduce/fan_in.hpp"
#include "algorithms/reduce/reduce.hpp"
#include "algorithms/topology/exchange.hpp"

namespace isthmus {
namespace {

Tree tree_at(const Group& group, std::span<const std::string> levels, int degree) {
  if (levels.empty()) {
    const bool between_sites = group.level == 0 && !group.children.empty();
    return {between_sites ? TreeShape::flat : TreeShape::binomial};
  }
  return tree_of(levels[std::min<std::size_t>(group.level, levels.size() - 1)], degree).value();
}

/// Innermost groups first: their sums are there first.
FanIn fan_in_over_groups(const Topology& topology, int rank, int root, std::span<const std::string> levels,
                         int degree) {
  FanIn fan;
  const std::vector<int> groups = exchanges_of(topology, rank, root);
  for (auto group = groups.rbegin(); group != groups.rend(); ++group) {
    const Party party = exchange_at(topology, *group, rank, root);
    const FanIn here = fan_in_along(tree_at(topology.group(*group), levels, degree), party);
    fan.after.insert(fan.after.end(), here.after.begin(), here.after.end());
    fan.parent = here.parent;
  }
  return fan;
}

/// The place of `rank` among the heads of runs on one side of the root, which come together at the first of them, and
/// then at the root; straight at the root where they lie in other sites. Returns who sends to the root.
std::vector<int> add_side(FanIn& fan, std::span<const Run> runs, bool straight, int rank, int root) {
  std::vector<int> heads;
  for (const Run& run : runs) heads.push_back(run.first);
  const auto found = std::find(heads.begin(), heads.end(), rank);
  const bool takes_part = found != heads.end();
  if (takes_part) fan.parent = root;
  if (straight) return heads;
  if (takes_part) {
    const FanIn here = fan_in_along({TreeShape::binomial}, Party(heads, rank, heads.front()));
    if (here.parent >= 0) fan.parent = here.parent;
    fan.after = here.after;
  }
  heads.resize(std::min<std::size_t>(heads.size(), 1));
  return heads;
}

FanIn fan_in_over_runs(const Topology& topology, int rank, int root) {
  FanIn fan;
  std::vector<int> around;  // what comes behind the sums of levels further in
  std::vector<std::vector<int>> after_root;
  Run run{0, topology.size()};
  int level = 0;
  // The runs around the root, as far in as this rank lies in them.
  for (; run.contains(root) && run.size() > 1; ++level) {
    const std::vector<Run> parts = runs_within(topology, level + 1, run);
    const auto holds = [&](int of) {
      return std::find_if(parts.begin(), parts.end(), [&](const Run& part) { return part.contains(of); });
    };
    const auto middle = holds(root);
    const bool straight = level == 0 && !topology.group(0).children.empty();
    const std::vector<int> before = add_side(fan, {parts.begin(), middle}, straight, rank, root);
    const std::vector<int> after = add_side(fan, {middle + 1, parts.end()}, straight, rank, root);
    if (rank == root) {
      fan.before.insert(fan.before.end(), before.begin(), before.end());
      after_root.push_back(after);
    }
    run = *holds(rank);
  }
  if (rank == root) {
    for (auto after = after_root.rbegin(); after != after_root.rend(); ++after)
      fan.after.insert(fan.after.end(), after->begin(), after->end());
    return fan;
  }
  around.swap(fan.after);
  add_ordered_fan_in(fan, topology, level, run, rank);
  fan.after.insert(fan.after.end(), around.begin(), around.end());
  return fan;
}

}  // namespace

void reduce_multilevel(Program& program, const Topology& topology, int rank, const Reduction& reduction,
                       bool commutative, std::span<const std::string> levels, int degree) {
  const FanIn fan = commutative ? fan_in_over_groups(topology, rank, reduction.receiver, levels, degree)
                                : fan_in_over_runs(topology, rank, reduction.receiver);
  combine(program, fan, reduction.own, reduction.into, reduction.segment);
}

}  // namespace isthmus
