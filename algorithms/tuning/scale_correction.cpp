#include "algorithms/tuning/scale_correction.hpp"

#include <algorithm>

#include "algorithms/patterns/tree_broadcast.hpp"

namespace isthmus {
namespace {

/// A rank of the whole or of the copy, and the size of its outermost group; how many such groups there are beside it.
struct Seen {
  RankCost rank_cost;
  double ranks_around = 1, others = 1;
};

Seen look_at(int rank, const Plan& plan, const Topology& topology, const Problem& problem, const FullAndSample& both) {
  Program program;
  source(plan, topology, problem)(rank, program);
  const Group& outermost = topology.group(topology.group_at(rank, 1));
  return {rank_cost(program, rank, topology, both.costs, problem.element_bytes, both.reduction_s_per_byte),
          static_cast<double>(outermost.ranks.size()),
          std::max(1.0, static_cast<double>(topology.members(0).size()) - 1)};
}

/// Of those at a level, the largest number of members of a group.
int largest_at(const Topology& topology, int level) {
  std::size_t largest = 1;
  for (std::size_t group = 0; group < topology.groups().size(); ++group) {
    if (topology.group(static_cast<int>(group)).level == level)
      largest = std::max(largest, topology.members(static_cast<int>(group)).size());
  }
  return static_cast<int>(largest);
}

}  // namespace

ScaleCorrection scale_correction_of(const Plan& plan, const FullAndSample& both, const Problem& problem,
                          const Problem& copy_problem) {
  const auto in_copy = [&](int rank) { return look_at(rank, plan, both.copy, copy_problem, both); };
  const auto in_whole = [&](int rank) { return look_at(rank, plan, both.whole, problem, both); };
  const auto longer_s = [](const Seen& whole, const Seen& copy) {
    return std::max(0.0, whole.rank_cost.seconds - copy.rank_cost.seconds);
  };
  const int other = both.copy.size() - 1;
  const int coordinator = both.copy.group(both.copy.group_at(other, 1)).ranks.front();
  const Seen copy_root = in_copy(copy_problem.root), copy_coordinator = in_copy(coordinator),
             copy_other = in_copy(other);
  const Seen whole_root = in_whole(has_root(problem.collective) ? problem.root : both.copied[copy_problem.root]);
  ScaleCorrection correction{.seconds = longer_s(whole_root, copy_root)};
  if (copy_coordinator.rank_cost.messages > copy_other.rank_cost.messages)
    correction.seconds = std::max(correction.seconds, longer_s(in_whole(both.copied[coordinator]), copy_coordinator));
  // Where an ordinary rank has to do with other groups, all ranks have.
  if (copy_other.rank_cost.messages_outside > 0 && copy_root.rank_cost.messages_outside > 0) {
    const auto messages = [](const Seen& seen) {
      return static_cast<double>(seen.rank_cost.messages_outside) * seen.ranks_around / seen.others;
    };
    correction.wide_area_growth = std::max(1.0, messages(whole_root) / messages(copy_root));
  }
  return correction;
}

double longer_chains_s(const Plan& plan, const FullAndSample& both, double bytes) {
  const std::vector<std::string>& trees = plan.parameters.levels;
  double seconds = 0;
  for (int level = 0; level <= both.whole.levels() && !trees.empty(); ++level) {
    if (tree_of(trees[std::min<std::size_t>(level, trees.size() - 1)], 0) != Tree{TreeShape::chain}) continue;
    const int further = largest_at(both.whole, level) - largest_at(both.copy, level);
    seconds += std::max(0, further) * both.costs.between(level).receive_time_s(bytes);
  }
  return seconds;
}

}  // namespace isthmus
