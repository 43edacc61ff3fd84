#include "platforms/engine_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <set>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/kernel/routing/StarZone.hpp>
#include <simgrid/s4u.hpp>
#include <typeinfo>
#include <unordered_map>

#include "algorithms/network/link_range.hpp"
#include "algorithms/text/printable.hpp"
#include "platforms/wide_area/units.hpp"

namespace isthmus {
namespace {

namespace s4u = simgrid::s4u;
using Path = std::vector<int>;

std::string text_property(const char* value) { return value == nullptr ? std::string() : value; }

std::string host_property(const s4u::Host& host, const char* key) { return text_property(host.get_property(key)); }
std::string zone_property(const s4u::NetZone& zone, const char* key) { return text_property(zone.get_property(key)); }

class Reading {
 public:
  Reading(const s4u::Engine& engine, const SourceFile& source, const std::string& name,
          const std::vector<NameRange>& alike)
      : engine_(engine), source_(source) {
    network_.name = name;
    for (const NameRange& hosts : alike) first_alike_.insert(hosts.name(hosts.first));
  }

  Network read() {
    const s4u::NetZone& root = *engine_.get_netzone_root();
    read_transport(root);
    read_prices();
    has_levels_ = any_level(root);
    for (const auto& named : source_.platform().select_nodes("//host")) {
      place_of_host_.try_emplace(named.node().attribute("id").value(), named.node().offset_debug());
    }
    read_zone(root, {}, true);
    if (hosts_.empty()) throw source_.error(pugi::xml_node(), "no host; a platform needs at least one");
    read_routes();
    check_routes();
    return std::move(network_);
  }

 private:
  // -- properties

  // Missing properties get the costs of a real network; 0 has to be given.
  void read_transport(const s4u::NetZone& root) {
    Transport& transport = network_.transport = tcp_over_ethernet();
    const auto read = [&](const char* key, auto& into) {
      const std::string value = zone_property(root, key);
      if (value.empty()) return;
      const std::optional<double> number = number_in(value);
      if (!number || *number < 0 || *number > 1e15) {
        throw source_.error(source_.element_of(key), fmt::format("{}: \"{}\" is not right; a number of 0 or more would "
                                                                 "be right",
                                                                 key, excerpt(value)));
      }
      into = static_cast<std::remove_reference_t<decltype(into)>>(*number);
    };
    read("isthmus.header_bytes", transport.header_bytes);
    read("isthmus.eager_bytes", transport.eager_bytes);
    read("isthmus.buffered_bytes", transport.buffered_bytes);
    read("isthmus.send_overhead_s", transport.send_overhead_s);
    read("isthmus.send_overhead_s_per_byte", transport.send_overhead_s_per_byte);
    read("isthmus.receive_overhead_s", transport.receive_overhead_s);
    read("isthmus.receive_overhead_s_per_byte", transport.receive_overhead_s_per_byte);
    read("isthmus.frame_bytes", transport.frame_bytes);
    read("isthmus.acknowledgement_bytes", transport.acknowledgement_bytes);
    read("isthmus.reduction_s_per_byte", transport.reduction_s_per_byte);
  }

  // By the id in the file, since SimGrid makes two links of a SPLITDUPLEX one.
  void read_prices() {
    for (const auto& found : source_.platform().select_nodes("//link/prop[@id='isthmus.price_per_GB']")) {
      const pugi::xml_node property = found.node();
      const std::string value = property.attribute("value").value();
      const std::optional<double> price = number_in(value);
      if (!price || *price < 0) {
        throw source_.error(property, fmt::format("isthmus.price_per_GB: \"{}\" is not right; a number of 0 or more "
                                                  "would be right",
                                                  excerpt(value)));
      }
      price_of_link_[property.parent().attribute("id").value()] = *price;
    }
  }

  double price_per_GB(const std::string& link) const {
    for (const char* direction : {"", "_UP", "_DOWN"}) {
      if (!link.ends_with(direction)) continue;
      const auto at = price_of_link_.find(link.substr(0, link.size() - std::strlen(direction)));
      if (at != price_of_link_.end()) return at->second;
    }
    return 0;
  }

  // -- zones and hosts

  // SimGrid passes the properties of a cluster with a topology on to its hosts.
  static std::string level_of(const s4u::NetZone& zone) {
    const std::string own = zone_property(zone, "isthmus.level");
    if (!own.empty()) return own;
    const std::vector<s4u::Host*> hosts = zone.get_all_hosts();
    return hosts.empty() ? std::string() : host_property(*hosts.front(), "isthmus.level");
  }

  static bool any_level(const s4u::NetZone& zone) {
    const std::vector<s4u::NetZone*> children = zone.get_children();
    return !level_of(zone).empty() ||
           std::any_of(children.begin(), children.end(), [](const auto* c) { return any_level(*c); });
  }

  static bool holds_hosts(const s4u::NetZone& zone) {
    const std::vector<s4u::NetZone*> children = zone.get_children();
    return !zone.get_all_hosts().empty() ||
           std::any_of(children.begin(), children.end(), [](const auto* child) { return holds_hosts(*child); });
  }

  std::optional<ZoneStep> step_of(const s4u::NetZone& zone, std::size_t depth) const {
    if (has_levels_) {
      const std::string level = level_of(zone);
      if (level.empty()) return {};
      return ZoneStep{level, zone.get_name()};
    }
    const std::vector<s4u::NetZone*> children = zone.get_children();
    const auto inhabited =
        std::count_if(children.begin(), children.end(), [](const auto* child) { return holds_hosts(*child); });
    if (zone.get_all_hosts().empty() && inhabited < 2) return {};
    static constexpr std::array names{"site", "machine", "node"};
    return ZoneStep{depth < names.size() ? names[depth] : fmt::format("level{}", depth + 1), zone.get_name()};
  }

  // SimGrid sorts hosts alphabetically. Here hosts that the file names are in its order, and hosts of a cluster in the
  // order of their numbers.
  std::vector<s4u::Host*> hosts_in_order(const s4u::NetZone& zone) {
    std::vector<s4u::Host*> hosts = zone.get_all_hosts();
    const auto key = [&](const s4u::Host* host) {
      const auto named = place_of_host_.find(host->get_name());
      return named == place_of_host_.end() ? std::ptrdiff_t{-1} : named->second;
    };
    std::sort(hosts.begin(), hosts.end(), [&](const s4u::Host* a, const s4u::Host* b) {
      const std::ptrdiff_t a_key = key(a), b_key = key(b);
      if (a_key != b_key) return a_key < b_key;
      return strverscmp(a->get_cname(), b->get_cname()) < 0;
    });
    return hosts;
  }

  // The outermost zone is level 0: no group of the topology.
  void read_zone(const s4u::NetZone& zone, std::vector<ZoneStep> steps, bool outermost) {
    if (!outermost) {
      if (auto step = step_of(zone, steps.size())) steps.push_back(*step);
    }
    const bool star = typeid(*zone.get_impl()) == typeid(simgrid::kernel::routing::StarZone);
    std::vector<int> members;
    for (const s4u::Host* host : hosts_in_order(zone)) {
      members.push_back(static_cast<int>(hosts_.size()));
      hosts_.push_back(host);
      Host& made = network_.hosts.emplace_back();
      made.name = host->get_name();
      made.speed_flops = host->get_speed();
      made.cores = host->get_core_count();
      made.gateway =
          host_property(*host, "isthmus.role") == "gateway" || zone_property(zone, "isthmus.role") == "gateway";
      made.zones = steps;
    }
    // With fewer than three hosts own and shared links cannot be distinguished; then each host is an endpoint.
    if (star && members.size() >= 3) {
      classes_.push_back(members);
    } else {
      for (int member : members) classes_.push_back({member});
    }
    for (const s4u::NetZone* child : zone.get_children()) read_zone(*child, steps, false);
  }

  // -- links

  int link_number(const s4u::Link* link) {
    const auto [at, is_new] = link_numbers_.try_emplace(link, static_cast<int>(network_.links.size()));
    if (!is_new) return at->second;
    Link& made = network_.links.emplace_back();
    made.name = link->get_name();
    made.bandwidth_Bps = link->get_bandwidth();
    made.latency_s = link->get_latency();
    made.price_per_GB = price_per_GB(made.name);
    if (const std::string fault = fault_of(made); !fault.empty())
      throw source_.error(source_.element_of(made.name), fault);
    switch (link->get_sharing_policy()) {
      case s4u::Link::SharingPolicy::SHARED:
        made.sharing = Sharing::shared;
        break;
      case s4u::Link::SharingPolicy::FATPIPE:
        made.sharing = Sharing::fatpipe;
        break;
      default:
        throw source_.error(
            source_.element_of(made.name),
            fmt::format("link {}: this sharing policy cannot be read; SHARED, SPLITDUPLEX or FATPIPE is right",
                        made.name));
    }
    return at->second;
  }

  struct EngineRoute {
    std::vector<s4u::Link*> links;
    double latency_s = 0;
  };

  // No value if there is no route. SimGrid throws for zones and in some kinds of zone, and returns a route without
  // links in others.
  std::optional<EngineRoute> route(int from, int to) const {
    EngineRoute found;
    try {
      hosts_[from]->route_to(hosts_[to], found.links, &found.latency_s);
    } catch (const std::exception&) {
      return {};
    }
    if (found.links.empty() && from != to) return {};
    return found;
  }

  std::optional<Path> path(int from, int to) {
    const std::optional<EngineRoute> found = route(from, to);
    if (!found) return {};
    Path numbers;
    double sum_s = 0;
    for (const s4u::Link* link : found->links) {
      numbers.push_back(link_number(link));
      sum_s += link->get_latency();
    }
    if (std::abs(sum_s - found->latency_s) > 1e-9 * std::max(sum_s, found->latency_s)) {
      throw source_.error(source_.element_of(network_.hosts[from].name),
                          fmt::format("the latency from {} to {} lies on no link; routes over links would be right",
                                      network_.hosts[from].name, network_.hosts[to].name));
    }
    return numbers;
  }

  // -- classes of equal routes

  void read_routes() {
    for (bool whole = false; !whole;) {
      whole = true;
      network_.trunks.clear();
      for (const std::vector<int>& members : classes_) split_own_links(members);
      for (std::size_t endpoint = 0; endpoint < classes_.size(); ++endpoint) {
        for (int member : classes_[endpoint]) network_.hosts[member].endpoint = static_cast<int>(endpoint);
      }
      read_trunks();
      std::vector<std::vector<int>> kept;
      for (const std::vector<int>& members : classes_) {
        if (is_exact(members)) {
          kept.push_back(members);
        } else {
          for (int member : members) kept.push_back({member});
          whole = false;
        }
      }
      classes_ = std::move(kept);
    }
    for (int host = 0; host < static_cast<int>(hosts_.size()); ++host) read_loopback(host);
  }

  // A host's own links: the common beginning of its routes to two others (the common end of routes from others), as far
  // as no other host uses these links.
  void split_own_links(const std::vector<int>& members) {
    for (int member : members) network_.hosts[member].up = network_.hosts[member].down = {};
    if (members.size() < 3) return;
    std::vector<Path> out, in;
    std::map<int, std::set<int>> users;
    for (std::size_t i = 0; i < members.size(); ++i) {
      const int other = members[(i + 1) % members.size()];
      const int another = members[(i + 2) % members.size()];
      // In this order, since the order in which links are met numbers them (cluster_mesh.cpp relies on it).
      const auto to_another = path(members[i], another), to_other = path(members[i], other);
      out.push_back(common_beginning(to_other, to_another));
      const auto from_another = reversed(path(another, members[i])), from_other = reversed(path(other, members[i]));
      in.push_back(common_beginning(from_other, from_another));
      for (int link : out.back()) users[link].insert(members[i]);
      for (int link : in.back()) users[link].insert(members[i]);
    }
    const auto own_only = [&](const Path& links) {
      const auto shared = std::find_if(links.begin(), links.end(), [&](int link) { return users[link].size() > 1; });
      return Path(links.begin(), shared);
    };
    for (std::size_t i = 0; i < members.size(); ++i) {
      network_.hosts[members[i]].up = own_only(out[i]);
      const Path down = own_only(in[i]);
      network_.hosts[members[i]].down = Path(down.rbegin(), down.rend());
    }
  }

  static std::optional<Path> reversed(std::optional<Path> links) {
    if (links) std::reverse(links->begin(), links->end());
    return links;
  }

  static Path common_beginning(const std::optional<Path>& a, const std::optional<Path>& b) {
    if (!a || !b) return {};
    return {a->begin(), std::mismatch(a->begin(), a->end(), b->begin(), b->end()).first};
  }

  void read_trunks() {
    for (std::size_t from = 0; from < classes_.size(); ++from) {
      for (std::size_t to = 0; to < classes_.size(); ++to) {
        if (from == to && classes_[from].size() == 1) continue;
        const int source = classes_[from].front();
        const int target = from == to ? classes_[from][1] : classes_[to].front();
        const std::optional<Path> whole = path(source, target);
        const std::size_t up = network_.hosts[source].up.size();
        const std::size_t down = network_.hosts[target].down.size();
        if (!whole || whole->size() < up + down) continue;
        network_.trunks[{static_cast<int>(from), static_cast<int>(to)}].links =
            Path(whole->begin() + static_cast<std::ptrdiff_t>(up), whole->end() - static_cast<std::ptrdiff_t>(down));
      }
    }
  }

  // Whether the routes built from endpoints equal SimGrid's: for every member from and to one host of every class, and
  // among three members. Of members that are alike the first and the last tell.
  bool is_exact(const std::vector<int>& members) {
    if (members.size() == 1) return true;
    const bool alike = first_alike_.contains(network_.hosts[members.front()].name);
    for (std::size_t i = 0; i < members.size(); i += alike ? members.size() - 1 : 1) {
      const int member = members[i];
      for (const std::vector<int>& others : classes_) {
        if (!is_exact(member, others.front()) || !is_exact(others.front(), member)) return false;
      }
      if (!is_exact(member, members[(i + 1) % members.size()])) return false;
    }
    return true;
  }

  bool is_exact(int from, int to) {
    if (from == to) return true;
    const std::optional<Path> right = path(from, to);
    return right ? network_.has_route(from, to) && network_.route(from, to).links == *right
                 : !network_.has_route(from, to);
  }

  // Without a loopback SimGrid sends a host's messages to itself over a default link, or, in a star, out and in again.
  // Neither is in the file, so that both are ignored.
  void read_loopback(int host) {
    Host& made = network_.hosts[host];
    const std::optional<Path> links = path_to_itself(host);
    if (!links) return;
    const auto is_way_out = [&](int link) { return std::find(made.up.begin(), made.up.end(), link) != made.up.end(); };
    if (std::none_of(links->begin(), links->end(), is_way_out) && !is_out_and_in(host, *links)) made.loopback = *links;
  }

  std::optional<Path> path_to_itself(int host) {
    const std::optional<EngineRoute> found = route(host, host);
    if (!found) return {};
    Path numbers;
    for (const s4u::Link* link : found->links) {
      if (link->get_name() == "__loopback__") return {};
      numbers.push_back(link_number(link));
    }
    return numbers;
  }

  bool is_out_and_in(int host, const Path& links) {
    for (int other = 0; other < static_cast<int>(hosts_.size()) && !links.empty(); ++other) {
      if (other == host || !network_.has_route(host, other)) continue;
      const Path out = network_.route(host, other).links;
      return !out.empty() && out.front() == links.front();
    }
    return false;
  }

  // -- what must be reachable

  // Every host must have a route; and there must be a route between any two hosts, unless others may relay.
  void check_routes() const {
    const bool relayed = may_relay();
    if (hosts_.size() < 2) return;
    for (const std::vector<int>& members : classes_) {
      if (members.size() == 1 && unreached(members).size() == classes_.size() - 1) {
        throw no_route(members.front(), "to any host and back");
      }
    }
    if (relayed) {
      check_reached_by_relays();
      return;
    }
    for (const std::vector<int>& members : classes_) {
      const std::vector<int> others = unreached(members);
      if (!others.empty())
        throw no_route(members.front(), "to and from host " + network_.hosts[others.front()].name,
                       ", or isthmus.missing_routes = relayed in the outermost zone if other hosts pass data on,");
    }
  }

  // Missing routes are meant where there are gateways, or where the outermost zone says so.
  bool may_relay() const {
    constexpr const char* key = "isthmus.missing_routes";
    const std::string value = zone_property(*engine_.get_netzone_root(), key);
    if (!value.empty() && value != "relayed") {
      throw source_.error(source_.element_of(key),
                          fmt::format("{}: \"{}\" is not right; \"relayed\" would be right", key, excerpt(value)));
    }
    return !value.empty() ||
           std::any_of(network_.hosts.begin(), network_.hosts.end(), [](const Host& host) { return host.gateway; });
  }

  // Every host must reach the first one, and be reached by it, through other hosts.
  void check_reached_by_relays() const {
    for (const bool from_first : {true, false}) {
      std::vector<bool> reached(classes_.size());
      std::vector<std::size_t> to_visit{0};
      reached[0] = true;
      while (!to_visit.empty()) {
        const int relay = classes_[to_visit.back()].front();
        to_visit.pop_back();
        for (std::size_t other = 0; other < classes_.size(); ++other) {
          const int host = classes_[other].front();
          if (reached[other] || !(from_first ? network_.has_route(relay, host) : network_.has_route(host, relay)))
            continue;
          reached[other] = true;
          to_visit.push_back(other);
        }
      }
      const auto missing = std::find(reached.begin(), reached.end(), false);
      if (missing == reached.end()) continue;
      const std::string first = network_.hosts[classes_.front().front()].name;
      throw no_route(classes_[static_cast<std::size_t>(missing - reached.begin())].front(),
                     (from_first ? "from host " : "to host ") + first + ", not even through others");
    }
  }

  // One host of each class without a route to and from this one.
  std::vector<int> unreached(const std::vector<int>& members) const {
    std::vector<int> found;
    for (const std::vector<int>& others : classes_) {
      if (&others == &members && members.size() == 1) continue;
      const int other = &others == &members ? members[1] : others.front();
      if (!network_.has_route(members.front(), other) || !network_.has_route(other, members.front()))
        found.push_back(other);
    }
    return found;
  }

  BadInput no_route(int host, const std::string& where, const std::string& otherwise = "") const {
    const std::string name = network_.hosts[host].name;
    return source_.error(
        source_.element_of(name),
        fmt::format("host {} has no route {}; a <route> or <zoneRoute>{} would be right", name, where, otherwise));
  }

  const s4u::Engine& engine_;
  const SourceFile& source_;
  Network network_;
  std::set<std::string> first_alike_;  // the first hosts of clusters whose hosts are alike
  bool has_levels_ = false;
  std::unordered_map<std::string, double> price_of_link_;  // by the id of the <link>
  std::vector<const s4u::Host*> hosts_;
  std::vector<std::vector<int>> classes_;  // by endpoint: the hosts that share it
  std::unordered_map<const s4u::Link*, int> link_numbers_;
  std::unordered_map<std::string, std::ptrdiff_t>
      place_of_host_;  // position of a host's name in the file, as an offset
};

}  // namespace

Network network_of(const s4u::Engine& engine, const SourceFile& source, const std::string& name,
                   const std::vector<NameRange>& alike) {
  return Reading(engine, source, name, alike).read();
}

}  // namespace isthmus
