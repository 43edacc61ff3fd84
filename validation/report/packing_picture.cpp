#include "validation/report/packing_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <utility>
#include <vector>

#include "algorithms/text/counted.hpp"
#include "validation/text/bound_text.hpp"
#include "validation/text/units.hpp"

namespace isthmus {
namespace {

constexpr double circle_radius = 150, dot = 12, panel_letter_width = 6.8, circle_margin = 16,
                 packing_legend_height = 46, panel_gap = 20;
constexpr double thinnest_arrow = 1.4, thickest_arrow = 8;
constexpr std::size_t numbered_sites = 12;  // in small maps: dots of more sites have no numbers
constexpr std::size_t max_panels = 20, max_labels = 24;
constexpr int load_classes = 5;

struct Place {
  double x = 0, y = 0;
};

/// Sites on a circle, the first at the top.
std::vector<Place> on_circle(std::size_t sites, Place middle, double r) {
  std::vector<Place> places;
  for (std::size_t i = 0; i < sites; ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(sites);
    places.push_back({middle.x + r * std::sin(angle), middle.y - r * std::cos(angle)});
  }
  return places;
}

/// A point between two, `aside` to the right of the way from one to the other.
Place along(Place from, Place to, double share, double aside) {
  const double length = std::max(std::hypot(to.x - from.x, to.y - from.y), 1e-9);
  const double ux = (to.x - from.x) / length, uy = (to.y - from.y) / length;
  return {from.x + share * (to.x - from.x) - aside * uy, from.y + share * (to.y - from.y) + aside * ux};
}

/// An arrow between the dots of two sites.
Element arrow(Place from, Place to, double dot_radius, double aside, double width, std::string_view css_class) {
  const double length = std::max(std::hypot(to.x - from.x, to.y - from.y), 1e-9);
  const double head = 4 + 1.3 * width, half = 1.8 + 0.9 * width;
  const Place start = along(from, to, (dot_radius + 1) / length, aside);
  const Place end = along(from, to, 1 - (dot_radius + 1) / length, aside);
  const Place neck = along(from, to, 1 - (dot_radius + 1 + head) / length, aside);
  const Place left = along(from, to, 1 - (dot_radius + 1 + head) / length, aside - half);
  const Place right = along(from, to, 1 - (dot_radius + 1 + head) / length, aside + half);
  Element group("g");
  group.set("class", css_class);
  group.add(svg_line(start.x, start.y, neck.x, neck.y, "stroke").set("stroke-width", width));
  return group.add(Element("polygon").set("points", fmt::format("{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}", end.x,
                                                                end.y, left.x, left.y, right.x, right.y)));
}

void add_dots(Element& svg, const std::vector<Place>& places, double r, const std::set<int>& ends, bool small) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    const bool is_end = ends.contains(static_cast<int>(i));
    svg.add(Element("circle")
                .set("class", is_end ? "site-dot end" : "site-dot")
                .set("cx", places[i].x)
                .set("cy", places[i].y)
                .set("r", r));
    svg.add(svg_text(places[i].x, places[i].y + (small ? 2.8 : 4), std::to_string(i), "middle",
                     fmt::format("dot-number{}{}", is_end ? " end" : "", small ? " little" : "")));
  }
}

/// The large map.
class LoadMap {
 public:
  LoadMap(const PackingMap& map, const LowerBound& bound, const Network& network, double seconds)
      : map_(map), network_(network), seconds_(seconds) {
    for (const BindingLink& of : bound.links) binding_.insert(of.links.begin(), of.links.end());
    std::size_t letters = 0;
    for (const std::string& name : map.sites) letters = std::max(letters, name.size());
    side_ = circle_margin + dot + std::min(180.0, 10 + panel_letter_width * static_cast<double>(letters));
    radius_ = std::max(circle_radius, 13.0 * static_cast<double>(map.sites.size()));
  }

  double width() const { return 2 * (radius_ + side_); }
  double height() const { return 2 * (radius_ + dot + circle_margin + 14); }

  Element draw() {
    Element all("g"), labels("g");
    const Place middle{width() / 2, height() / 2};
    const std::vector<Place> places = on_circle(map_.sites.size(), middle, radius_);
    double most = 1;
    for (const MappedRoute& route : map_.routes) most = std::max(most, route.bytes);
    Element routes("g");
    routes.set("class", "bar");
    for (const MappedRoute& route : map_.routes) add_route(route, places, most, routes, labels);
    all.add(routes);
    add_dots(all, places, dot, {}, false);
    for (std::size_t i = 0; i < places.size(); ++i) all.add(name_of(i, places[i], middle));
    return all.add(labels);
  }

 private:
  void add_route(const MappedRoute& route, const std::vector<Place>& places, double most, Element& all,
                 Element& labels) {
    int busiest = -1;
    double busy_s = 0;
    for (const int link : route.links) {
      if (const double of_link = map_.busy_s(link); of_link > busy_s) {
        busy_s = of_link;
        busiest = link;
      }
    }
    const double part = seconds_ > 0 ? busy_s / seconds_ : 0;
    const bool binds = std::ranges::any_of(route.links, [&](int link) { return binding_.contains(link); });
    const double width = thinnest_arrow + (thickest_arrow - thinnest_arrow) * route.bytes / most;
    const double aside = 2 + width / 2;
    const Place from = places[route.from], to = places[route.to];
    Element point =
        arrow(from, to, dot, aside, width,
              fmt::format("point flow load{}{}", std::clamp(static_cast<int>(part * load_classes), 0, load_classes - 1),
                          binds ? " binding" : ""));
    std::string note =
        fmt::format("{} to {}: {}", map_.sites[route.from], map_.sites[route.to], format_amount(route.bytes));
    if (busiest >= 0)
      note += fmt::format("; {}, {}, is busy {:.0f} % of the time", network_.links[busiest].name,
                          format_rate(network_.links[busiest].bandwidth_Bps), 100 * part);
    point.set("data-note", note + (binds ? "; a link on the way binds" : ""));
    all.add(point);
    if (map_.routes.size() > max_labels || busiest < 0) return;
    const Place at = free_place(from, to, aside + width / 2 + 8);
    labels.add(svg_text(at.x, at.y + 3.5, fmt::format("{:.0f} %", 100 * part), "middle", "share halo"));
  }

  /// For the middle of a label beside a line, away from the labels before it where there is room.
  Place free_place(Place from, Place to, double aside) {
    constexpr double label_width = 32, label_height = 13;
    Place best = along(from, to, 0.34, aside);
    for (const double share : {0.34, 0.24, 0.42, 0.18, 0.58, 0.66, 0.5}) {
      const Place place = along(from, to, share, aside);
      const bool is_free = std::ranges::none_of(labels_, [&](Place other) {
        return std::abs(place.x - other.x) < label_width && std::abs(place.y - other.y) < label_height;
      });
      if (!is_free) continue;
      best = place;
      break;
    }
    labels_.push_back(best);
    return best;
  }

  Element name_of(std::size_t site, Place place, Place middle) const {
    const double dx = place.x - middle.x, dy = place.y - middle.y;
    const bool aside = std::abs(dx) > 0.25 * radius_;
    if (!aside) return svg_text(place.x, place.y + (dy < 0 ? -dot - 6 : dot + 16), map_.sites[site], "middle", "halo");
    return svg_text(place.x + (dx < 0 ? -dot - 5 : dot + 5), place.y + 4 + 8 * dy / radius_, map_.sites[site],
                    dx < 0 ? "end" : "start", "halo");
  }

  const PackingMap& map_;
  const Network& network_;
  double seconds_, side_ = 0, radius_ = 0;
  std::set<int> binding_;
  std::vector<Place> labels_;
};

/// A small map: the edges of a tree, or of all paths with one end in common.
struct Panel {
  struct Edge {
    int from = 0, to = 0;
    double share = 0;
    bool inwards = false;
  };
  std::string title;
  double share = 0;
  std::set<int> ends;
  std::vector<Edge> edges;
};

void add_tree(const std::vector<int>& parents, double share, bool inwards, Panel& panel) {
  for (int site = 0; site < static_cast<int>(parents.size()); ++site) {
    if (parents[site] == site)
      panel.ends.insert(site);
    else if (inwards)
      panel.edges.push_back({site, parents[site], share, true});
    else
      panel.edges.push_back({parents[site], site, share, false});
  }
}

std::vector<Panel> tree_panels(const PackingMap& map) {
  std::vector<Panel> panels;
  for (const MappedWay& of : map.ways) {
    Panel& panel = panels.emplace_back();
    panel.share = of.share;
    panel.title = fmt::format("{:.1f} %", 100 * of.share);
    add_tree(of.way.sites, 1, map.kind != WayKind::trees_out, panel);
    if (!of.way.back.empty()) add_tree(of.way.back, 1, false, panel);
  }
  return panels;
}

std::vector<Panel> path_panels(const PackingMap& map) {
  const bool one_source =
      std::ranges::all_of(map.ways, [&](const MappedWay& of) { return of.from == map.ways.front().from; });
  const bool one_target =
      std::ranges::all_of(map.ways, [&](const MappedWay& of) { return of.to == map.ways.front().to; });
  std::map<int, Panel> by_end;
  for (const MappedWay& of : map.ways) {
    const int end = one_source && !one_target ? of.to : of.from;
    Panel& panel = by_end[end];
    panel.title = fmt::format("{} {}", end == of.to ? "to" : "from", map.sites[end]);
    panel.ends = {end};
    ++panel.share;  // panels of many paths first
    for (std::size_t i = 1; i < of.way.sites.size(); ++i) {
      const int from = of.way.sites[i - 1], to = of.way.sites[i];
      const auto known = std::ranges::find_if(
          panel.edges, [&](const Panel::Edge& edge) { return edge.from == from && edge.to == to; });
      if (known != panel.edges.end())
        known->share += of.share;
      else
        panel.edges.push_back({from, to, of.share, false});
    }
  }
  std::vector<Panel> panels;
  for (auto& [end, panel] : by_end) {
    double most = 0;
    for (const Panel::Edge& edge : panel.edges) most = std::max(most, edge.share);
    for (Panel::Edge& edge : panel.edges) edge.share /= most;
    panels.push_back(std::move(panel));
  }
  return panels;
}

/// Those of the greatest shares, in their order. Returns how many are left out.
std::size_t keep_greatest(std::vector<Panel>& panels) {
  if (panels.size() <= max_panels) return 0;
  std::vector<double> shares;
  for (const Panel& panel : panels) shares.push_back(panel.share);
  std::ranges::nth_element(shares, shares.begin() + max_panels - 1, std::greater{});
  const std::size_t omitted = panels.size() - max_panels;
  std::erase_if(panels, [&, least = shares[max_panels - 1]](const Panel& panel) { return panel.share < least; });
  if (panels.size() > max_panels) panels.erase(panels.begin() + max_panels, panels.end());
  return omitted;
}

double panel_size(std::size_t sites) { return sites <= 6 ? 128 : sites <= numbered_sites ? 152 : 172; }

Element draw_panel(const Panel& panel, std::size_t sites, Place corner, double size, std::size_t hue) {
  Element group("g");
  group.set("class", hue_class(hue));
  const double r = size / 2 - 24, small_dot = sites <= numbered_sites ? 7 : 4;
  const std::vector<Place> places = on_circle(sites, {corner.x + size / 2, corner.y + size / 2 + 9}, r);
  group.add(svg_text(corner.x + size / 2, corner.y + 10, panel.title, "middle", "panel-title"));
  for (const Panel::Edge& edge : panel.edges)
    group.add(arrow(places[edge.from], places[edge.to], small_dot, 1.6, 0.8 + 1.6 * edge.share,
                    edge.inwards ? "flow inwards" : "flow"));
  if (sites <= numbered_sites) {
    add_dots(group, places, small_dot, panel.ends, true);
  } else {
    for (std::size_t i = 0; i < sites; ++i)
      group.add(Element("circle")
                    .set("class", panel.ends.contains(static_cast<int>(i)) ? "site-dot end" : "site-dot")
                    .set("cx", places[i].x)
                    .set("cy", places[i].y)
                    .set("r", small_dot));
  }
  return group;
}

/// The scale of colours, and the sign of what binds.
Element draw_legend(double x, double y) {
  Element legend("g");
  constexpr double step = 34;
  legend.add(svg_text(x, y, "busy, % of the time", "start", "small"));
  for (int i = 0; i < load_classes; ++i) {
    const double left = x + step * i;
    legend.add(Element("rect")
                   .set("class", fmt::format("load-box load{}", i))
                   .set("x", left)
                   .set("y", y + 6)
                   .set("width", step)
                   .set("height", 9.0));
    legend.add(svg_text(left, y + 27, std::to_string(100 * i / load_classes), "middle", "tick"));
  }
  legend.add(svg_text(x + step * load_classes, y + 27, "100", "middle", "tick"));
  const double sample = x + step * load_classes + 34;
  legend.add(Element("g")
                 .set("class", "flow binding load4")
                 .add(svg_line(sample, y + 10.5, sample + 44, y + 10.5, "stroke").set("stroke-width", 4.0)));
  return legend.add(svg_text(sample + 52, y + 14, "a link of the lower bound", "start", "small"));
}

std::string kind_in_words(WayKind kind, std::size_t ways) {
  const bool one = ways == 1;
  return fmt::format("{} {}{}", ways, kind == WayKind::paths ? "path" : "tree", one ? "" : "s");
}

std::string caption_of(const PackingMap& map, const LowerBound& bound, const Network& network, std::size_t omitted) {
  std::string text = fmt::format(
      "Left: what sites send each other. Width: bytes; colour{}: how much of the time the busiest link on "
      "the way is busy; dashed: a link of the lower bound is on the way. ",
      map.routes.size() <= max_labels ? " and figure" : "");
  switch (map.kind) {
    case WayKind::trees_out:
      text += "Right: each tree, its root filled, with its share of the data of that site.";
      break;
    case WayKind::trees_in:
      text += "Right: each tree, its root filled, with its share of the results for that site.";
      break;
    case WayKind::trees_both:
      text += "Right: each tree in (dashed) and out (solid), its root filled, with its share of the data.";
      break;
    case WayKind::paths:
      text += "Right: the paths with one end, filled, in common; width: share.";
      break;
  }
  if (omitted > 0) text += fmt::format(" {} more are not drawn.", omitted);
  text.append(" ").append(bound_sentence(bound, network));
  constexpr std::size_t max_names = 8;
  for (std::size_t i = 0; i < bound.links.size() && i < max_names; ++i)
    text.append(i == 0 ? ": " : ", ").append(links_in_words(network, bound.links[i].links));
  if (bound.links.size() > max_names) text += fmt::format(" and {} more", bound.links.size() - max_names);
  text.push_back('.');
  return text;
}

}  // namespace

PackingPicture draw_packing(const PackingMap& map, const LowerBound& bound, const Network& network, double seconds) {
  LoadMap loads(map, bound, network, seconds);
  std::vector<Panel> panels = map.kind == WayKind::paths ? path_panels(map) : tree_panels(map);
  const std::size_t omitted = keep_greatest(panels);
  const std::size_t rows = std::max<std::size_t>(panels.size() <= 4 ? 2 : 3, (panels.size() + 3) / 4);
  const std::size_t columns = (panels.size() + rows - 1) / rows;
  const double size = panel_size(map.sites.size());
  const double width = loads.width() + panel_gap + size * static_cast<double>(columns);
  const double height = std::max(loads.height() + packing_legend_height, size * static_cast<double>(rows));

  PackingPicture picture;
  picture.svg.set("viewBox", fmt::format("0 0 {:.0f} {:.0f}", width, height)).set("class", "packing");
  picture.svg.set("style", fmt::format("max-width: {:.0f}px", width)).set("role", "img").set("tabindex", "0");
  std::string label = kind_in_words(map.kind, map.ways.size()) + " over " + counted(map.sites.size(), "site");
  for (std::size_t i = 0; i < panels.size(); ++i) label += (i == 0 ? ": " : ", ") + panels[i].title;
  picture.svg.set("aria-label", label);
  picture.svg.add(loads.draw()).add(draw_legend(circle_margin + 8, loads.height() + 8));
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const Place corner{loads.width() + panel_gap + size * static_cast<double>(i % columns),
                       size * static_cast<double>(i / columns)};
    picture.svg.add(draw_panel(panels[i], map.sites.size(), corner, size, i));
  }
  picture.caption = caption_of(map, bound, network, omitted);
  return picture;
}

}  // namespace isthmus
