#include "platforms/wide_area/from_graphml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <pugixml.hpp>
#include <set>
#include <string_view>
#include <utility>

#include "algorithms/errors.hpp"
#include "algorithms/network/network.hpp"
#include "algorithms/process/whole_file.hpp"
#include "algorithms/text/printable.hpp"
#include "platforms/wide_area/units.hpp"

namespace isthmus {
namespace {

constexpr double earth_radius_m = 6371008.8;
constexpr double light_in_fibre_mps = 299792458.0 * 2 / 3;
constexpr double bits_per_byte = 8;

struct Place {
  double latitude, longitude;
};

class GraphReading {
 public:
  GraphReading(const std::string& file, const GraphOptions& options)
      : file_(file), options_(options), text_(read_whole_file(file, "a graph in GraphML would be right")) {
    const pugi::xml_parse_result parsed = document_.load_buffer(text_.data(), text_.size());
    if (!parsed)
      fail(parsed.offset, fmt::format("no XML: {}; a graph in GraphML would be right", parsed.description()));
    graph_ = document_.child("graphml").child("graph");
    if (!graph_) fail(0, "no <graphml> with a <graph>; a graph in GraphML would be right");
    for (const pugi::xml_node key : document_.child("graphml").children("key"))
      keys_[{key.attribute("for").value(), key.attribute("attr.name").value()}] = key.attribute("id").value();
  }

  WideArea read() {
    for (const pugi::xml_node node : graph_.children("node")) add_node(node);
    if (area_.sites.size() < 2) fail(graph_.offset_debug(), "fewer than 2 nodes; a site each would be right");
    for (const pugi::xml_node edge : graph_.children("edge")) add_edge(edge);
    add_routes();
    return std::move(area_);
  }

 private:
  [[noreturn]] void fail(std::ptrdiff_t offset, const std::string& what) const {
    const auto end = text_.begin() + std::clamp<std::ptrdiff_t>(offset, 0, std::ssize(text_));
    throw BadInput(fmt::format("{}:{}: {}", file_, 1 + std::count(text_.begin(), end, '\n'), what));
  }

  /// The value of an attribute of a node or an edge; empty if it has none.
  std::string_view value(pugi::xml_node element, const char* attribute) const {
    const auto key = keys_.find({element.name(), attribute});
    if (key == keys_.end()) return {};
    return element.find_child_by_attribute("data", "key", key->second.c_str()).text().get();
  }

  std::optional<double> number(pugi::xml_node element, const char* attribute, double least, double most) const {
    const std::string_view text = value(element, attribute);
    if (text.empty()) return {};
    const auto found = number_in(text);
    if (!found || *found < least || *found > most)
      fail(element.offset_debug(),
           fmt::format("{}: `{}`; a number from {} to {} would be right", attribute, excerpt(text), least, most));
    return found;
  }

  void add_node(pugi::xml_node node) {
    const std::string id = node.attribute("id").value();
    const auto number_of = static_cast<int>(area_.sites.size());
    if (!numbers_.try_emplace(id, number_of).second)
      fail(node.offset_debug(), fmt::format("node {} is there twice; ids that differ would be right", excerpt(id)));
    WideAreaSite& site = area_.sites.emplace_back(options_.site);
    const std::string_view label = value(node, "label");
    site.name = label.empty() ? "node" + id : std::string(label);
    if (!labels_.insert(element_name(site.name)).second) {
      site.name += "-node" + id;
      told_apart_ += (told_apart_.empty() ? "" : ", ") + excerpt(site.name);
    }
    const auto latitude = number(node, "Latitude", -90, 90);
    const auto longitude = number(node, "Longitude", -180, 180);
    places_.push_back(latitude && longitude ? std::optional<Place>({*latitude, *longitude}) : std::nullopt);
  }

  int end_of(pugi::xml_node edge, const char* attribute) const {
    const std::string id = edge.attribute(attribute).value();
    const auto found = numbers_.find(id);
    if (found == numbers_.end())
      fail(edge.offset_debug(),
           fmt::format("the edge's {} `{}` is no node; the id of one would be right", attribute, excerpt(id)));
    return found->second;
  }

  double bandwidth_Bps(pugi::xml_node edge, const std::string& name) {
    if (const auto raw = number(edge, "LinkSpeedRaw", 0, 1e18)) {
      if (*raw == 0) fail(edge.offset_debug(), fmt::format("{}: LinkSpeedRaw 0; a bandwidth would be right", name));
      return *raw / bits_per_byte;
    }
    if (!options_.line_bandwidth_Bps) {
      fail(edge.offset_debug(),
           fmt::format("{} has no LinkSpeedRaw; one, or --line-bandwidth for those without, would be right", name));
    }
    ++without_bandwidth_;
    return *options_.line_bandwidth_Bps;
  }

  double latency_s(pugi::xml_node edge, int from, int to, const std::string& name) {
    const auto &a = places_[static_cast<std::size_t>(from)], &b = places_[static_cast<std::size_t>(to)];
    if (a && b) return distance_m(a->latitude, a->longitude, b->latitude, b->longitude) / light_in_fibre_mps;
    if (!options_.line_latency_s) {
      fail(
          edge.offset_debug(),
          fmt::format("{}: {} has no Latitude and Longitude; both, or --line-latency for lines of such nodes, would be "
                      "right",
                      name, excerpt(area_.sites[static_cast<std::size_t>(a ? to : from)].name)));
    }
    ++without_place_;
    return *options_.line_latency_s;
  }

  void add_edge(pugi::xml_node edge) {
    const int from = end_of(edge, "source"), to = end_of(edge, "target");
    if (from == to) return;
    const std::string name = fmt::format("edge {} - {}", excerpt(area_.sites[static_cast<std::size_t>(from)].name),
                                         excerpt(area_.sites[static_cast<std::size_t>(to)].name));
    const double rate_Bps = bandwidth_Bps(edge, name), delay_s = latency_s(edge, from, to, name);
    const std::string_view own = edge.attribute("directed").value();
    const bool directed = own.empty() ? std::string_view(graph_.attribute("edgedefault").value()) == "directed"
                                      : own == std::string_view("true");
    add_line(from, to, rate_Bps, delay_s);
    if (!directed) add_line(to, from, rate_Bps, delay_s);
  }

  void add_line(int from, int to, double bandwidth, double latency) {
    const auto [at, is_new] = line_of_.try_emplace({from, to}, static_cast<int>(area_.lines.size()));
    if (is_new) {
      area_.lines.push_back({from, to, bandwidth, latency, {}});
    } else {
      area_.lines[static_cast<std::size_t>(at->second)].bandwidth_Bps += bandwidth;
    }
  }

  /// The routes of the least latency from every site: Dijkstra's algorithm on a dense graph. Of equal ones that of
  /// fewer lines is taken.
  void add_routes() {
    const std::size_t n = area_.sites.size();
    std::vector<std::vector<int>> lines_from(n);
    for (std::size_t i = 0; i < area_.lines.size(); ++i)
      lines_from[static_cast<std::size_t>(area_.lines[i].from)].push_back(static_cast<int>(i));
    for (std::size_t source = 0; source < n; ++source) {
      std::vector<std::pair<double, int>> best(n, {infinite, 0});  // latency, number of lines
      std::vector<int> last_line(n, -1);
      std::vector<bool> done(n);
      best[source] = {0, 0};
      for (std::size_t round = 0; round < n; ++round) {
        std::size_t next = n;
        for (std::size_t i = 0; i < n; ++i)
          if (!done[i] && (next == n || best[i] < best[next])) next = i;
        if (best[next].first == infinite) break;
        done[next] = true;
        for (const int number_of : lines_from[next]) {
          const WideAreaLine& line = area_.lines[static_cast<std::size_t>(number_of)];
          const std::pair<double, int> through{best[next].first + line.latency_s, best[next].second + 1};
          if (!(through < best[static_cast<std::size_t>(line.to)])) continue;
          best[static_cast<std::size_t>(line.to)] = through;
          last_line[static_cast<std::size_t>(line.to)] = number_of;
        }
      }
      if (!std::all_of(done.begin(), done.end(), [](bool reached) { return reached; })) fail_unreached(source, done);
      for (std::size_t target = 0; target < n; ++target)
        if (target != source) add_route(source, target, last_line);
    }
  }

  void add_route(std::size_t source, std::size_t target, const std::vector<int>& last_line) {
    SiteRoute route{static_cast<int>(source), static_cast<int>(target), {}};
    for (std::size_t at = target; at != source;) {
      route.lines.push_back(last_line[at]);
      at = static_cast<std::size_t>(area_.lines[static_cast<std::size_t>(last_line[at])].from);
    }
    std::reverse(route.lines.begin(), route.lines.end());
    area_.routes.push_back(std::move(route));
  }

  [[noreturn]] void fail_unreached(std::size_t source, const std::vector<bool>& reached) const {
    std::string names;
    int missing = 0;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      if (reached[i]) continue;
      ++missing;
      if (missing <= 5) names += (names.empty() ? "" : ", ") + excerpt(area_.sites[i].name);
    }
    if (missing > 5) names += fmt::format(" and {} more", missing - 5);
    fail(graph_.offset_debug(), fmt::format("no way from {} to {}; a connected graph would be right",
                                            excerpt(area_.sites[source].name), names));
  }

 public:
  /// What stands in the file's comment.
  std::vector<std::string> remarks() const {
    std::vector<std::string> texts{
        "Assumed: a node is a site, an edge a line in either direction with the bandwidth of LinkSpeedRaw; latency: "
        "the "
        "great circle's length at 2/3 of the speed of light; parallel edges: one line of their bandwidths together; "
        "routes: the least latency."};
    if (!told_apart_.empty())
      texts.push_back(fmt::format("Nodes with the label of another one have their id in the name: {}.", told_apart_));
    if (without_bandwidth_ > 0)
      texts.push_back(fmt::format("{} edges have no LinkSpeedRaw: {} B/s was given for them.", without_bandwidth_,
                                  *options_.line_bandwidth_Bps));
    if (without_place_ > 0)
      texts.push_back(fmt::format("{} edges have an end without coordinates: {} s was given for them.", without_place_,
                                  *options_.line_latency_s));
    return texts;
  }

 private:
  const std::string& file_;
  const GraphOptions& options_;
  std::string text_;
  pugi::xml_document document_;
  pugi::xml_node graph_;
  std::map<std::pair<std::string, std::string>, std::string> keys_;  // id by (node or edge, attribute)
  std::map<std::string, int> numbers_;                               // of sites, by the node's id
  std::set<std::string> labels_;
  std::string told_apart_;  // sites with a label that another one has
  std::vector<std::optional<Place>> places_;
  std::map<std::pair<int, int>, int> line_of_;
  int without_bandwidth_ = 0, without_place_ = 0;
  WideArea area_;
};

}  // namespace

double distance_m(double latitude_a, double longitude_a, double latitude_b, double longitude_b) {
  constexpr double radians = std::numbers::pi / 180;
  const double across = std::sin((latitude_b - latitude_a) * radians / 2);
  const double along = std::sin((longitude_b - longitude_a) * radians / 2);
  const double haversine =
      across * across + std::cos(latitude_a * radians) * std::cos(latitude_b * radians) * along * along;
  return 2 * earth_radius_m * std::asin(std::min(1.0, std::sqrt(haversine)));
}

WideArea wide_area_of_graphml(const std::string& file, const GraphOptions& options) {
  GraphReading reading(file, options);
  WideArea area = reading.read();
  area.remarks = reading.remarks();
  return area;
}

}  // namespace isthmus
