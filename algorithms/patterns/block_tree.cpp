#include "algorithms/patterns/block_tree.hpp"

#include <algorithm>

#include "algorithms/topology/exchange.hpp"

namespace isthmus {
namespace {

/// Adds the children of this rank in a tree over `group`, the nearest first.
void add_children(TreePlace& place, Tree tree, const RootedGroup& group) {
  std::vector<int> members = place_in(tree, group.size(), group.relative_rank()).children;
  std::sort(members.begin(), members.end());
  for (const int member : members) place.children.push_back(group.rank(member));
}

void add_subtree(const PlaceOf& place_of, int rank, std::vector<int>& ranks) {
  ranks.push_back(rank);
  for (const int child : place_of(rank).children) add_subtree(place_of, child, ranks);
}

TreePlace place_along(Tree tree, const RootedGroup& group) {
  TreePlace place;
  if (!group.is_root()) place.parent = group.rank(parent_in(tree, group.size(), group.relative_rank()));
  add_children(place, tree, group);
  return place;
}

TreePlace multilevel_place(const Topology& topology, int rank, int root, const GroupTrees& trees) {
  TreePlace place;
  const std::vector<int> groups = groups_coordinated_by(topology, rank, root);
  for (auto group = groups.rbegin(); group != groups.rend(); ++group) {
    const TreePlace here = place_along(trees.at(topology, *group), participants_at(topology, *group, rank, root));
    place.children.insert(place.children.end(), here.children.begin(), here.children.end());
    place.parent = here.parent;
  }
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
