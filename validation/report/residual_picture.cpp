#include "validation/report/residual_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/measuring/residuals.hpp"
#include "algorithms/text/counted.hpp"
#include "validation/report/maps/network_drawing.hpp"
#include "validation/report/maps/network_picture.hpp"
#include "validation/text/units.hpp"

namespace isthmus {
namespace {

constexpr double matrix_margin = 14, matrix_gap = 34, matrix_letter_width = 6.9, title_height = 24,
                 matrix_legend_height = 86;
constexpr double max_panel = 420, min_cell = 2, max_cell = 30;
constexpr std::size_t max_named_hosts = 16;
constexpr double map_width = 620;

/// Residuals from this one on have the shade; the first shade is that of what the network explains.
struct Shade {
  double from;
  const char* label;
  double opacity;
};
constexpr std::array<Shade, 5> shades{{{0, "within 2 %", 0.4},
                                       {0.02, "2 to 5 %", 0.3},
                                       {0.05, "5 to 10 %", 0.55},
                                       {0.1, "10 to 20 %", 0.8},
                                       {0.2, "20 % or more", 1}}};

const Shade& shade_of(double residual) {
  return *std::find_if(shades.rbegin(), shades.rend(),
                       [&](const Shade& shade) { return std::abs(residual) >= shade.from; });
}

Element cell(double x, double y, double size, double residual) {
  const Shade& shade = shade_of(residual);
  const char* hue = &shade == shades.data() ? "--green" : residual > 0 ? "--red" : "--blue";
  return Element("rect")
      .set("x", x)
      .set("y", y)
      .set("width", size)
      .set("height", size)
      .set("style", fmt::format("fill: var({}); fill-opacity: {}", hue, shade.opacity));
}

struct MatrixCell {
  int from = 0, to = 0;
  double residual = 0;
  std::string note;
};

std::string zone_of(const Host& host) { return host.zones.empty() ? host.name.str() : host.zones.front().name; }

/// A round trip is one measurement of both directions.
std::vector<MatrixCell> latency_cells(const Discovered& discovered) {
  std::map<std::pair<int, int>, MatrixCell> cells;
  for (const MeasuredRoute& route : discovered.routes) {
    if (route.empty_s <= 0 || route.from == route.to) continue;
    const std::string note = fmt::format("{} ms measured, {} ms found", format_milliseconds(route.empty_s),
                                         format_milliseconds(route.found_empty_s));
    for (const auto& [from, to] : {std::pair(route.from, route.to), std::pair(route.to, route.from)})
      cells[{from, to}] = {from, to, residual(route.found_empty_s, route.empty_s), note};
  }
  std::vector<MatrixCell> all;
  for (const auto& [pair, one] : cells) all.push_back(one);
  return all;
}

std::vector<MatrixCell> rate_cells(const Discovered& discovered) {
  std::vector<MatrixCell> cells;
  for (const MeasuredRoute& route : discovered.routes) {
    if (route.rate_Bps <= 0 || route.from == route.to) continue;
    cells.push_back(
        {route.from, route.to, residual(route.found_rate_Bps, route.rate_Bps),
         fmt::format("{:.4g} MB/s measured, {:.4g} MB/s found", route.rate_Bps / 1e6, route.found_rate_Bps / 1e6)});
  }
  return cells;
}

/// Hosts in the order of their zones, and where each zone begins.
struct Order {
  std::vector<int> hosts, place_of;
  std::vector<std::size_t> begins;
  std::vector<std::string> zones;

  explicit Order(const Network& network) : hosts(network.hosts.size()), place_of(network.hosts.size()) {
    std::vector<std::string> seen;
    for (const Host& host : network.hosts)
      if (std::ranges::find(seen, zone_of(host)) == seen.end()) seen.push_back(zone_of(host));
    std::iota(hosts.begin(), hosts.end(), 0);
    std::ranges::stable_sort(hosts, {},
                             [&](int host) { return std::ranges::find(seen, zone_of(network.hosts[host])); });
    for (std::size_t i = 0; i < hosts.size(); ++i) {
      place_of[hosts[i]] = static_cast<int>(i);
      const std::string zone = zone_of(network.hosts[hosts[i]]);
      if (!zones.empty() && zones.back() == zone) continue;
      begins.push_back(i);
      zones.push_back(zone);
    }
  }
  std::size_t end_of(std::size_t zone) const { return zone + 1 < begins.size() ? begins[zone + 1] : hosts.size(); }
};

class MatrixPanel {
 public:
  MatrixPanel(const Network& network, const Order& order)
      : order_(order), count_(static_cast<double>(order.hosts.size())) {
    size_ = std::clamp(max_panel / count_, min_cell, max_cell);
    const bool all_named = order.hosts.size() <= max_named_hosts;
    for (std::size_t zone = 0; zone < order.zones.size(); ++zone) {
      const double begin = static_cast<double>(order.begins[zone]), end = static_cast<double>(order.end_of(zone));
      if (!all_named) names_.push_back({(begin + end) / 2, order.zones[zone]});
      for (std::size_t i = order.begins[zone]; all_named && i < order.end_of(zone); ++i)
        names_.push_back({static_cast<double>(i) + 0.5, network.hosts[order.hosts[i]].name});
    }
    for (const auto& [place, name] : names_)
      label_width_ = std::max(label_width_, matrix_letter_width * static_cast<double>(name.size()) + 10);
  }

  double width() const { return label_width_ + count_ * size_ + slant * label_width_ / 2; }
  double height() const { return title_height + slant * label_width_ + count_ * size_ + 22; }

  Element draw(const Network& network, const std::string& title, const std::vector<MatrixCell>& cells) const {
    Element group("g");
    const double left = label_width_, top = title_height + slant * label_width_, extent = count_ * size_;
    group.add(svg_text(0, 14, title, "start", "site-name"));
    for (const auto& [place, name] : names_) {
      group.add(svg_text(left - 6, top + place * size_ + 4, name, "end", "tick"));
      group.add(svg_text(0, 0, name, "start", "tick")
                    .set("transform",
                         fmt::format("translate({:.2f} {:.2f}) rotate(-45)", left + place * size_ + 3, top - 6)));
    }
    double worst = 0;
    for (const MatrixCell& one : cells) {
      worst = std::max(worst, std::abs(one.residual));
      group.add(
          cell(left + order_.place_of[one.to] * size_, top + order_.place_of[one.from] * size_, size_, one.residual)
              .add(text_element("title", fmt::format("{} to {}: {} ({:+.2g} %)", network.hosts[one.from].name,
                                                     network.hosts[one.to].name, one.note, 100 * one.residual))));
    }
    for (std::size_t zone = 1; zone < order_.zones.size(); ++zone) {
      const double begin = static_cast<double>(order_.begins[zone]) * size_;
      group.add(svg_line(left, top + begin, left + extent, top + begin, "grid"));
      group.add(svg_line(left + begin, top, left + begin, top + extent, "grid"));
    }
    const auto outline = [&](double begin, double end, double width) {
      group.add(Element("rect")
                    .set("class", "frame")
                    .set("fill", "none")
                    .set("style", fmt::format("stroke-width: {}px; stroke: var(--ink)", width))
                    .set("x", left + begin)
                    .set("y", top + begin)
                    .set("width", end - begin)
                    .set("height", end - begin));
    };
    outline(0, extent, 1);
    for (std::size_t zone = 0; zone < order_.zones.size(); ++zone)
      outline(static_cast<double>(order_.begins[zone]) * size_, static_cast<double>(order_.end_of(zone)) * size_, 1.8);
    constexpr double negligible = 1e-4;
    const std::string most = cells.empty()        ? "not measured"
                             : worst < negligible ? "off by less than 0.01 %"
                                                  : fmt::format("off by {} % at most", format_off(worst));
    group.add(svg_text(left, top + extent + 18, most, "start", "small"));
    return group;
  }

 private:
  static constexpr double slant = 0.75;
  struct Name {
    double place;
    std::string text;
  };
  const Order& order_;
  double count_, size_ = 0, label_width_ = 20;
  std::vector<Name> names_;
};

Element draw_legend() {
  constexpr double square = 14, line = 24, column = 108, labels_width = 226;
  Element group("g");
  const auto add = [&](double x, double y, double residual, std::string_view text) {
    group.add(cell(x, y, square, residual));
    group.add(svg_text(x + square + 6, y + 11, text, "start", "small"));
  };
  group.add(svg_text(0, 11, "network and measurement are alike", "start", "small"));
  add(labels_width, 0, 0, shades[0].label);
  group.add(svg_text(labels_width + column, 11, "pairs without a cell were not measured", "start", "small"));
  for (const int sign : {1, -1}) {
    const double y = sign > 0 ? line : 2 * line;
    group.add(svg_text(0, y + 11, sign > 0 ? "the network has more" : "the network has less", "start", "small"));
    for (std::size_t i = 1; i < shades.size(); ++i)
      add(labels_width + column * static_cast<double>(i - 1), y, sign * shades[i].from, shades[i].label);
  }
  return group;
}

}  // namespace

Element draw_discovery(const Discovered& discovered) {
  const Network& network = discovered.network;
  const Order order(network);
  const MatrixPanel panel(network, order);
  const NetworkDrawing drawing = network_drawing(network);
  const double matrices = 2 * panel.width() + matrix_gap, width = std::max({matrices, map_width, 660.0});
  const double scale = std::min(1.2, map_width / drawing.width), map_height = scale * drawing.height;
  const double panels_top = matrix_margin + map_height + 16, legend_top = panels_top + panel.height() + 14;
  Element svg("svg");
  svg.set("viewBox", fmt::format("0 0 {:.0f} {:.0f}", width + 2 * matrix_margin, legend_top + matrix_legend_height));
  svg.set("class", "network").set("role", "img");
  svg.set("style", fmt::format("max-width: {:.0f}px", width + 2 * matrix_margin));
  svg.set("aria-label", fmt::format("{}: {}, and how far the network is from what was measured between them",
                                    network.name, counted(network.hosts.size(), "host")));
  Element map = draw_network(network).svg;
  map.set("x", matrix_margin + (width - scale * drawing.width) / 2).set("y", matrix_margin);
  map.set("width", scale * drawing.width).set("height", map_height);
  svg.add(map);
  const auto place = [](const Element& group, double x, double y) {
    return Element("g").set("transform", fmt::format("translate({:.2f} {:.2f})", x, y)).add(group);
  };
  const double left = matrix_margin + (width - matrices) / 2;
  svg.add(place(panel.draw(network, "latency", latency_cells(discovered)), left, panels_top));
  svg.add(place(panel.draw(network, "rate, from row to column", rate_cells(discovered)),
                left + panel.width() + matrix_gap, panels_top));
  return svg.add(place(draw_legend(), matrix_margin, legend_top));
}

}  // namespace isthmus
