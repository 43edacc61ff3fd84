#include "algorithms/topology/topology.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "algorithms/errors.hpp"

namespace isthmus {

Topology Topology::flat(int size) {
  if (size < 1) throw BadInput("a topology of " + std::to_string(size) + " ranks: there must be at least one");
  Topology topology;
  topology.groups_.resize(1);
  topology.groups_[0].ranks.resize(size);
  std::iota(topology.groups_[0].ranks.begin(), topology.groups_[0].ranks.end(), 0);
  topology.innermost_.assign(size, 0);
  return topology;
}

Topology Topology::from_paths(const std::vector<std::vector<std::string>>& paths) {
  Topology topology = flat(static_cast<int>(paths.size()));
  std::vector<Group>& groups = topology.groups_;
  std::map<std::pair<int, std::string>, int> number_of;  // by parent and name
  // Ranks are visited in ascending order. So the ranks of each group ascend, and children are ordered by their lowest
  // rank.
  for (int rank = 0; rank < topology.size(); ++rank) {
    int group = 0;
    for (const std::string& name : paths[rank]) {
      const auto [found, is_new] = number_of.try_emplace({group, name}, static_cast<int>(groups.size()));
      if (is_new) {
        groups[group].children.push_back(found->second);
        groups.push_back({.name = name,
                          .level = groups[group].level + 1,
                          .parent = group,
                          .children = {},
                          .ranks = {},
                          .members = {}});
      }
      group = found->second;
      groups[group].ranks.push_back(rank);
    }
    topology.innermost_[rank] = group;
  }
  for (int rank = 0; rank < topology.size(); ++rank) {
    Group& group = groups[topology.innermost_[rank]];
    if (!group.children.empty()) group.members.push_back(rank);
  }
  for (Group& group : groups) {
    for (const int child : group.children) group.members.push_back(groups[child].ranks.front());
    std::sort(group.members.begin(), group.members.end());
  }
  return topology;
}

Topology Topology::with_merged(int levels) const {
  std::vector<std::vector<std::string>> paths(innermost_.size());
  for (int rank = 0; rank < size(); ++rank)
    for (int level = std::min(levels, depth(rank)); level > 0 && level <= depth(rank); ++level)
      paths[rank].push_back(std::to_string(group_at(rank, level)));
  return from_paths(paths).with_connectivity(connectivity_);
}

Topology Topology::with_connectivity(Connectivity connectivity) const {
  Topology topology = *this;
  topology.connectivity_ = std::move(connectivity);
  return topology;
}

int Topology::group_at(int rank, int level) const {
  int group = innermost_[rank];
  while (groups_[group].level > level) group = groups_[group].parent;
  return group;
}

bool Topology::contains(int group, int rank) const { return group_at(rank, groups_[group].level) == group; }

int Topology::levels() const {
  return std::max_element(groups_.begin(), groups_.end(),
                          [](const Group& a, const Group& b) { return a.level < b.level; })
      ->level;
}

int Topology::coordinator(int group, int root) const {
  return contains(group, root) ? root : groups_[group].ranks.front();
}

std::vector<int> Topology::participants(int group, int root) const {
  const std::span<const int> lowest = members(group);
  std::vector<int> ranks(lowest.begin(), lowest.end());
  const int inside = contains(group, root) ? group_at(root, groups_[group].level + 1) : group;
  if (inside != group) *std::lower_bound(ranks.begin(), ranks.end(), groups_[inside].ranks.front()) = root;
  return ranks;
}

}  // namespace isthmus
