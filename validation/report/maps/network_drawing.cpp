#include "validation/report/maps/network_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <utility>

#include "algorithms/text/counted.hpp"
#include "validation/report/maps/label_places.hpp"
#include "validation/report/maps/site_map.hpp"
#include "validation/text/units.hpp"

namespace isthmus {
namespace {

constexpr double drawing_margin = 14, host_distance = 20, min_box_width = 116;
constexpr int hosts_in_a_row = 4, max_hosts = 16;
constexpr double thinnest_wire = 1.2, thickest_wire = 3.6;
constexpr std::size_t max_equal_labels = 6;

std::string lan_text(const Network& network, const MapSite& site) {
  if (site.hosts.size() < 2 || !network.has_route(site.hosts[0], site.hosts[1])) return "";
  const Route route = network.route(site.hosts[0], site.hosts[1]);
  if (route.links.empty()) return "";
  return fmt::format("{}, {}", format_seconds(route.latency_s), format_rate(route.bandwidth_Bps));
}

DrawnSite site_box(const Network& network, const MapSite& site) {
  const int drawn = std::min(static_cast<int>(site.hosts.size()), max_hosts);
  const int rows = (drawn + hosts_in_a_row - 1) / hosts_in_a_row;
  DrawnSite box{.name = site.name, .note = lan_text(network, site)};
  if (box.note.empty()) box.note = counted(site.hosts.size(), "host");
  const double widest =
      std::max(7.4 * static_cast<double>(box.name.size()), 6.4 * static_cast<double>(box.note.size()));
  box.width = std::max(min_box_width, widest + 16);
  box.height = 58 + host_distance * rows;
  for (int i = 0; i < drawn; ++i) {  // around the middle of the box, which is placed later
    const int row = i / hosts_in_a_row, in_row = std::min(hosts_in_a_row, drawn - row * hosts_in_a_row);
    const Host& host = network.hosts[site.hosts[i]];
    box.hosts.push_back({(i % hosts_in_a_row - (in_row - 1) / 2.0) * host_distance,
                         38 + row * host_distance - box.height / 2, host.name, host.gateway});
  }
  return box;
}

/// Sites on an ellipse that is large enough for their boxes and for a label between neighbours; four of them in its
/// corners.
void lay_out(NetworkDrawing& drawing) {
  std::vector<DrawnSite>& sites = drawing.sites;
  const auto count = static_cast<double>(sites.size());
  double tallest = 0, widest = 0;
  for (const DrawnSite& site : sites) {
    tallest = std::max(tallest, site.height);
    widest = std::max(widest, site.width);
  }
  const double radius_x = sites.size() == 1 ? 0 : std::max(widest / 2 + 157, (widest + 34) * count / 4.6);
  const double radius_y = sites.size() <= 2 ? 0 : std::max(155.0, (tallest + 34) * count / 5.6);
  const double start = sites.size() == 2 ? std::numbers::pi : -std::numbers::pi / 2 - std::numbers::pi / count;
  double left = 0, right = 0, top = 0, bottom = 0;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const double angle = start + 2 * std::numbers::pi * static_cast<double>(i) / count;
    sites[i].x = radius_x * std::cos(angle);
    sites[i].y = radius_y * std::sin(angle);
    left = std::min(left, sites[i].x - sites[i].width / 2);
    right = std::max(right, sites[i].x + sites[i].width / 2);
    top = std::min(top, sites[i].y - sites[i].height / 2);
    bottom = std::max(bottom, sites[i].y + sites[i].height / 2);
  }
  for (DrawnSite& site : sites) {
    site.x += drawing_margin - left;
    site.y += drawing_margin - top;
    for (DrawnHost& host : site.hosts) {
      host.x += site.x;
      host.y += site.y;
    }
  }
  drawing.width = right - left + 2 * drawing_margin;
  drawing.height = bottom - top + 2 * drawing_margin;
}

/// The place of a crossing: the mean of the sites that meet there.
DrawnPlace middle_of(const MapCrossing& crossing, const std::vector<DrawnSite>& sites) {
  DrawnPlace place;
  for (const int site : crossing.sites) {
    place.x += sites[site].x / static_cast<double>(crossing.sites.size());
    place.y += sites[site].y / static_cast<double>(crossing.sites.size());
  }
  return place;
}

/// All links of a site enter it at one place: where the line to the middle of the picture leaves the box.
void add_ports(NetworkDrawing& drawing, const std::set<int>& linked) {
  for (std::size_t i = 0; i < drawing.sites.size(); ++i) {
    DrawnSite& site = drawing.sites[i];
    const double dx = drawing.width / 2 - site.x, dy = drawing.height / 2 - site.y;
    const double share = std::min(dx == 0 ? INFINITY : site.width / 2 / std::abs(dx),
                                  dy == 0 ? INFINITY : site.height / 2 / std::abs(dy));
    site.has_port = linked.contains(static_cast<int>(i));
    site.port_x = share == INFINITY ? site.x : site.x + dx * share;
    site.port_y = share == INFINITY ? site.y : site.y + dy * share;
  }
}

/// Both directions of a line where they differ are a line of text each.
std::vector<std::string> lines_of(const std::string& text) {
  const std::size_t at = text.find("; back: ");
  if (at == std::string::npos) return {text};
  return {text.substr(0, at), text.substr(at + 2)};
}

void add_wires(NetworkDrawing& drawing, const SiteMap& map) {
  const int count = static_cast<int>(drawing.sites.size());
  double fastest = 0;
  for (const SiteLine& line : map.lines) fastest = std::max(fastest, line.has_figures ? line.bandwidth_Bps : 0);
  const auto place_of = [&](int number) {
    return number < count ? DrawnPlace{drawing.sites[number].port_x, drawing.sites[number].port_y}
                          : drawing.crossings[number - count];
  };
  for (const SiteLine& line : map.lines) {
    const DrawnPlace from = place_of(line.from), to = place_of(line.to);
    const double rate = line.has_figures ? line.bandwidth_Bps : fastest;
    // Half the width for a hundredth of the rate.
    const double width = fastest > 0 ? thickest_wire * (1 + std::log10(rate / fastest) / 4) : thickest_wire;
    const std::string end = line.to < count ? " - " + drawing.sites[line.to].name : std::string();
    drawing.wires.push_back(
        {from.x, from.y, to.x, to.y, std::max(thinnest_wire, width),
         line.has_figures ? drawing.sites[line.from].name + end + ": " + line.text : std::string()});
  }
}

/// The number of labels that have no room.
std::size_t add_labels(NetworkDrawing& drawing, const SiteMap& map) {
  LabelPlaces places(drawing.width, drawing.height);
  for (const DrawnSite& site : drawing.sites) {
    places.keep_free({site.x, site.y, site.width, site.height});
    if (site.has_port) places.keep_free({site.port_x, site.port_y, 10, 10});
  }
  for (const DrawnPlace& at : drawing.crossings) places.keep_free({at.x, at.y, 12, 12});
  for (const DrawnWire& wire : drawing.wires) places.add_line(wire.from_x, wire.from_y, wire.to_x, wire.to_y);
  std::size_t without_room = 0;
  const auto add = [&](const std::string& text, const DrawnWire& wire) {
    std::vector<std::string> lines = lines_of(text);
    const auto box = places.place(wire.from_x, wire.from_y, wire.to_x, wire.to_y, lines);
    if (box) {
      drawing.labels.push_back({box->x, box->y, box->width, box->height, std::move(lines)});
    } else {
      ++without_room;
    }
  };
  for (std::size_t i = 0; i < map.crossings.size(); ++i) {
    const DrawnPlace at = drawing.crossings[i];
    if (!map.crossings[i].text.empty()) add(map.crossings[i].text, {at.x - 8, at.y, at.x + 8, at.y, 0, ""});
  }
  for (std::size_t i = 0; i < map.lines.size(); ++i)
    if (map.lines[i].has_figures) add(map.lines[i].text, drawing.wires[i]);
  return without_room;
}

/// `sends 4 MB/s at most and takes in 5 MB/s at most`; `sends and takes in 4 MB/s at most` if both directions share
/// these 4 MB/s.
std::string limit_text(const SiteLimit& limit) {
  if (limit.is_one_link)
    return fmt::format("sends and takes in {} at most", format_rate(std::min(limit.out_Bps, limit.in_Bps)));
  std::string text;
  if (std::isfinite(limit.out_Bps)) text = fmt::format("sends {} at most", format_rate(limit.out_Bps));
  if (std::isfinite(limit.in_Bps))
    text += fmt::format("{}takes in {} at most", text.empty() ? "" : " and ", format_rate(limit.in_Bps));
  return text;
}

/// The exits and entrances that bind, sites with the same together; empty without any.
std::string limits_sentence(const SiteMap& map) {
  constexpr std::size_t max_texts = 6, max_names = 4;
  std::vector<std::pair<std::string, std::vector<std::string>>> sites_of;  // by text
  for (const SiteLimit& limit : map.limits) {
    const std::string text = limit_text(limit);
    auto at = std::ranges::find(sites_of, text, [](const auto& entry) { return entry.first; });
    if (at == sites_of.end()) at = sites_of.insert(at, {text, {}});
    at->second.push_back(map.sites[limit.site].name);
  }
  std::string sentence;
  for (std::size_t i = 0; i < sites_of.size() && i < max_texts; ++i) {
    const auto& [text, sites] = sites_of[i];
    const std::string names = sites.size() == 1           ? sites.front()
                              : sites.size() <= max_names ? fmt::format("each of {}", fmt::join(sites, ", "))
                                                          : fmt::format("each of {} sites", sites.size());
    sentence += fmt::format("{}{} {}", i == 0 ? "Over all links of a site together, " : "; ", names, text);
  }
  if (sites_of.size() > max_texts) sentence += fmt::format("; {} more have such limits", sites_of.size() - max_texts);
  return sentence.empty() ? sentence : sentence + ".";
}

}  // namespace

NetworkDrawing network_drawing(const Network& network) {
  const SiteMap map = site_map(network);
  NetworkDrawing drawing;
  for (const MapSite& site : map.sites) drawing.sites.push_back(site_box(network, site));
  lay_out(drawing);
  std::set<int> linked;
  std::set<std::string> figures;
  for (const SiteLine& line : map.lines) {
    linked.insert({line.from, line.to});
    figures.insert(line.text);
  }
  for (const MapCrossing& crossing : map.crossings) {
    drawing.crossings.push_back(middle_of(crossing, drawing.sites));
    if (!crossing.text.empty()) figures.insert(crossing.text);
  }
  add_ports(drawing, linked);
  add_wires(drawing, map);
  const bool label_each = map.lines.size() <= max_equal_labels || figures.size() > 1;
  const std::size_t without_room = label_each ? add_labels(drawing, map) : 0;

  if (!label_each && !figures.empty())
    drawing.notes.push_back(fmt::format("Each of the {} links between sites: {}.", map.lines.size(), *figures.begin()));
  if (without_room > 0)
    drawing.notes.push_back(
        fmt::format("{} of the {} links between sites have no room for their figures; wider is "
                    "faster.",
                    without_room, map.lines.size()));
  if (std::string sentence = limits_sentence(map); !sentence.empty()) drawing.notes.push_back(std::move(sentence));
  if (std::ranges::any_of(map.sites, [&](const MapSite& site) { return !lan_text(network, site).empty(); }))
    drawing.notes.emplace_back("In each site: latency and bandwidth between two of its hosts.");
  for (const MapSite& site : map.sites)
    if (static_cast<int>(site.hosts.size()) > max_hosts)
      drawing.notes.push_back(
          fmt::format("{} has {} hosts, {} of them drawn.", site.name, site.hosts.size(), max_hosts));
  return drawing;
}

}  // namespace isthmus
