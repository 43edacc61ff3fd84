#include "validation/report/tree_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>
#include <vector>

#include "algorithms/text/counted.hpp"
#include "validation/text/units.hpp"

namespace isthmus {
namespace {

constexpr double distance = 30, level_height = 62, tree_margin = 26, node_radius = 10.5;

struct NodePlace {
  double x = 0, y = 0;
};

struct Layout {
  std::vector<NodePlace> places;
  double width = 0, height = 0;
};

/// What two ranks send each other, in both directions.
using Edges = std::map<std::pair<int, int>, Traffic>;

Edges edges_of(const Census& census, int shown) {
  Edges edges;
  for (const PairCensus& pair : census.pairs)
    if (pair.source < shown && pair.destination < shown)
      edges[std::minmax(pair.source, pair.destination)] += pair.traffic;
  return edges;
}

/// The children of each rank, with the tree rooted at the root; empty if the edges form no tree over all ranks.
std::vector<std::vector<int>> tree_of(const Edges& edges, int size, int root) {
  if (static_cast<int>(edges.size()) != size - 1) return {};
  std::vector<std::vector<int>> neighbours(size), children(size);
  for (const auto& [pair, traffic] : edges) {
    neighbours[pair.first].push_back(pair.second);
    neighbours[pair.second].push_back(pair.first);
  }
  std::vector<bool> seen(size);
  std::vector<int> reached = {root};
  seen[root] = true;
  for (std::size_t at = 0; at < reached.size(); ++at)
    for (const int next : neighbours[reached[at]])
      if (!seen[next]) {
        seen[next] = true;
        children[reached[at]].push_back(next);
        reached.push_back(next);
      }
  return static_cast<int>(reached.size()) == size ? children : std::vector<std::vector<int>>{};
}

/// Leaves side by side; every other rank above the middle of its children.
Layout lay_out_tree(const std::vector<std::vector<int>>& children, int root) {
  Layout layout{std::vector<NodePlace>(children.size())};
  double next_x = tree_margin, deepest = tree_margin;
  std::vector<std::pair<int, std::size_t>> path = {{root, 0}};
  layout.places[root].y = tree_margin;
  while (!path.empty()) {
    auto& [rank, at] = path.back();
    NodePlace& place = layout.places[rank];
    if (at < children[rank].size()) {
      const int child = children[rank][at++];
      layout.places[child].y = place.y + level_height;
      deepest = std::max(deepest, place.y + level_height);
      path.emplace_back(child, 0);
      continue;
    }
    if (children[rank].empty()) {
      place.x = next_x;
      next_x += distance;
    } else {
      place.x = (layout.places[children[rank].front()].x + layout.places[children[rank].back()].x) / 2;
    }
    path.pop_back();
  }
  layout.width = std::max(next_x - distance + tree_margin, 2 * tree_margin);
  layout.height = deepest + tree_margin;
  return layout;
}

Layout lay_out_circle(const std::vector<int>& order) {
  Layout layout{std::vector<NodePlace>(order.size())};
  const auto count = static_cast<double>(order.size());
  const double around = std::max(90.0, count * distance / (2 * std::numbers::pi));
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / count - std::numbers::pi / 2;
    layout.places[order[i]] = {tree_margin + around * (1 + std::cos(angle)),
                               tree_margin + around * (1 + std::sin(angle))};
  }
  layout.width = layout.height = 2 * (tree_margin + around);
  return layout;
}

}  // namespace

Element draw_tree(const Census& census, const Topology& topology, int root, int max_ranks) {
  const int size = static_cast<int>(census.ranks.size());
  const int shown = std::min(size, max_ranks);
  const auto site = [&](int rank) { return topology.group_at(rank, 1); };
  const Edges edges = edges_of(census, shown);
  const auto children = shown == size ? tree_of(edges, size, root) : std::vector<std::vector<int>>{};

  std::vector<int> order(shown), sites;
  for (int rank = 0; rank < shown; ++rank) {
    order[rank] = rank;
    if (std::find(sites.begin(), sites.end(), site(rank)) == sites.end()) sites.push_back(site(rank));
  }
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return site(a) < site(b); });
  const Layout layout = children.empty() ? lay_out_circle(order) : lay_out_tree(children, root);

  Element svg("svg");
  svg.set("viewBox", fmt::format("0 0 {:.0f} {:.0f}", layout.width, layout.height)).set("class", "tree");
  svg.set("style", fmt::format("max-width: {:.0f}px", 1.7 * layout.width));
  svg.set("role", "img").set("tabindex", "0");
  svg.set("aria-label", fmt::format("{}, {} among {}", counted(census.total.messages, "message"),
                                    format_bytes(census.total.bytes), counted(size, "rank")));
  Element lines("g");
  lines.set("class", "bar");
  for (const auto& [pair, traffic] : edges) {
    const auto [a, b] = pair;
    const NodePlace &from = layout.places[a], &to = layout.places[b];
    Element line("g");
    line.set("class", "point")
        .set("data-note", fmt::format("ranks {} and {}: {}, {}", a, b, counted(traffic.messages, "message"),
                                      format_bytes(traffic.bytes)));
    lines.add(line.add(svg_line(
        from.x, from.y, to.x, to.y,
        fmt::format("edge {}{}", site(a) != site(b) ? "wide-area" : "local", children.empty() ? " one-of-many" : ""))));
  }
  svg.add(lines);
  for (const int rank : order) {
    const NodePlace& place = layout.places[rank];
    const auto hue = std::find(sites.begin(), sites.end(), site(rank)) - sites.begin();
    Element node("g");
    node.set("class", "point").set("data-note", fmt::format("rank {}, {}", rank, topology.group(site(rank)).name));
    node.add(Element("circle")
                 .set("class", "rank " + hue_class(hue))
                 .set("cx", place.x)
                 .set("cy", place.y)
                 .set("r", rank == root ? node_radius + 2.5 : node_radius));
    svg.add(node.add(svg_text(place.x, place.y + 4, std::to_string(rank), "middle", "rank-number")));
  }
  return svg;
}

}  // namespace isthmus
