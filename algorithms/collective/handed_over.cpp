#include "algorithms/collective/handed_over.hpp"

#include <algorithm>
#include <string>

#include "algorithms/errors.hpp"
#include "algorithms/text/printable.hpp"

namespace isthmus {
namespace {

/// The ranks that exchange messages: the coordinators of the level's groups, and the ranks in none of them, in the
/// order of the lowest rank that each speaks for.
struct Coordinators {
  std::vector<int> ranks;
  std::vector<int> speaker;  ///< by rank: the index of its coordinator
};

bool is_in_group_of(const Topology& topology, int rank, int level) { return topology.depth(rank) >= level; }

Coordinators coordinators_at(const Topology& topology, int level, int root) {
  Coordinators found;
  std::vector<int> of_group(topology.groups().size(), -1);
  for (int rank = 0; rank < topology.size(); ++rank) {
    const auto next = static_cast<int>(found.ranks.size());
    if (!is_in_group_of(topology, rank, level)) {
      found.ranks.push_back(rank);
      found.speaker.push_back(next);
      continue;
    }
    const int group = topology.group_at(rank, level);
    if (of_group[group] < 0) {
      of_group[group] = next;
      found.ranks.push_back(topology.coordinator(group, root));
    }
    found.speaker.push_back(of_group[group]);
  }
  return found;
}

/// The groups around the coordinators. With `inside` each is an outermost group of its own.
Topology topology_among(const Topology& topology, const Coordinators& coordinators, int level, bool apart) {
  std::vector<std::vector<std::string>> paths;
  for (const int rank : coordinators.ranks) {
    std::vector<std::string>& path = paths.emplace_back();
    if (apart) path.push_back(std::to_string(rank));
    for (int outer = 1; outer < level && is_in_group_of(topology, rank, outer); ++outer)
      path.push_back(topology.group(topology.group_at(rank, outer)).name);
  }
  return Topology::from_paths(paths);
}

Program program_between(const Plan& plan, const Topology& topology, const Problem& problem,
                        const Coordinators& coordinators, int index) {
  Parameters parameters = plan.parameters;
  const bool apart = !parameters.inside.empty();
  parameters.merged = 0;
  parameters.inside.clear();
  if (!parameters.levels.empty()) parameters.levels.pop_back();
  Problem among = problem;
  among.root = coordinators.speaker[problem.root];
  const Topology groups = topology_among(topology, coordinators, handed_level(plan), apart);
  Program program;
  plan.algorithm->write(program, {index, groups, among, parameters});
  for (Op& op : program.mutable_ops())
    if (op.peer >= 0) op.peer = coordinators.ranks[op.peer];
  return program;
}

}  // namespace

int handed_level(const Plan& plan) {
  if (plan.parameters.inside == mpi_inside) return 1;
  const std::vector<std::string>& levels = plan.parameters.levels;
  return !levels.empty() && levels.back() == mpi_inside ? static_cast<int>(levels.size()) - 1 : 0;
}

Plan with_tree_inside(const Plan& plan) {
  Plan changed = plan;
  changed.parameters.inside.clear();
  std::ranges::replace(changed.parameters.levels, std::string(mpi_inside), std::string("binomial"));
  return changed;
}

std::optional<HandedOver> hand_over(const Plan& plan, const Topology& topology, const Problem& problem, int rank) {
  const int level = handed_level(plan);
  if (level == 0 || !topology.connectivity().complete()) return std::nullopt;
  if (const int merged = plan.parameters.merged; merged > 1) {
    Plan rest = plan;
    rest.parameters.merged = 0;
    return hand_over(rest, topology.with_merged(merged), problem, rank);
  }
  if (topology.levels() < level) return std::nullopt;
  const Coordinators coordinators = coordinators_at(topology, level, problem.root);
  const int index = coordinators.speaker[rank], speaker = coordinators.ranks[index];
  HandedOver over;
  over.ranks = is_in_group_of(topology, rank, level) ? topology.group(topology.group_at(rank, level)).ranks
                                                     : std::vector<int>{rank};
  over.coordinator = static_cast<int>(std::ranges::lower_bound(over.ranks, speaker) - over.ranks.begin());
  if (speaker == rank) over.between = program_between(plan, topology, problem, coordinators, index);
  return over;
}

void check_inside(const Parameters& parameters) {
  if (parameters.inside.empty() || parameters.inside == mpi_inside) return;
  throw BadInput("inside=" + excerpt(parameters.inside) + ": `mpi`, or nothing for binomial trees, would be right");
}

}  // namespace isthmus
