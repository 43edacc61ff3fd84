#include "algorithms/topology/clusters.hpp"

#include <algorithm>

namespace isthmus {

int Clusters::number_of(const Topology& topology, int rank, int group) {
  const Group& all = topology.group(group);
  if (all.children.empty()) return 0;
  const int inside = topology.group_at(rank, all.level + 1);
  const int lowest = inside == group ? rank : topology.group(inside).ranks.front();
  return static_cast<int>(std::ranges::lower_bound(all.members, lowest) - all.members.begin());
}

Clusters::Clusters(const Topology& topology, int rank, int group) : self_(number_of(topology, rank, group)) {
  const Group& all = topology.group(group);
  if (all.children.empty()) {
    ranks_.emplace_back(all.ranks);
  } else {
    const std::span<const int> members = all.members;
    ranks_.reserve(members.size());
    std::size_t child = 0;
    for (std::size_t i = 0; i < members.size(); ++i) {
      const bool heads = child < all.children.size() && topology.group(all.children[child]).ranks.front() == members[i];
      ranks_.push_back(heads ? std::span<const int>(topology.group(all.children[child++]).ranks)
                             : members.subspan(i, 1));
    }
  }
  const std::span<const int> own = ranks_[self_];
  index_in_cluster_ = static_cast<int>(std::ranges::lower_bound(own, rank) - own.begin());
}

Run run_around(const Topology& topology, int level, int rank) {
  const Group& group = topology.group(topology.group_at(rank, level));
  if (group.level < level) return {rank, rank + 1};
  // The difference between a rank and its index in the group never decreases, and is constant within a run.
  const auto begin = group.ranks.begin();
  const int place = static_cast<int>(std::lower_bound(begin, group.ranks.end(), rank) - begin);
  const int ahead = rank - place;
  int first = 0, last = place;
  while (first < last) {
    const int middle = first + (last - first) / 2;
    if (group.ranks[middle] - middle < ahead)
      first = middle + 1;
    else
      last = middle;
  }
  int end = place + 1, beyond = static_cast<int>(group.ranks.size());
  while (end < beyond) {
    const int middle = end + (beyond - end) / 2;
    if (group.ranks[middle] - middle == ahead)
      end = middle + 1;
    else
      beyond = middle;
  }
  return {group.ranks[first], ahead + end};
}

std::vector<Run> runs_within(const Topology& topology, int level, Run outer) {
  std::vector<Run> runs;
  for (int rank = outer.first; rank < outer.end; rank = runs.back().end)
    runs.push_back(run_around(topology, level, rank));
  return runs;
}

bool is_contiguous(const Group& group) {
  return group.ranks.back() - group.ranks.front() + 1 == static_cast<int>(group.ranks.size());
}

bool has_contiguous_children(const Topology& topology, int group) {
  const std::vector<int>& children = topology.group(group).children;
  return std::all_of(children.begin(), children.end(), [&](int child) { return is_contiguous(topology.group(child)); });
}

}  // namespace isthmus
