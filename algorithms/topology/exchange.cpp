#include "algorithms/topology/exchange.hpp"

#include <algorithm>

namespace isthmus {

RootedGroup participants_at(const Topology& topology, int group, int rank, int root) {
  const std::span<const int> members = topology.members(group);
  if (!topology.contains(group, root)) return {members, rank, members.front()};
  const int inside = topology.group_at(root, topology.group(group).level + 1);
  return {members, rank, root, inside == group ? root : topology.group(inside).ranks.front()};
}

std::vector<int> groups_coordinated_by(const Topology& topology, int rank, int root) {
  std::vector<int> groups;
  groups.reserve(topology.depth(rank) + 1);
  for_each_group_coordinated_by(topology, rank, root, [&](int group) { groups.push_back(group); });
  std::reverse(groups.begin(), groups.end());
  return groups;
}

Layers layers_at(const Topology& topology, int rank, int root) {
  if (topology.group(0).children.empty()) return {std::nullopt, {topology.size(), rank, root}};
  const int cluster = topology.group_at(rank, 1);
  if (cluster == 0) {
    const std::span<const int> members = topology.members(0);
    const auto self = std::lower_bound(members.begin(), members.end(), rank) - members.begin();
    return {participants_at(topology, 0, rank, root), {members.subspan(self, 1), rank, rank}};
  }
  const int coordinator = topology.coordinator(cluster, root);
  Layers layers{std::nullopt, {topology.group(cluster).ranks, rank, coordinator}};
  if (rank == coordinator) layers.coordinators = participants_at(topology, 0, rank, root);
  return layers;
}

}  // namespace isthmus
