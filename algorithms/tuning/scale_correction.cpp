#include "algorithms/tuning/scale_correction.hpp"

#include <algorithm>

#include "algorithms/patterns/tree_broadcast.hpp"

namespace isthmus {
namespace {

/// A rank of the whole or of the sample, the size of its outermost group, and the number of other outermost groups.
struct Seen {
  RankCost rank_cost;
  double ranks_around = 1, others = 1;
};

Seen look_at(int rank, const Plan& plan, const Topology& topology, const Problem& problem, const FullAndSample& both,
             Program& program) {
  program.clear();
  source(plan, topology, problem)(rank, program);
  const Group& outermost = topology.group(topology.group_at(rank, 1));
  return {rank_cost(program, rank, topology, both.costs, problem.element_bytes, both.reduction_s_per_byte),
          static_cast<double>(outermost.ranks.size()),
          std::max(1.0, static_cast<double>(topology.members(0).size()) - 1)};
}

/// The largest number of members of a group at a level.
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
                                    const Problem& sample_problem, Program& program) {
  const auto in_sample = [&](int rank) { return look_at(rank, plan, both.sample, sample_problem, both, program); };
  const auto in_whole = [&](int rank) { return look_at(rank, plan, both.whole, problem, both, program); };
  const auto longer_s = [](const Seen& whole, const Seen& sample) {
    return std::max(0.0, whole.rank_cost.seconds - sample.rank_cost.seconds);
  };
  const int other = both.sample.size() - 1;
  const int coordinator = both.sample.group(both.sample.group_at(other, 1)).ranks.front();
  const Seen sample_root = in_sample(sample_problem.root), sample_coordinator = in_sample(coordinator),
             sample_other = in_sample(other);
  const Seen whole_root = in_whole(has_root(problem.collective) ? problem.root : both.sampled[sample_problem.root]);
  ScaleCorrection correction{.seconds = longer_s(whole_root, sample_root)};
  if (sample_coordinator.rank_cost.messages > sample_other.rank_cost.messages)
    correction.seconds =
        std::max(correction.seconds, longer_s(in_whole(both.sampled[coordinator]), sample_coordinator));
  // If an ordinary rank exchanges messages with other groups, all ranks do.
  if (sample_other.rank_cost.messages_outside > 0 && sample_root.rank_cost.messages_outside > 0) {
    const auto messages = [](const Seen& seen) {
      return static_cast<double>(seen.rank_cost.messages_outside) * seen.ranks_around / seen.others;
    };
    correction.wide_area_growth = std::max(1.0, messages(whole_root) / messages(sample_root));
  }
  return correction;
}

double longer_chains_s(const Plan& plan, const FullAndSample& both, double bytes) {
  const std::vector<std::string>& trees = plan.parameters.levels;
  double seconds = 0;
  for (int level = 0; level <= both.whole.levels() && !trees.empty(); ++level) {
    if (tree_of(trees[std::min<std::size_t>(level, trees.size() - 1)], 0) != Tree{TreeShape::chain}) continue;
    const int further = largest_at(both.whole, level) - largest_at(both.sample, level);
    seconds += std::max(0, further) * both.costs.between(level).receive_time_s(bytes);
  }
  return seconds;
}

}  // namespace isthmus
