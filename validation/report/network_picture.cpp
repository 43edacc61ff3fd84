#include "validation/report/network_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "validation/report/site_map.hpp"
#include "validation/text/units.hpp"

namespace isthmus {
namespace {

constexpr double box_width = 116;
constexpr int hosts_in_a_row = 4, max_hosts = 16;
constexpr double host_distance = 20;

struct Site : MapSite {
  double x = 0, y = 0;  // of the box's middle

  int drawn() const { return std::min(static_cast<int>(hosts.size()), max_hosts); }
  int rows() const { return (drawn() + hosts_in_a_row - 1) / hosts_in_a_row; }
  double box_height() const { return 58 + host_distance * rows(); }
};

std::string lan_text(const Network& network, const Site& site) {
  if (site.hosts.size() < 2 || !network.has_route(site.hosts[0], site.hosts[1])) return "";
  const Route route = network.route(site.hosts[0], site.hosts[1]);
  if (route.links.empty()) return "";
  return fmt::format("{}, {}", format_seconds(route.latency_s), format_rate(route.bandwidth_Bps));
}

/// Sites on an ellipse, four of them in its corners.
std::pair<double, double> lay_out(std::vector<Site>& sites) {
  const double count = static_cast<double>(sites.size());
  double tallest = 0;
  for (const Site& site : sites) tallest = std::max(tallest, site.box_height());
  const double radius_x = sites.size() == 1 ? 0 : std::max(215.0, box_width * count / 4.6);
  const double radius_y = sites.size() <= 2 ? 0 : std::max(155.0, (tallest + 18) * count / 5.6);
  const double start = sites.size() == 2 ? std::numbers::pi : -std::numbers::pi / 2 - std::numbers::pi / count;
  double left = 0, right = 0, top = 0, bottom = 0;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const double angle = start + 2 * std::numbers::pi * static_cast<double>(i) / count;
    sites[i].x = radius_x * std::cos(angle);
    sites[i].y = radius_y * std::sin(angle);
    left = std::min(left, sites[i].x - box_width / 2);
    right = std::max(right, sites[i].x + box_width / 2);
    top = std::min(top, sites[i].y - sites[i].box_height() / 2);
    bottom = std::max(bottom, sites[i].y + sites[i].box_height() / 2);
  }
  const double margin = 14;
  for (Site& site : sites) {
    site.x += margin - left;
    site.y += margin - top;
  }
  return {right - left + 2 * margin, bottom - top + 2 * margin};
}

/// Where the line to (x, y) leaves the box of a site: its gateway.
std::pair<double, double> gateway(const Site& site, double x, double y) {
  const double dx = x - site.x, dy = y - site.y;
  const double share = std::min(dx == 0 ? INFINITY : box_width / 2 / std::abs(dx),
                                dy == 0 ? INFINITY : site.box_height() / 2 / std::abs(dy));
  return share == INFINITY ? std::pair(site.x, site.y) : std::pair(site.x + dx * share, site.y + dy * share);
}

/// The place of a crossing: the mean of the sites that meet there.
std::pair<double, double> middle_of(const MapCrossing& crossing, const std::vector<Site>& sites) {
  double x = 0, y = 0;
  for (const int site : crossing.sites) {
    x += sites[site].x;
    y += sites[site].y;
  }
  const auto count = static_cast<double>(crossing.sites.size());
  return {x / count, y / count};
}

Element draw_site(const Network& network, const Site& site, std::pair<double, double> port, bool has_port) {
  Element group("g");
  const double top = site.y - site.box_height() / 2;
  group.add(Element("rect")
                .set("class", "site")
                .set("x", site.x - box_width / 2)
                .set("y", top)
                .set("width", box_width)
                .set("height", site.box_height())
                .set("rx", 10.0));
  group.add(svg_text(site.x, top + 19, site.name, "middle", "site-name"));
  for (int i = 0; i < site.drawn(); ++i) {
    const int row = i / hosts_in_a_row;
    const int in_row = std::min(hosts_in_a_row, site.drawn() - row * hosts_in_a_row);
    const double x = site.x + (i % hosts_in_a_row - (in_row - 1) / 2.0) * host_distance;
    const Host& host = network.hosts[site.hosts[i]];
    Element dot("g");
    dot.set("class", "point").set("data-note", host.name + (host.gateway ? ", a gateway" : ""));
    dot.add(Element("circle")
                .set("class", host.gateway ? "host gateway" : "host")
                .set("cx", x)
                .set("cy", top + 38 + row * host_distance)
                .set("r", 6.0));
    group.add(dot);
  }
  const std::size_t count = site.hosts.size();
  const std::string lan = lan_text(network, site);
  group.add(svg_text(site.x, top + site.box_height() - 10,
                     lan.empty() ? fmt::format("{} host{}", count, count == 1 ? "" : "s") : lan, "middle", "small"));
  if (has_port)
    group.add(Element("rect")
                  .set("class", "gateway")
                  .set("x", port.first - 5)
                  .set("y", port.second - 5)
                  .set("width", 10.0)
                  .set("height", 10.0)
                  .set("rx", 2.0));
  return group;
}

/// Places the labels of lines so that none covers an earlier one.
class LineLabels {
 public:
  /// The middle of the text's base line: at the fraction `preferred` from a to b, or the nearest free place.
  std::pair<double, double> place(double ax, double ay, double bx, double by, double preferred,
                                  const std::string& text) {
    const double width = 6.4 * static_cast<double>(text.size());
    Label best;
    for (const double aside : {0.0, -0.08, 0.08, -0.16, 0.16, -0.22, 0.22}) {
      const double share = preferred + aside;
      const Label label{ax + share * (bx - ax), ay + share * (by - ay) - 5, width};
      const bool is_free = std::none_of(placed_.begin(), placed_.end(), [&](const Label& other) {
        return std::abs(label.x - other.x) < (label.width + other.width) / 2 && std::abs(label.y - other.y) < height;
      });
      if (aside == 0 || is_free) best = label;
      if (is_free) break;
    }
    placed_.push_back(best);
    return {best.x, best.y};
  }

 private:
  struct Label {
    double x = 0, y = 0, width = 0;
  };
  static constexpr double height = 13;
  std::vector<Label> placed_;
};

}  // namespace

NetworkPicture draw_network(const Network& network) {
  const SiteMap map = site_map(network);
  std::vector<Site> sites;
  for (const MapSite& site : map.sites) sites.push_back({site});
  const auto [width, height] = lay_out(sites);
  const double middle_x = width / 2, middle_y = height / 2;
  std::set<std::string> figures;
  for (const SiteLine& line : map.lines) figures.insert(line.text);
  for (const MapCrossing& crossing : map.crossings)
    if (!crossing.text.empty()) figures.insert(crossing.text);
  const auto place_of = [&](int number) {
    const int count = static_cast<int>(sites.size());
    return number < count ? gateway(sites[number], middle_x, middle_y)
                          : middle_of(map.crossings[number - count], sites);
  };

  NetworkPicture picture;
  picture.svg.set("style", fmt::format("max-width: {:.0f}px", std::min(620.0, 1.2 * width)));
  picture.svg.set("viewBox", fmt::format("0 0 {:.0f} {:.0f}", width, height))
      .set("class", "network")
      .set("role", "img");
  picture.svg.set("aria-label", fmt::format("{}: {} sites, {} hosts, {} links between sites", network.name,
                                            sites.size(), network.hosts.size(), map.lines.size()));
  const bool label_each = map.lines.size() <= 6 || (figures.size() > 1 && map.lines.size() <= 15);
  Element texts("g");
  LineLabels labels;
  std::set<std::size_t> linked;
  int crossing = 0;
  for (const SiteLine& line : map.lines) {
    const auto [ax, ay] = place_of(line.from);
    const auto [bx, by] = place_of(line.to);
    const bool between_sites = line.to < static_cast<int>(sites.size());
    linked.insert(static_cast<std::size_t>(line.from));
    if (between_sites) linked.insert(static_cast<std::size_t>(line.to));
    const std::string to = between_sites ? " - " + sites[line.to].name : std::string();
    Element wire("g");
    if (line.has_figures) wire.set("class", "point").set("data-note", sites[line.from].name + to + ": " + line.text);
    picture.svg.add(wire.add(svg_line(ax, ay, bx, by, "wan")));
    // Lines that cross in the middle have their labels alternately above and below it.
    const bool crosses = std::hypot((ax + bx) / 2 - middle_x, (ay + by) / 2 - middle_y) < 25 && sites.size() > 2;
    const double share = !crosses ? 0.5 : ++crossing % 2 == 1 ? 0.28 : 0.72;
    if (label_each && line.has_figures) {
      const auto [x, y] = labels.place(ax, ay, bx, by, share, line.text);
      texts.add(svg_text(x, y, line.text, "middle", "small halo"));
    }
  }
  for (const MapCrossing& at : map.crossings) {
    const auto [x, y] = middle_of(at, sites);
    picture.svg.add(Element("circle").set("class", "gateway").set("cx", x).set("cy", y).set("r", 6.0));
    if (label_each && !at.text.empty()) texts.add(svg_text(x, y - 11, at.text, "middle", "small halo"));
  }
  for (std::size_t i = 0; i < sites.size(); ++i)
    picture.svg.add(draw_site(network, sites[i], gateway(sites[i], middle_x, middle_y), linked.contains(i)));
  picture.svg.add(texts);

  picture.caption =
      fmt::format("{} site{}, {} hosts.", sites.size(), sites.size() == 1 ? "" : "s", network.hosts.size());
  if (!label_each && figures.size() == 1)
    picture.caption += fmt::format(" Each of the {} links between sites: {}.", map.lines.size(), *figures.begin());
  if (!label_each && figures.size() > 1)
    picture.caption += fmt::format(" {} links between sites, of {} kinds; point at one for its figures.",
                                   map.lines.size(), figures.size());
  if (!map.lines.empty()) picture.caption += " Small squares: where the links between sites enter.";
  if (!map.crossings.empty()) picture.caption += " Round dots: where links meet outside the sites.";
  if (std::any_of(sites.begin(), sites.end(), [&](const Site& site) { return !lan_text(network, site).empty(); }))
    picture.caption += " In each site: latency and bandwidth between two of its hosts.";
  for (const Site& site : sites)
    if (site.drawn() < static_cast<int>(site.hosts.size()))
      picture.caption += fmt::format(" {} has {} hosts, {} of them drawn.", site.name, site.hosts.size(), site.drawn());
  return picture;
}

}  // namespace isthmus
