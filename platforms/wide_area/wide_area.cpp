#include "platforms/wide_area/wide_area.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <pugixml.hpp>
#include <sstream>
#include <string_view>
#include <utility>

#include "algorithms/errors.hpp"
#include "algorithms/text/characters.hpp"
#include "algorithms/text/parse_number.hpp"
#include "algorithms/text/printable.hpp"

namespace isthmus {
namespace {

std::string rate(double bandwidth_Bps) { return fmt::format("{}Bps", bandwidth_Bps); }
std::string duration(double latency_s) { return fmt::format("{}s", latency_s); }

/// A comment must not contain `--`.
std::string comment(const std::vector<std::string>& remarks) {
  std::string text;
  for (const std::string& remark : remarks) text += (text.empty() ? " " : "\n     ") + remark;
  for (std::size_t at = 0; (at = text.find("--", at)) != std::string::npos;) text.replace(at, 2, "- -");
  return text + " ";
}

bool is_right_in_names(const Character& character) {
  const auto [bytes, point] = character;
  const bool letter = (point >= 'a' && point <= 'z') || (point >= 'A' && point <= 'Z');
  if (bytes == 1) return letter || (point >= '0' && point <= '9') || point == '.' || point == '_' || point == '-';
  constexpr std::uint32_t most_in_xml = 0xfffd, first_of_other_planes = 0x10000;
  return bytes > 1 && !is_control(point) && !is_blank(point) &&
         (point <= most_in_xml || point >= first_of_other_planes);
}

/// The sites whose names are others in the file; empty if there is none.
std::string changed_names(const WideArea& area) {
  std::string text;
  for (const WideAreaSite& site : area.sites)
    if (const std::string name = element_name(site.name); name != site.name)
      text += fmt::format("{}`{}` is {}", text.empty() ? "Names that were changed: " : ", ", excerpt(site.name), name);
  return text.empty() ? text : text + ".";
}

/// Writes the elements of one platform, and refuses a name that is there already.
class PlatformWriter {
 public:
  explicit PlatformWriter(const WideArea& area) : area_(area) {
    pugi::xml_node declaration = document_.append_child(pugi::node_declaration);
    declaration.append_attribute("version") = "1.0";
    document_.append_child(pugi::node_doctype).set_value("platform SYSTEM \"https://simgrid.org/simgrid.dtd\"");
    std::vector<std::string> remarks = area.remarks;
    if (std::string changes = changed_names(area); !changes.empty()) remarks.push_back(std::move(changes));
    if (!remarks.empty()) document_.append_child(pugi::node_comment).set_value(comment(remarks).c_str());
    pugi::xml_node platform = document_.append_child("platform");
    platform.append_attribute("version") = "4.1";
    root_ = zone(platform, element_name(area.name), "Full");
  }

  std::string write() {
    for (const WideAreaSite& site : area_.sites) {
      owner_ = site.name;
      add_site(site);
    }
    for (const WideAreaSite& site : area_.sites) {
      owner_ = site.name;
      add_caps(site);
    }
    for (const WideAreaLine& line : area_.lines) {
      owner_ = area_.sites[static_cast<std::size_t>(line.from)].name;
      pugi::xml_node made = link(root_, line_name(line), line.bandwidth_Bps, line.latency_s, "SHARED");
      if (line.price_per_GB) property(made, "isthmus.price_per_GB", fmt::format("{}", *line.price_per_GB));
    }
    for (const SiteRoute& route : area_.routes) add_route(route);
    check_hosts();
    std::ostringstream out;
    document_.save(out, "  ");
    return out.str();
  }

 private:
  std::string name_of(int site) const { return element_name(area_.sites[static_cast<std::size_t>(site)].name); }
  std::string line_name(const WideAreaLine& line) const { return name_of(line.from) + "-to-" + name_of(line.to); }

  [[noreturn]] static void fail_twice(const std::string& name, const std::string& a, const std::string& b) {
    const std::string whose = a == b || a.empty() || b.empty()
                                  ? std::string()
                                  : fmt::format(", of the sites `{}` and `{}`", excerpt(a), excerpt(b));
    throw BadInput(fmt::format("two elements of the platform{} would be named {}; other names of sites would be right",
                               whose, excerpt(name)));
  }

  std::string new_name(const std::string& name) {
    const auto [known, is_new] = owner_of_.try_emplace(name, owner_);
    if (!is_new) fail_twice(name, known->second, owner_);
    return name;
  }

  /// The hosts of the cluster `a` are `a-0`, `a-1` ...: no element of its own may be named so.
  void check_hosts() const {
    for (const auto& [name, owner] : owner_of_) {
      const std::size_t dash = name.rfind('-');
      if (dash == std::string::npos) continue;
      const auto cluster = hosts_of_cluster_.find(name.substr(0, dash));
      if (cluster == hosts_of_cluster_.end()) continue;
      const std::string digits = name.substr(dash + 1);
      const std::optional<int> number = parse_number<int>(digits);
      if (number && std::to_string(*number) == digits && *number < cluster->second)
        fail_twice(name, owner_of_.at(cluster->first), owner);
    }
  }

  pugi::xml_node named(pugi::xml_node parent, const char* element, const std::string& name) {
    pugi::xml_node made = parent.append_child(element);
    made.append_attribute("id") = new_name(name).c_str();
    return made;
  }

  static void property(pugi::xml_node element, const char* name, const std::string& value) {
    pugi::xml_node made = element.append_child("prop");
    made.append_attribute("id") = name;
    made.append_attribute("value") = value.c_str();
  }

  pugi::xml_node zone(pugi::xml_node parent, const std::string& name, const char* routing) {
    pugi::xml_node made = named(parent, "zone", name);
    made.append_attribute("routing") = routing;
    return made;
  }

  pugi::xml_node link(pugi::xml_node parent, const std::string& name, double bandwidth_Bps, double latency_s,
                      const char* sharing) {
    pugi::xml_node made = named(parent, "link", name);
    made.append_attribute("bandwidth") = rate(bandwidth_Bps).c_str();
    made.append_attribute("latency") = duration(latency_s).c_str();
    made.append_attribute("sharing_policy") = sharing;
    return made;
  }

  void add_cluster(pugi::xml_node parent, const WideAreaSite& site, const std::string& name, const char* level) {
    pugi::xml_node made = named(parent, "cluster", name);
    hosts_of_cluster_[name] = site.hosts;
    made.append_attribute("prefix") = (name + "-").c_str();
    made.append_attribute("suffix") = "";
    made.append_attribute("radical") = fmt::format("0-{}", site.hosts - 1).c_str();
    made.append_attribute("speed") = "1Gf";
    made.append_attribute("bw") = rate(site.host_bandwidth_Bps).c_str();
    made.append_attribute("lat") = duration(site.host_latency_s).c_str();
    made.append_attribute("sharing_policy") = "SPLITDUPLEX";
    made.append_attribute("router_id") = new_name(name + "-gateway").c_str();
    property(made, "isthmus.level", level);
  }

  void add_site(const WideAreaSite& site) {
    const std::string name = element_name(site.name);
    if (site.zones == 1) return add_cluster(root_, site, name, "site");
    pugi::xml_node region = zone(root_, name, "Floyd");
    property(region, "isthmus.level", "region");
    named(zone(region, name + "-edge", "Full"), "router", name + "-gateway");
    const auto zone_name = [&](int number) { return fmt::format("{}-zone{}", name, number); };
    for (int i = 0; i < site.zones; ++i) add_cluster(region, site, zone_name(i), "zone");
    for (int i = 0; i < site.zones; ++i)
      link(region, zone_name(i) + "-uplink", site.zone_bandwidth_Bps, site.zone_latency_s, "SPLITDUPLEX");
    for (int i = 0; i < site.zones; ++i) {
      pugi::xml_node way = zone_route(region, zone_name(i), name + "-edge", zone_name(i), name);
      pugi::xml_node over = way.append_child("link_ctn");
      over.append_attribute("id") = (zone_name(i) + "-uplink").c_str();
      over.append_attribute("direction") = "UP";
    }
  }

  void add_caps(const WideAreaSite& site) {
    const std::string name = element_name(site.name);
    if (site.exit_Bps) link(root_, name + "-exit", *site.exit_Bps, 0, "SHARED");
    if (site.entrance_Bps) link(root_, name + "-entrance", *site.entrance_Bps, 0, "SHARED");
  }

  /// The names of the zones, then those whose gateways are used.
  static pugi::xml_node zone_route(pugi::xml_node parent, const std::string& from, const std::string& to,
                                   const std::string& gateway_from, const std::string& gateway_to) {
    pugi::xml_node made = parent.append_child("zoneRoute");
    made.append_attribute("src") = from.c_str();
    made.append_attribute("dst") = to.c_str();
    made.append_attribute("gw_src") = (gateway_from + "-gateway").c_str();
    made.append_attribute("gw_dst") = (gateway_to + "-gateway").c_str();
    return made;
  }

  void add_route(const SiteRoute& route) {
    const std::string from = name_of(route.from), to = name_of(route.to);
    pugi::xml_node made = zone_route(root_, from, to, from, to);
    made.append_attribute("symmetrical") = "NO";
    const auto over = [&](const std::string& link) {
      made.append_child("link_ctn").append_attribute("id") = link.c_str();
    };
    if (area_.sites[static_cast<std::size_t>(route.from)].exit_Bps) over(from + "-exit");
    for (const int line : route.lines) over(line_name(area_.lines[static_cast<std::size_t>(line)]));
    if (area_.sites[static_cast<std::size_t>(route.to)].entrance_Bps) over(to + "-entrance");
  }

  const WideArea& area_;
  pugi::xml_document document_;
  pugi::xml_node root_;
  std::string owner_;                            // the site whose elements are written; empty: the platform
  std::map<std::string, std::string> owner_of_;  // of each name of an element
  std::map<std::string, int> hosts_of_cluster_;
};

}  // namespace

std::string element_name(const std::string& text) {
  std::string name;
  bool is_changed = false;
  for (std::string_view rest = text; !rest.empty();) {
    const Character character = first_character(rest);
    const std::string_view bytes = rest.substr(0, std::max<std::size_t>(character.bytes, 1));
    rest.remove_prefix(bytes.size());
    const bool is_right = is_right_in_names(character);
    name += is_right ? bytes : "-";
    is_changed = is_changed || !is_right;
  }
  const auto both_hyphens = [](char one, char next) { return one == '-' && next == '-'; };
  if (is_changed) name.erase(std::unique(name.begin(), name.end(), both_hyphens), name.end());
  return name;
}

std::string platform_xml(const WideArea& area) { return PlatformWriter(area).write(); }

}  // namespace isthmus
