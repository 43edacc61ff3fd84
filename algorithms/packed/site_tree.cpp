#include "algorithms/packed/site_tree.hpp"

#include <algorithm>
#include <string>

#include "algorithms/errors.hpp"

namespace isthmus {

void check_tree(std::span<const int> parents, int sites) {
  std::string text;
  for (const int parent : parents) text.append(text.empty() ? "" : ".").append(std::to_string(parent));
  const auto refuse = [&](const std::string& wrong) { throw BadInput("packing: the tree " + text + " " + wrong); };
  if (static_cast<int>(parents.size()) != sites)
    refuse("has " + std::to_string(parents.size()) + " sites; " + std::to_string(sites) + " would be right");
  int roots = 0;
  for (int site = 0; site < sites; ++site) {
    if (parents[site] >= sites)
      refuse("names site " + std::to_string(parents[site]) + "; 0 to " + std::to_string(sites - 1) + " would be right");
    if (parents[site] == site) ++roots;
  }
  if (roots != 1) refuse("has " + std::to_string(roots) + " roots (sites that are their own parent); 1 would be right");
  for (int site = 0; site < sites; ++site) {
    int at = site;
    for (int steps = 0; parents[at] != at; ++steps) {
      if (steps == sites) refuse("has a circle at site " + std::to_string(site));
      at = parents[at];
    }
  }
}

SiteTree::SiteTree(std::span<const int> parents)
    : parents_(parents.begin(), parents.end()),
      depth_(parents.size()),
      height_(parents.size()),
      children_(parents.size()) {
  const int count = static_cast<int>(parents.size());
  for (int site = 0; site < count; ++site) {
    int depth = 0;
    for (int at = site; parents[at] != at; at = parents[at]) {
      ++depth;
      height_[parents[at]] = std::max(height_[parents[at]], depth);
    }
    depth_[site] = depth;
    if (parents[site] == site)
      root_ = site;
    else
      children_[parents[site]].push_back(site);
  }
  for (std::vector<int>& children : children_)
    std::stable_sort(children.begin(), children.end(), [&](int a, int b) { return height_[a] > height_[b]; });
}

MemberOrder member_order(const Sites& sites, const Packing& packing) {
  constexpr int few = 2;  // members, whose order makes no difference
  for (int site = 0; site < static_cast<int>(packing.drivers.size()); ++site)
    if (sites.size(site) > few && (packing.drivers[site] == 0 || packing.drivers[site] >= sites.size(site)))
      return MemberOrder::rotated;
  return MemberOrder::fixed;
}

int PieceTrees::head(int site, int origin, std::int64_t turn) const {
  const int size = sites_.size(site);
  if (site != tree_.root() || root_edges_ == RootEdges::drivers)
    return sites_.driver(site, turn, packing_.drivers.empty() ? 1 : packing_.drivers[site]);
  if (root_edges_ == RootEdges::origin || size == 1) return origin;
  const auto helper = static_cast<int>(1 + turn % (size - 1));
  return sites_.members(site)[(sites_.position(origin) + helper) % size];
}

PiecePlace::Neighbour PieceTrees::above(int origin, std::int64_t turn) const {
  const int site = tree_.parent(site_);
  const int entry = head(site, origin, turn);
  return {entry, site != tree_.root(), site, sites_.position(entry)};
}

void PieceTrees::place(int origin, std::int64_t turn, InsideSite inside, PiecePlace& place) const {
  place.parent = {};
  place.children.clear();
  place.far_above = site_ != tree_.root();
  place.far_below = false;
  const std::span<const int> members = sites_.members(site_);
  const int size = sites_.size(site_), position = sites_.position(rank_);
  const int drives = head(site_, origin, turn);
  const bool helped = site_ == tree_.root() && drives != origin;
  // A piece visits first the member that drives the site's edges, then the others (MemberOrder). A helped origin stands
  // aside.
  const int order_size = helped ? size - 1 : size;
  const int aside = helped ? sites_.position(origin) : size;
  const auto without_origin = [&](int at) { return at > aside ? at - 1 : at; };
  const int first = without_origin(sites_.position(drives));
  place.head = sites_.position(drives);
  const auto member = [&](int index) {
    int at = index == 0 ? first : index <= first ? index - 1 : index;
    if (order_ == MemberOrder::rotated) at = (first + index) % order_size;
    return members[at >= aside ? at + 1 : at];
  };
  if (helped && rank_ == origin) {
    place.far_below = !tree_.is_leaf(site_);
    place.children.push_back({drives, place.far_below, site_, place.head, !place.far_below && order_size == 1});
    return;
  }
  const bool stands_apart = is_apart(site_);
  const int fan_out = inside == InsideSite::straight ? std::max(1, order_size - 1)
                      : inside == InsideSite::binary ? 2
                                                     : 1;
  const int at = without_origin(position);
  int index = at == first ? 0 : at < first ? at + 1 : at;
  if (order_ == MemberOrder::rotated) index = (at - first + order_size) % order_size;
  if (index == 0) {
    for (const int child : tree_.children(site_)) {
      const int entry = head(child, origin, turn);
      const bool far = !tree_.is_leaf(child), apart = is_apart(child);
      const int position_there = sites_.position(entry);
      place.children.push_back({entry, far, child, position_there, !far && (apart || sites_.size(child) == 1)});
      for (const int other : apart ? sites_.members(child) : std::span<const int>{})
        if (other != entry) place.children.push_back({other, false, child, position_there, true});
    }
    place.far_below = !tree_.is_leaf(site_);
    if (helped)
      place.parent = {origin, false, site_, place.head};
    else if (site_ != tree_.root())
      place.parent = above(origin, turn);
    if (stands_apart) return;
  } else if (stands_apart) {
    place.parent = above(origin, turn);
    return;
  } else {
    place.parent = {member((index - 1) / fan_out), place.far_above, site_, place.head};
  }
  for (int child = fan_out * index + 1; child <= fan_out * index + fan_out && child < order_size; ++child)
    place.children.push_back({member(child), false, site_, place.head, fan_out * child + 1 >= order_size});
}

}  // namespace isthmus
