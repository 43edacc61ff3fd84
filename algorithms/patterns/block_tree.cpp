#include "algorithms/patterns/block_tree.hpp"

#include <algorithm>

#include "algorithms/topology/exchange.hpp"

namespace isthmus {
namespace {

/// Adds the children of this rank in a tree over `group`, the nearest first.
void add_children(TreePlace& place, Tree tree, const RootedGroup& group) {
  std::vector<int>& children = place.children;
  const auto before = static_cast<std::ptrdiff_t>(children.size());
  for_each_child(tree, group.size(), group.relative_rank(), [&](int member) { children.push_back(member); });
  const auto first = children.begin() + before;
  std::sort(first, children.end());
  std::transform(first, children.end(), first, [&](int member) { return group.rank(member); });
}

void add_subtree(const PlaceOf& place_of, int rank, std::vector<int>& ranks) {
  ranks.push_back(rank);
  for (const int child : place_of(rank).children) add_subtree(place_of, child, ranks);
}

int parent_along(Tree tree, const RootedGroup& group) {
  return group.is_root() ? -1 : group.rank(parent_in(tree, group.size(), group.relative_rank()));
}

TreePlace place_along(Tree tree, const RootedGroup& group) {
  TreePlace place{parent_along(tree, group), {}};
  add_children(place, tree, group);
  return place;
}

TreePlace multilevel_place(const Topology& topology, int rank, int root, const GroupTrees& trees) {
  TreePlace place;
  for_each_group_coordinated_by(topology, rank, root, [&](int group) {
    const RootedGroup exchange = participants_at(topology, group, rank, root);
    const Tree tree = trees.at(topology, group);
    place.parent = parent_along(tree, exchange);
    add_children(place, tree, exchange);
  });
  return place;
}

}  // namespace

PlaceOf places_along(Tree tree, int size, int root) {
  return [=](int rank) { return place_along(tree, RootedGroup(size, rank, root)); };
}

PlaceOf multilevel_places(const Topology& topology, int root, const GroupTrees& trees) {
  return [&topology, root, &trees](int rank) { return multilevel_place(topology, rank, root, trees); };
}

std::vector<Branch> branches_of(const PlaceOf& place_of, int rank) {
  std::vector<Branch> branches;
  for (const int child : place_of(rank).children) {
    branches.push_back({child, {}});
    add_subtree(place_of, child, branches.back().ranks);
  }
  return branches;
}

}  // namespace isthmus
