#include "platforms/source_checks.hpp"

#include <fmt/format.h>
#include <strings.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/text/characters.hpp"
#include "algorithms/text/counted.hpp"
#include "algorithms/text/parts.hpp"
#include "algorithms/text/printable.hpp"
#include "platforms/property_checks.hpp"

namespace isthmus {
namespace {

constexpr std::array positive{"bandwidth", "bw", "bb_bw", "loopback_bw", "limiter_link", "bw_in", "bw_out", "speed"};
constexpr std::array not_negative{"latency", "lat", "bb_lat", "loopback_lat"};
constexpr std::array routings{"Full", "Floyd", "Dijkstra", "DijkstraCache", "None", "Cluster", "Vivaldi", "Wifi"};

bool is_any(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// `7` or `0-3`, with optional blanks around the numbers.
bool is_range(std::string_view text) {
  const auto take_number = [&](int& number) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    const auto [rest, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc{} || number < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    return true;
  };
  int first = 0, last = 0;
  if (!take_number(first)) return false;
  if (text.empty()) return true;
  if (!text.starts_with('-')) return false;
  text.remove_prefix(1);
  return take_number(last) && text.empty() && first <= last;
}

class Checks : public pugi::xml_tree_walker {
 public:
  explicit Checks(const SourceFile& source) : source_(source) {}

  bool for_each(pugi::xml_node& element) override {
    const std::string_view tag = element.name();
    check_encoding(element);
    if (tag == "platform") check_version(element);
    if (tag == "prop") check_property(source_, element);
    if (is_any(tag, {"link", "cluster", "cabinet", "peer", "host"})) check_numbers(element);
    if (is_any(tag, {"zone", "AS", "cluster", "host", "router", "peer"}))
      check_name(element, "host, router or zone", nodes_);
    if (is_any(tag, {"cluster", "cabinet", "peer"})) check_radical(element);
    if (tag == "cluster") check_dragonfly(element);
    if (tag == "link") check_name(element, "link", links_);
    if (tag == "link") check_sharing(element);
    if (tag == "link") check_figures(element);
    if (tag == "link_ctn") check_direction(element);
    if (is_any(tag, {"zone", "AS"})) check_routing(element);
    if (is_any(tag, {"route", "zoneRoute", "ASroute"})) check_route(element);
    if (is_any(tag, {"host", "cluster", "cabinet", "peer"})) has_host_ = true;
    return true;
  }

  bool has_host() const { return has_host_; }

 private:
  void check_version(pugi::xml_node platform) const {
    const std::string version = platform.attribute("version").value();
    if (version != "4.1" && version != "4") {
      throw source_.error(platform,
                          fmt::format("version \"{}\" of the platform format; 4.1 is right", excerpt(version)));
    }
  }

  /// SimGrid ignores the encoding that a file declares, and the results are UTF-8.
  void check_encoding(pugi::xml_node element) const {
    for (pugi::xml_attribute attribute : element.attributes())
      if (!is_utf8(attribute.value()))
        throw source_.error(element,
                            fmt::format("{} \"{}\" is not in UTF-8; the file in UTF-8, as `iconv -f ISO-8859-1 "
                                        "-t UTF-8` makes it, would be right",
                                        attribute.name(), excerpt(attribute.value())));
  }

  void check_numbers(pugi::xml_node element) const {
    for (pugi::xml_attribute attribute : element.attributes()) {
      const auto is_named = [&](const char* name) { return std::string_view(attribute.name()) == name; };
      const bool above_zero = std::any_of(positive.begin(), positive.end(), is_named);
      if (!above_zero && std::none_of(not_negative.begin(), not_negative.end(), is_named)) continue;
      for (std::string_view rest = attribute.value(); !rest.empty();) {
        const std::string value(rest.substr(0, rest.find(',')));
        rest.remove_prefix(std::min(value.size() + 1, rest.size()));
        char* end = nullptr;
        const double number = std::strtod(value.c_str(), &end);
        if (end == value.c_str() && !value.empty())
          throw source_.error(element, fmt::format("{} {}: {} \"{}\" is no number; one with a unit would be right",
                                                   excerpt(element.name()), excerpt(element.attribute("id").value()),
                                                   attribute.name(), excerpt(value)));
        if (end == value.c_str()) continue;  // as if it were not given
        if (!std::isfinite(number) || number < 0 || (above_zero && number == 0)) {
          throw source_.error(element, fmt::format("{} {}: {} \"{}\"; {} would be right", excerpt(element.name()),
                                                   excerpt(element.attribute("id").value()), attribute.name(),
                                                   excerpt(value), above_zero ? "more than 0" : "0 or more"));
        }
      }
    }
  }

  /// SimGrid tells neither the link nor the attribute. It reads a comma as the end of a figure.
  void check_figures(pugi::xml_node link) const {
    const auto refuse = [&](const std::string& what) {
      throw source_.error(link, fmt::format("link {}: {}", excerpt(link.attribute("id").value()), what));
    };
    for (const auto& [name, example] : {std::pair{"bandwidth", "125MBps"}, std::pair{"latency", "10ms"}}) {
      const std::string_view text = link.attribute(name).value();
      if (text.empty()) refuse(fmt::format("no {0}; {0}=\"{1}\", for instance, would be right", name, example));
      if (text.find(',') != text.npos)
        refuse(fmt::format("{} \"{}\"; a point instead of the comma would be right", name, excerpt(text)));
    }
  }

  /// SimGrid treats a descending range as empty, and ignores everything after a number.
  void check_radical(pugi::xml_node element) const {
    const pugi::xml_attribute radical = element.attribute("radical");
    if (!radical) return;
    const std::string_view text = radical.value();
    for (const std::string_view part : parts_of(text, ',')) {
      if (!is_range(part)) {
        throw source_.error(element,
                            fmt::format("{} {}: radical \"{}\"; whole numbers and ranges that rise are right, "
                                        "such as 0-3,8",
                                        element.name(), excerpt(element.attribute("id").value()), excerpt(text)));
      }
    }
  }

  void check_name(pugi::xml_node element, const char* what, std::map<std::string, pugi::xml_node>& seen) const {
    const std::string id = element.attribute("id").value();
    const auto [before, is_new] = seen.try_emplace(id, element);
    if (!is_new) {
      throw source_.error(element, fmt::format("the name \"{}\" is taken by line {}; every {} needs its own",
                                               excerpt(id), source_.line_of(before->second), what));
    }
  }

  /// SimGrid crosses from group to group at the router with the number of the other group, and crashes without it.
  void check_dragonfly(pugi::xml_node cluster) const {
    if (cluster.attribute("topology").value() != std::string_view("DRAGONFLY")) return;
    const std::string_view text = cluster.attribute("topo_parameters").value();
    const std::vector<std::string_view> parts = parts_of(text, ';');
    if (parts.size() != 4) return;  // SimGrid reports it
    const auto number = [](std::string_view part) { return std::atoi(std::string(part).c_str()); };
    const int groups = number(parts[0]), routers = number(parts[2]);
    if (routers < groups)
      throw source_.error(cluster, fmt::format("cluster {}: topo_parameters \"{}\": {} in a chassis, and {} "
                                               "groups; as many routers as groups, or more, would be right",
                                               excerpt(cluster.attribute("id").value()), excerpt(text),
                                               counted(routers, "router"), groups));
  }

  void check_sharing(pugi::xml_node link) const {
    const std::string_view policy = link.attribute("sharing_policy").value();
    if (!policy.empty() && !is_any(policy, {"SHARED", "FATPIPE", "SPLITDUPLEX"}))
      throw source_.error(link, fmt::format("link {}: sharing policy \"{}\"; SHARED, SPLITDUPLEX or FATPIPE would be "
                                            "right",
                                            excerpt(link.attribute("id").value()), excerpt(policy)));
  }

  /// A SPLITDUPLEX has two directions and others have none. Links that clusters make are not in the file.
  void check_direction(pugi::xml_node use) const {
    const auto link = links_.find(use.attribute("id").value());
    if (link == links_.end()) return;
    const std::string_view direction = use.attribute("direction").value();
    const bool has_direction = is_any(direction, {"UP", "DOWN"});
    const bool is_split = link->second.attribute("sharing_policy").value() == std::string_view("SPLITDUPLEX");
    if (has_direction == is_split) return;
    throw source_.error(
        use, is_split
                 ? fmt::format("link {} of line {} is SPLITDUPLEX and is used without a direction; direction=\"UP\" or "
                               "\"DOWN\" would be right",
                               excerpt(link->first), source_.line_of(link->second))
                 : fmt::format("link {} of line {} is used with direction=\"{}\" and has none; the same without it, or "
                               "sharing_policy=\"SPLITDUPLEX\", would be right",
                               excerpt(link->first), source_.line_of(link->second), direction));
  }

  void check_routing(pugi::xml_node zone) const {
    const char* routing = zone.attribute("routing").value();
    const auto is_same = [&](const char* known) { return strcasecmp(routing, known) == 0; };
    if (std::none_of(routings.begin(), routings.end(), is_same)) {
      throw source_.error(zone, fmt::format("zone {}: routing \"{}\" is unknown; Full or Floyd, for instance, is right",
                                            excerpt(zone.attribute("id").value()), excerpt(routing)));
    }
    if (strcasecmp(routing, "Vivaldi") == 0 || strcasecmp(routing, "Wifi") == 0) {
      throw source_.error(
          zone, fmt::format("zone {}: routing \"{}\" has times that lie on no link; routes over links would be right",
                            excerpt(zone.attribute("id").value()), routing));
    }
  }

  void check_route(pugi::xml_node route) {
    const std::string from = route.attribute("src").value();
    const std::string to = route.attribute("dst").value();
    if (route.name() == std::string_view("route") && !route.child("link_ctn"))
      throw source_.error(route,
                          fmt::format("the route from {} to {} has no links; a <link_ctn> for each would be right",
                                      excerpt(from), excerpt(to)));
    const bool one_way = is_any(route.attribute("symmetrical").value(), {"NO", "no"});
    add_route(route, from, to);
    if (!one_way && from != to) add_route(route, to, from);
  }

  void add_route(pugi::xml_node route, const std::string& from, const std::string& to) {
    if (!routes_.insert({route.parent().attribute("id").value(), from, to}).second) {
      throw source_.error(route,
                          fmt::format("the route from {} to {} is there twice; one is right (a route serves both "
                                      "directions unless symmetrical=\"NO\")",
                                      excerpt(from), excerpt(to)));
    }
  }

  const SourceFile& source_;
  std::map<std::string, pugi::xml_node> nodes_, links_;
  std::set<std::array<std::string, 3>> routes_;
  bool has_host_ = false;
};

/// Files that users have beside platforms, from which `isthmus platform` makes one.
void refuse_other_formats(const SourceFile& source) {
  const std::string_view text = source.text(), header = text.substr(0, text.find('\n'));
  const auto refuse = [&](const char* what, const char* option) {
    throw source.error(1, fmt::format("{}, no SimGrid platform; `isthmus platform {}` makes one of it", what, option));
  };
  if (text.find("<graphml") != text.npos) refuse("a graph in GraphML", "--graphml FILE");
  for (const char* figure : {"latency_", "throughput_"})
    if (header.starts_with(figure) || header.find(std::string(",") + figure) != header.npos)
      refuse("a table of sites", "--from-table LATENCY THROUGHPUT");
}

/// SimGrid's parser reads UTF-8 without a byte-order mark.
void refuse_byte_order_mark(const SourceFile& source) {
  const std::string_view text = source.text();
  for (const auto& [mark, encoding] : {std::pair<std::string_view, const char*>{"\xef\xbb\xbf", "UTF-8"},
                                       {"\xff\xfe", "UTF-16"},
                                       {"\xfe\xff", "UTF-16"}})
    if (text.starts_with(mark))
      throw source.error(
          1, fmt::format("begins with the byte-order mark (BOM) of {}; UTF-8 without one would be right", encoding));
}

/// SimGrid's parser needs one and calls what comes without it an unexpected character.
void refuse_without_document_type(const SourceFile& source) {
  if (source.text().find("<!DOCTYPE") != std::string::npos) return;
  const bool has_declaration = source.text().starts_with("<?xml");
  throw source.error(source.platform(), fmt::format("no DOCTYPE; `{}` {} would be right", right_document_type,
                                                    has_declaration ? "after the first line" : "before it"));
}

}  // namespace

void check_source(const SourceFile& source) {
  refuse_byte_order_mark(source);
  if (!source.is_parsed()) return refuse_other_formats(source);
  Checks checks(source);
  pugi::xml_node root = source.platform();
  checks.for_each(root);
  root.traverse(checks);
  if (!checks.has_host()) throw source.error(root, "no host; a platform needs at least one");
  refuse_without_document_type(source);
}

}  // namespace isthmus
