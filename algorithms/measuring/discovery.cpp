#include "algorithms/measuring/discovery.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "algorithms/errors.hpp"
#include "algorithms/json/json_reader.hpp"
#include "algorithms/measuring/eco_subnets.hpp"
#include "algorithms/measuring/estimate.hpp"
#include "algorithms/text/printable.hpp"

namespace isthmus {

using nlohmann::json;

json to_json(const DiscoverySettings& settings) {
  return {{"alike", settings.alike},
          {"eco_threshold", settings.eco_threshold},
          {"most_in_full", settings.max_in_full},
          {"repetitions", settings.repetitions},
          {"long_repetitions", settings.long_repetitions},
          {"long_bytes", settings.long_bytes}};
}

void set_rule(DiscoverySettings& settings, std::string_view rule) {
  constexpr std::string_view levels = "levels", eco = "eco:";
  settings.eco_threshold = 0;
  if (rule == levels) return;
  if (rule == eco.substr(0, eco.size() - 1)) {
    settings.eco_threshold = eco_threshold;
    return;
  }
  const std::string_view number = rule.starts_with(eco) ? rule.substr(eco.size()) : std::string_view();
  const char* const end = number.data() + number.size();
  const auto [rest, error] = std::from_chars(number.data(), end, settings.eco_threshold);
  if (number.empty() || error != std::errc{} || rest != end || !(settings.eco_threshold >= 1) ||
      settings.eco_threshold > 1000)
    throw BadInput(fmt::format("rule {}: levels, eco, or eco:THRESHOLD with a factor from 1 to 1000 would be right",
                               excerpt(rule)));
}

DiscoverySettings discovery_settings_from_json(const json& value) {
  const JsonReader reader(value, "discovery");
  const auto integer = [&](const char* key, std::int64_t least, std::int64_t most) {
    return reader.at(key).integer(least, most);
  };
  DiscoverySettings settings;
  settings.alike = reader.at("alike").number_from(1, 1000);
  settings.eco_threshold = reader.at("eco_threshold").number_from(0, 1000);
  settings.max_in_full = static_cast<int>(integer("most_in_full", 2, 1000000));
  settings.repetitions = static_cast<int>(integer("repetitions", 1, 10000));
  settings.long_repetitions = static_cast<int>(integer("long_repetitions", 1, 10000));
  settings.long_bytes = integer("long_bytes", 2, 1 << 30);
  return settings;
}

namespace {

constexpr int max_parts_in_full = 8;
constexpr double shares_from = 1.5;  // two messages that take this factor longer together than one share a link
constexpr double same_within =
    0.05;                       // figures of links that differ by less count as one figure, measured several times
constexpr double min_s = 1e-9;  // minimum distance; it would be 0 with a clock that stands still

/// The common prefix of the names of a group's hosts: `c2` of c2-0 and c2-1.
std::string common_name(const std::vector<std::string>& names) {
  std::string common = names.front();
  for (const std::string& name : names) {
    const auto [at, there] = std::mismatch(common.begin(), common.end(), name.begin(), name.end());
    common.erase(at, common.end());
  }
  while (names.size() > 1 && !common.empty() && std::string("-_.").find(common.back()) != std::string::npos)
    common.pop_back();
  return common;
}

/// Replaces latencies (or bandwidths) that are nearly equal by their median.
void even_out(std::vector<Link>& links, double Link::*figure) {
  std::vector<Link*> ascending;
  for (Link& link : links) ascending.push_back(&link);
  std::ranges::sort(ascending, {}, [&](const Link* link) { return link->*figure; });
  for (std::size_t first = 0; first < ascending.size();) {
    std::size_t end = first;
    std::vector<double> same;
    for (; end < ascending.size() && ascending[end]->*figure <= (1 + same_within) * (ascending[first]->*figure); ++end)
      same.push_back(ascending[end]->*figure);
    const double usual = median(same);
    for (; first < end; ++first) ascending[first]->*figure = usual;
  }
}

class Discovery {
 public:
  Discovery(const std::vector<DiscoveredHost>& hosts, const DiscoverySettings& settings, const PairProber& prober)
      : hosts_(hosts), settings_(settings), prober_(prober) {}

  Network run() {
    const Distance distance = [this](int from, int to) { return way_s(from, to); };
    const auto count = static_cast<int>(hosts_.size());
    groups_ = settings_.eco_threshold > 0 ? eco_partition(count, distance, settings_.eco_threshold)
                                          : partition(count, distance, settings_.alike, settings_.max_in_full);
    network_.name = "discovered";
    network_.transport = tcp_over_ethernet();
    network_.transport.send_overhead_s = network_.transport.receive_overhead_s =
        0;  // they are contained in the latencies
    for (const DiscoveredHost& seen : hosts_) {
      Host& host = network_.hosts.emplace_back();
      host.name = seen.name;
      host.cores = seen.ranks;
      host.endpoint = static_cast<int>(network_.hosts.size()) - 1;
    }
    name_parts();
    own_s_.assign(groups_.children.size(), 0);
    outlets_.assign(groups_.children.size(), Outlet{});
    cables_.assign(groups_.children.size(), -1);
    for (int part = groups_.points; part <= groups_.root(); ++part) measure(part);
    name_zones(groups_.root(), {});
    join();
    for (std::size_t host = 0; host < hosts_.size(); ++host)
      if (hosts_[host].ranks > 1) add_loopback(static_cast<int>(host));
    even_out(network_.links, &Link::latency_s);
    even_out(network_.links, &Link::bandwidth_Bps);
    return std::move(network_);
  }

 private:
  /// The shared links out of and into a part; -1: none.
  struct Outlet {
    int out = -1, in = -1;
  };

  double way_s(int from, int to) {
    const std::pair<int, int> key = std::minmax(from, to);
    const auto known = ways_s_.find(key);
    if (known != ways_s_.end()) return known->second;
    const double round_trip_s = prober_.round_trip_s(key.first, key.second, 0, settings_.repetitions);
    return ways_s_[key] = std::max(min_s, round_trip_s / 2);
  }

  /// The latency of a route, from the time of an empty message: without the time of its header.
  double latency_s(double empty_s, double rate_Bps) const {
    return std::max(0.0, empty_s - network_.transport.header_bytes / rate_Bps);
  }

  double long_round_trip_s(int from, int to, std::int64_t bytes) {
    return prober_.round_trip_s(from, to, bytes, settings_.long_repetitions);
  }

  double bandwidth_Bps(int from, int to) {
    const std::int64_t half = settings_.long_bytes / 2;
    const double half_s = long_round_trip_s(from, to, half), whole_s = long_round_trip_s(from, to, 2 * half);
    const double growth_s = whole_s - half_s;
    return growth_s > 0 ? static_cast<double>(half) / growth_s : 2 * static_cast<double>(half) / whole_s;
  }

  int lowest_host(int part) const { return groups_.points_of(part).front(); }

  bool is_of_hosts(int group) const {
    return std::ranges::all_of(groups_.children[group], [this](int child) { return groups_.is_point(child); });
  }

  /// Whether the first part of a group is slower when it sends to two others at once.
  bool shares_its_way_out(int group) {
    const std::vector<int>& parts = groups_.children[group];
    if (parts.size() < 3) return is_of_hosts(group);
    const std::vector<int> senders = groups_.points_of(parts[0]);
    const std::pair one(senders.front(), lowest_host(parts[1]));
    const std::pair other(senders[senders.size() > 1 ? 1 : 0], lowest_host(parts[2]));
    const std::int64_t bytes = settings_.long_bytes;
    const double alone_s =
        std::max(long_round_trip_s(one.first, one.second, bytes), long_round_trip_s(other.first, other.second, bytes));
    return prober_.together_s(one, other, bytes, settings_.long_repetitions) > shares_from * alone_s;
  }

  /// Whether messages between hosts of a group wait for each other on one link: those of two pairs, or, of up to three
  /// hosts, those of both directions.
  bool shares_a_cable(int group) {
    const std::vector<int>& hosts = groups_.children[group];
    const std::pair one(hosts[0], hosts[1]);
    const std::pair other = hosts.size() > 3 ? std::pair(hosts[2], hosts[3]) : std::pair(hosts[1], hosts[0]);
    const std::int64_t bytes = settings_.long_bytes;
    const double alone_s =
        std::max(long_round_trip_s(one.first, one.second, bytes), long_round_trip_s(other.first, other.second, bytes));
    return prober_.together_s(one, other, bytes, settings_.long_repetitions) > shares_from * alone_s;
  }

  int add_link(std::string name, double bandwidth_Bps, double latency_s) {
    network_.links.push_back({std::move(name), bandwidth_Bps, latency_s});
    return static_cast<int>(network_.links.size()) - 1;
  }

  /// Names hosts by their own names, and groups by the common prefix of their hosts' names; all names are different.
  void name_parts() {
    std::set<std::string> taken;
    for (int part = 0; part <= groups_.root(); ++part) {
      std::vector<std::string> hosts;
      for (const int host : groups_.points_of(part)) hosts.push_back(hosts_[host].name);
      std::string name = common_name(hosts);
      if (name.empty()) name = "near-" + hosts.front();
      if (!taken.insert(name).second) name = fmt::format("{}#{}", name, part - groups_.points);
      taken.insert(name);
      names_.push_back(std::move(name));
    }
  }

  /// Links between the parts of a group; inner groups are complete.
  void measure(int group) {
    const std::vector<int>& parts = groups_.children[group];
    const bool shares = shares_its_way_out(group);
    const bool is_star = shares && is_of_hosts(group);
    const auto count = static_cast<int>(parts.size());
    std::map<std::pair<int, int>, double> found_Bps;  // by indices of parts
    const auto find = [&](int from, int to) {
      found_Bps[{from, to}] = bandwidth_Bps(lowest_host(parts[from]), lowest_host(parts[to]));
    };
    for (int from = 0; from < count; ++from) {
      if (count > max_parts_in_full || is_star) {
        if (from + 1 >= std::min(count, max_parts_in_full)) continue;
        find(from, from + 1);
        find(from + 1, from);
        continue;
      }
      for (int to = 0; to < count; ++to)
        if (from != to) find(from, to);
    }
    std::vector<double> rates, ways;
    for (const auto& [pair, rate] : found_Bps) rates.push_back(rate);
    for (int from = 0; from + 1 < count; ++from)
      ways.push_back(way_s(lowest_host(parts[from]), lowest_host(parts[from + 1])));
    const double usual_Bps = median(rates), usual_s = median(ways);
    if (is_star) {
      const bool is_cable = shares_a_cable(group);
      const double own_s = latency_s(usual_s, usual_Bps) / (is_cable ? 1 : 2);
      own_s_[group] = own_s;
      if (is_cable) cables_[group] = add_link(names_[group] + ":cable", usual_Bps, own_s);
      for (const int host : parts) {
        Host& of = network_.hosts[host];
        own_s_[host] = own_s;
        if (is_cable) {
          for (const int other : parts)
            if (other != host) trunks_[{host, other}] = cables_[group];
          continue;
        }
        of.endpoint = group;
        of.up = {add_link(of.name + ":out", usual_Bps, own_s)};
        of.down = {add_link(of.name + ":in", usual_Bps, own_s)};
      }
      return;
    }
    std::vector<std::pair<double, double>> best(count);  // the lowest latencies out of and into each part
    for (int from = 0; from < count; ++from) {
      for (int to = 0; to < count; ++to) {
        if (from == to) continue;
        const int one = lowest_host(parts[from]), other = lowest_host(parts[to]);
        const auto measured = found_Bps.find({from, to});
        const double rate = measured == found_Bps.end() ? usual_Bps : measured->second;
        const auto known = ways_s_.find(std::minmax(one, other));
        const double all_s = known == ways_s_.end() ? usual_s : known->second;
        trunks_[{parts[from], parts[to]}] =
            add_link(names_[parts[from]] + ":" + names_[parts[to]], rate,
                     std::max(0.0, latency_s(all_s, rate) - own_s_[one] - own_s_[other]));
        best[from].first = std::max(best[from].first, rate);
        best[to].second = std::max(best[to].second, rate);
      }
    }
    for (int place = 0; shares && place < count; ++place) {
      const std::string& name = names_[parts[place]];
      outlets_[parts[place]] = {add_link(name + ":out", best[place].first, 0),
                                add_link(name + ":in", best[place].second, 0)};
    }
  }

  void name_zones(int part, std::vector<ZoneStep> around) {
    static constexpr const char* levels[] = {"site", "machine", "node"};
    if (groups_.is_point(part)) {
      network_.hosts[part].zones = std::move(around);
      return;
    }
    if (part != groups_.root()) {
      const std::size_t depth = around.size();
      around.push_back({depth < std::size(levels) ? levels[depth] : fmt::format("level{}", depth + 1), names_[part]});
    }
    for (const int child : groups_.children[part]) name_zones(child, around);
  }

  /// Trunks between all endpoints: the links between the two parts in which they differ.
  void join() {
    struct Way {
      int endpoint = 0;
      std::vector<int> parts;  ///< the parts that contain it, outermost first
    };
    std::map<int, std::vector<int>> parts_around;  // by endpoint
    const auto walk = [&](const auto& self, int part, std::vector<int> around) -> void {
      around.push_back(part);
      if (groups_.is_point(part)) {
        const int endpoint = network_.hosts[part].endpoint;
        if (endpoint != part) around.pop_back();
        parts_around.try_emplace(endpoint, std::move(around));
        return;
      }
      for (const int child : groups_.children[part]) self(self, child, around);
    };
    walk(walk, groups_.root(), {});
    for (const auto& [from, out] : parts_around) {
      for (const auto& [to, in] : parts_around) {
        Trunk& trunk = network_.trunks[{from, to}];
        if (from == to) continue;
        const auto [at, there] = std::mismatch(out.begin(), out.end(), in.begin(), in.end());
        const auto cable_of = [&](auto first, auto end) {
          const auto found = std::find_if(first, end, [&](int part) { return cables_[part] >= 0; });
          if (found != end) trunk.links.push_back(cables_[*found]);
        };
        cable_of(at, out.end());
        if (outlets_[*at].out >= 0) trunk.links.push_back(outlets_[*at].out);
        trunk.links.push_back(trunks_.at({*at, *there}));
        if (outlets_[*there].in >= 0) trunk.links.push_back(outlets_[*there].in);
        cable_of(there, in.end());
      }
    }
  }

  void add_loopback(int host) {
    const double empty_s = std::max(min_s, prober_.round_trip_s(host, host, 0, settings_.repetitions) / 2);
    const double rate_Bps = bandwidth_Bps(host, host);
    network_.hosts[host].loopback = {add_link(hosts_[host].name + ":loopback", rate_Bps, latency_s(empty_s, rate_Bps))};
  }

  const std::vector<DiscoveredHost>& hosts_;
  const DiscoverySettings& settings_;
  const PairProber& prober_;
  Partition groups_;
  Network network_;
  std::map<std::pair<int, int>, double> ways_s_;
  std::map<std::pair<int, int>, int> trunks_;  // link by the two parts
  std::vector<Outlet> outlets_;                // by part
  std::vector<int> cables_;                    // by part, of hosts; -1: none
  std::vector<double> own_s_;                  // the latency of the part's own links
  std::vector<std::string> names_;             // by part
};

}  // namespace

Network discover_network(const std::vector<DiscoveredHost>& hosts, const DiscoverySettings& settings,
                         const PairProber& prober) {
  if (hosts.size() < 2)
    throw BadInput(fmt::format("discovery: ranks on {} host; two hosts or more would be right", hosts.size()));
  std::set<std::string> names;
  for (const DiscoveredHost& host : hosts)
    if (!names.insert(host.name).second)
      throw BadInput(fmt::format("discovery: two hosts are called {}; names that differ would be right", host.name));
  return Discovery(hosts, settings, prober).run();
}

}  // namespace isthmus
