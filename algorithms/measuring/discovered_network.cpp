#include "algorithms/measuring/discovered_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <string>

#include "algorithms/measuring/estimate.hpp"
#include "algorithms/measuring/part_latencies.hpp"

namespace isthmus {
namespace {

constexpr double same_both_ways = 0.005;  // latencies of two directions that differ by less count as one
constexpr double exact_rate = 5e-9;       // relative error of a rate by the best clocks
constexpr double exact_load = 1e-3;       // of a rate under load, which whole messages tell
constexpr double as_fast = 0.95;          // measured alone and with others
constexpr double half_a_byte = 0.5;
constexpr double narrow_exit = 0.9;  // all streams out of a part below this share of what hosts and lines give them
constexpr double narrower = 0.95;    // a stream below this share of its hosts' links is limited elsewhere

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

class NetworkMaker {
 public:
  explicit NetworkMaker(const MeasuredParts& parts)
      : parts_(parts), groups_(parts.groups), around_(parts_around(parts.groups)) {}

  Network make() {
    network_.name = "discovered";
    network_.transport = tcp_over_ethernet();
    // One overhead for both ends, as in LogP. A header that arrives takes no less, so that latencies are the same.
    network_.transport.send_overhead_s = network_.transport.receive_overhead_s =
        shortest_within(parts_.send_s, exact_s);
    for (const DiscoveredHost& seen : parts_.hosts) {
      Host& host = network_.hosts.emplace_back();
      host.name = seen.name;
      host.cores = seen.ranks;
      host.endpoint = static_cast<int>(network_.hosts.size()) - 1;
    }
    name_parts();
    name_zones(groups_.root(), {}, false);
    find_rates();
    find_narrow_exits();
    find_latencies();
    add_links();
    join();
    for (const auto& [host, loopback] : parts_.loopbacks)
      network_.hosts[host].loopback = {
          add_link(parts_.hosts[host].name + ":loopback", loopback.second, latency_s(loopback.first, loopback.second))};
    return std::move(network_);
  }

 private:
  using Pair = std::pair<int, int>;

  // ---- names
  /// Names hosts by their own names, and groups by the common prefix of their hosts' names; all names are different.
  void name_parts() {
    std::set<std::string> taken;
    for (int part = 0; part <= groups_.root(); ++part) {
      std::vector<std::string> hosts;
      for (const int host : groups_.points_of(part)) hosts.push_back(parts_.hosts[host].name);
      std::string name = common_name(hosts);
      if (name.empty()) name = "near-" + hosts.front();
      if (!taken.insert(name).second) name = fmt::format("{}#{}", name, part - groups_.points);
      taken.insert(name);
      names_.push_back(std::move(name));
    }
  }

  /// A host is a zone of its own beside groups, and beside hosts to which it has lines of its own.
  void name_zones(int part, std::vector<ZoneStep> around, bool is_zone) {
    static constexpr const char* levels[] = {"site", "machine", "node"};
    if (is_zone) {
      const std::size_t depth = around.size();
      around.push_back({depth < std::size(levels) ? levels[depth] : fmt::format("level{}", depth + 1), names_[part]});
    }
    if (groups_.is_point(part)) {
      network_.hosts[part].zones = std::move(around);
      return;
    }
    for (const int child : groups_.children[part])
      name_zones(child, around, !groups_.is_point(child) || (parts_.lone_hosts_are_zones && !is_star(part)));
  }

  // ---- figures
  bool is_star(int group) const {
    const auto known = parts_.stars.find(group);
    return known != parts_.stars.end() && known->second;
  }
  int lowest_host(int part) const { return groups_.points_of(part).front(); }

  /// The latency of a route, from the time of an empty message: without that of its header, or of the send, during
  /// which the header leaves, if it is longer.
  double latency_s(double empty_s, double rate_Bps) const { return latency_s(empty_s, rate_Bps, rate_Bps); }
  /// The same of half a round trip, with the rates of both directions.
  double latency_s(double empty_s, double there_Bps, double back_Bps) const {
    return std::max(0.0, empty_s - (header_s(there_Bps) + header_s(back_Bps)) / 2);
  }
  double header_s(double rate_Bps) const { return std::max(parts_.send_s, network_.transport.header_bytes / rate_Bps); }

  void find_rates() {
    out_Bps_.assign(parts_.hosts.size(), 0);
    in_Bps_.assign(parts_.hosts.size(), 0);
    for (int group = groups_.points; group <= groups_.root(); ++group) {
      const std::vector<int>& children = groups_.children[group];
      std::vector<double> known;
      for (const int from : children) {
        for (const int to : children) {
          const auto rate = parts_.rates_Bps.find({parts_.representatives[from], parts_.representatives[to]});
          if (from == to || rate == parts_.rates_Bps.end()) continue;
          known.push_back(rates_[{from, to}] = rate->second);
        }
      }
      const double usual = median(known);
      for (const int from : children)
        for (const int to : children)
          if (from != to) rates_.try_emplace({from, to}, usual);
      if (!is_star(group)) continue;
      std::vector<double*> figures;
      for (const int from : children) {
        for (const int to : children) {
          const auto rate = parts_.rates_Bps.find({from, to});
          if (from == to || rate == parts_.rates_Bps.end()) continue;
          out_Bps_[from] = std::max(out_Bps_[from], rate->second);
          in_Bps_[to] = std::max(in_Bps_[to], rate->second);
        }
        figures.push_back(&out_Bps_[from]);
      }
      for (const int host : children) figures.push_back(&in_Bps_[host]);
      even_out(figures);
    }
  }

  /// The innermost group around both hosts, as the two of its parts that hold them.
  Pair parts_between(int one, int other) const { return isthmus::parts_between(around_[one], around_[other]); }

  double route_rate_Bps(int from, int to, Pair parts) const {
    double rate = rates_.at(parts);
    for (const double own : {out_Bps_[from], in_Bps_[to]})
      if (own > 0) rate = std::min(rate, own);
    for_each_exit(from, to, parts, [&](int part) {
      if (const auto narrow = exit_Bps_.find(part); narrow != exit_Bps_.end()) rate = std::min(rate, narrow->second);
    });
    return rate;
  }

  /// The parts that a route leaves and enters inside the two that it joins. A star's hosts have links instead.
  template <typename Visit>
  void for_each_exit(int from, int to, Pair parts, const Visit& visit) const {
    for (const auto& [host, outermost] : {Pair(from, parts.first), Pair(to, parts.second)}) {
      const std::vector<int>& around = around_[host];
      for (std::size_t i = around.size(); i-- > 0 && around[i] != outermost;)
        if (!groups_.is_point(around[i]) || !is_star(around[i - 1])) visit(around[i]);
    }
  }

  /// A part that all messages from and to hosts outside its group leave or enter more slowly than hosts and lines allow
  /// has a narrow way out.
  void find_narrow_exits() {
    std::map<int, double> narrow_Bps;
    std::set<int> wide;
    for (const auto& [hosts, rate] : parts_.rates_Bps) {
      const auto [from, to] = hosts;
      if (from == to) continue;
      const Pair parts = parts_between(from, to);
      const bool is_narrow = rate < narrow_exit * route_rate_Bps(from, to, parts);
      for_each_exit(from, to, parts, [&, measured_Bps = rate](int part) {
        if (is_narrow)
          narrow_Bps[part] = std::max(narrow_Bps[part], measured_Bps);
        else
          wide.insert(part);
      });
    }
    for (const int part : wide) narrow_Bps.erase(part);
    exit_Bps_ = std::move(narrow_Bps);
  }

  void find_latencies() {
    std::vector<MeasuredLatency> routes;
    for (const auto& [hosts, empty_s] : parts_.empty_s) {
      const auto [one, other] = hosts;
      if (one == other) continue;
      const Pair parts = parts_between(one, other);
      const double there_Bps = route_rate_Bps(one, other, parts),
                   back_Bps = route_rate_Bps(other, one, {parts.second, parts.first});
      routes.push_back({one, other, latency_s(empty_s, there_Bps, back_Bps), empty_s});
    }
    latencies_ = part_latencies(groups_, parts_.stars, routes);
  }

  double between_s(Pair parts) const {
    const auto known = latencies_.line.find(std::minmax(parts.first, parts.second));
    if (known != latencies_.line.end()) return known->second;
    // A pair that was not measured: as the others of its group.
    std::vector<double> others;
    for (const auto& [pair, seconds] : latencies_.line)
      if (groups_.is_point(pair.first) == groups_.is_point(parts.first)) others.push_back(seconds);
    return others.empty() ? 0 : median(others);
  }

  /// How much sooner than in the mean of both directions messages from the first part reach the other.
  double sooner_s(Pair parts) const {
    const int from = lowest_host(parts.first), to = lowest_host(parts.second);
    const auto known = parts_.sooner_s.find(std::minmax(from, to));
    if (known == parts_.sooner_s.end()) return 0;
    // A little of it comes from the processors of both ends.
    double sooner_s = from < to ? known->second : -known->second;
    // What the header takes less than in the mean of both directions is no latency.
    const double there_Bps = route_rate_Bps(from, to, parts),
                 back_Bps = route_rate_Bps(to, from, {parts.second, parts.first});
    sooner_s -= (header_s(back_Bps) - header_s(there_Bps)) / 2;
    return std::abs(sooner_s) < same_both_ways * between_s(parts) ? 0 : sooner_s;
  }

  // ---- links
  /// Figures have as few digits as measurements allow, so that two discoveries of a quiet network give the same one.
  int add_link(std::string name, double bandwidth_Bps, double latency_s, Sharing sharing = Sharing::shared) {
    const double rate = shortest_within(bandwidth_Bps, std::max(half_a_byte, exact_rate * bandwidth_Bps));
    network_.links.push_back({std::move(name), std::max(1.0, rate), shortest_within(latency_s, exact_s), sharing});
    return static_cast<int>(network_.links.size()) - 1;
  }

  /// Links that a route shares with others: at the part where it begins, at neither part, and where it ends.
  struct Shared {
    std::vector<int> out, on_the_way, in;
  };

  static bool is_bus(const SharedLink& shared) { return shared.routes.contains({shared.part, shared.part}); }

  /// Buses to which hosts have no links of their own, as on a cable: no host is slower than the bus, none is further
  /// away, and all messages of the group cross the bus.
  void find_cables() {
    const std::vector<int>& outermost = groups_.children[groups_.root()];
    for (const SharedLink& bus : parts_.load.shared) {
      if (!is_bus(bus) || latencies_.bent.contains(bus.part)) continue;
      const std::vector<int>& hosts = groups_.children[bus.part];
      const double of_host_s = latencies_.of_host[hosts.front()];
      bool is_cable = bus.part == groups_.root() || std::ranges::count(outermost, bus.part) > 0;
      for (const int host : hosts)
        is_cable = is_cable && latencies_.of_host[host] == of_host_s &&
                   std::min(out_Bps_[host], in_Bps_[host]) >= as_fast * bus.bandwidth_Bps;
      for (const int other : outermost)
        is_cable =
            is_cable && (other == bus.part || bus.part == groups_.root() ||
                         (bus.routes.contains({bus.part, other}) && between_s({bus.part, other}) >= 2 * of_host_s));
      if (is_cable) cables_s_[bus.part] = of_host_s;
    }
  }

  /// The latency of half a cable; 0 if the part is none.
  double cable_s(int part) const {
    const auto found = cables_s_.find(part);
    return found == cables_s_.end() ? 0 : found->second;
  }

  void add_links() {
    find_cables();
    for (int group = groups_.points; group <= groups_.root(); ++group) {
      const std::vector<int>& parts = groups_.children[group];
      const bool star = is_star(group), bent = latencies_.bent.contains(group);
      if (star) {
        for (const int host : parts) {
          Host& of = network_.hosts[host];
          if (!bent) of.endpoint = group;
          if (cables_s_.contains(group)) continue;
          if (parts_.load.half_duplex_hosts.contains(group)) {
            of.up = of.down = {
                add_link(of.name + ":wire", std::max(out_Bps_[host], in_Bps_[host]), latencies_.of_host[host])};
            continue;
          }
          of.up = {add_link(of.name + ":out", out_Bps_[host], latencies_.of_host[host])};
          of.down = {add_link(of.name + ":in", in_Bps_[host], latencies_.of_host[host])};
        }
        if (!bent) continue;
      }
      for (const int from : parts)
        for (const int to : parts)
          if (from != to) add_line({from, to}, star);
    }
    for (const SharedLink& shared : parts_.load.shared) {
      const std::string name =
          shared.part < 0 ? fmt::format("line-{}", ++lines_) : fmt::format("{}:{}", names_[shared.part], shared.name);
      const double latency_s = is_bus(shared) ? 2 * cable_s(shared.part) : 0;
      const int link =
          add_link(name, shortest_within(shared.bandwidth_Bps, exact_load * shared.bandwidth_Bps), latency_s);
      for (const Pair& route : shared.routes) {
        Shared& links = shared_[route];
        std::vector<int>& at = shared.part < 0 ? links.on_the_way : route.first == shared.part ? links.out : links.in;
        at.push_back(link);
        ++routes_to_[{link, route.second}];
      }
    }
    for (const auto& [route, shared] : shared_) leave_queueing_to(shared, route);
    for (int part = 0; part < groups_.root(); ++part) {
      const auto narrow = exit_Bps_.find(part);
      if (latencies_.of_exit[part] == 0 && narrow == exit_Bps_.end()) continue;
      exits_[part] = add_link(names_[part] + ":exit", narrow == exit_Bps_.end() ? greatest_Bps() : narrow->second,
                              latencies_.of_exit[part], Sharing::fatpipe);
    }
  }

  /// What slows no message down.
  double greatest_Bps() const {
    double greatest = 0;
    for (const auto& [parts, rate] : rates_) greatest = std::max(greatest, rate);
    for (const std::vector<double>* rates : {&out_Bps_, &in_Bps_})
      greatest = std::max(greatest, *std::ranges::max_element(*rates));
    return greatest;
  }

  /// The line of two parts whose rate is that of a link that it shares with others is a latency only: messages wait at
  /// the shared link.
  void leave_queueing_to(const Shared& shared, Pair parts) {
    const auto line = lines_of_.find(parts);
    if (line == lines_of_.end() || line->second.size() > 1) return;
    if (const auto back = lines_of_.find({parts.second, parts.first});
        back != lines_of_.end() && back->second == line->second)
      return;
    double slowest_Bps = infinite;
    for (const std::vector<int>* links : {&shared.out, &shared.on_the_way, &shared.in})
      for (const int link : *links) slowest_Bps = std::min(slowest_Bps, network_.links[link].bandwidth_Bps);
    Link& own = network_.links[line->second.front()];
    if (own.bandwidth_Bps < as_fast * slowest_Bps) return;
    own.bandwidth_Bps = std::max(own.bandwidth_Bps, slowest_Bps);
    own.sharing = Sharing::fatpipe;
  }

  /// The link from one part of a group to another. In a star of hosts with links of their own it is a latency only.
  void add_line(Pair parts, bool latency_only) {
    const std::string name = names_[parts.first] + ":" + names_[parts.second];
    const double rate = rates_.at(parts), own_s = std::max(0.0, between_s(parts) - sooner_s(parts) -
                                                                    cable_s(parts.first) - cable_s(parts.second));
    if (latency_only) {
      lines_of_[parts] = {add_link(name, rate, own_s, Sharing::fatpipe)};
      return;
    }
    const LoadResult& load = parts_.load;
    if (load.half_duplex.contains(std::minmax(parts.first, parts.second))) {
      if (const auto back = lines_of_.find({parts.second, parts.first}); back != lines_of_.end()) {
        lines_of_[parts] = back->second;
        return;
      }
      const double both = std::max(rate, rates_.at({parts.second, parts.first}));
      lines_of_[parts] = {add_link(name, both, own_s)};
      return;
    }
    if (load.one_stream_each.contains(parts)) {
      lines_of_[parts] = {add_link(name, rate, own_s, Sharing::fatpipe)};
      return;
    }
    const auto capacity = load.capacity_Bps.find(parts);
    lines_of_[parts] = {add_link(name, capacity == load.capacity_Bps.end() ? rate : capacity->second, own_s)};
    if (capacity == load.capacity_Bps.end()) return;
    // One stream does not fill it. Where the hosts' own links do not explain that, something limits each stream.
    const int from = parts_.representatives[parts.first], to = parts_.representatives[parts.second];
    double own_Bps = std::max(out_Bps_[from], in_Bps_[to]);
    for (const double host_Bps : {out_Bps_[from], in_Bps_[to]})
      if (host_Bps > 0) own_Bps = std::min(own_Bps, host_Bps);
    if (own_Bps == 0 || rate < narrower * own_Bps)
      lines_of_[parts].push_back(add_link(name + ":stream", rate, 0, Sharing::fatpipe));
  }

  const Shared& shared_by(Pair route) const {
    static const Shared none;
    const auto found = shared_.find(route);
    return found == shared_.end() ? none : found->second;
  }

  /// The link that routes cross on their way out of a part, and into it.
  std::vector<int> exit_of(int part) const {
    const auto found = exits_.find(part);
    return found == exits_.end() ? std::vector<int>{} : std::vector<int>{found->second};
  }

  static void append(std::vector<int>& links, const std::vector<int>& more) {
    for (const int link : more)
      if (std::ranges::find(links, link) == links.end()) links.push_back(link);
  }

  /// Trunks between all endpoints. Links lie in the order in which messages meet them, so that each link leads to each
  /// host in one way: exits of the sender's parts, the line of the two parts, what it shares with other lines, and the
  /// entrances of the receiver's parts. Of links that a line shares those that more of the routes to its end cross come
  /// later, as along the branches of a tree.
  void join() {
    std::map<int, int> hosts;  // one of each endpoint
    for (std::size_t host = 0; host < network_.hosts.size(); ++host)
      hosts.try_emplace(network_.hosts[host].endpoint, static_cast<int>(host));
    for (const auto& [from, out] : hosts) {
      for (const auto& [to, in] : hosts) {
        std::vector<int>& links = network_.trunks[{from, to}].links;
        if (from == to) {
          append(links, shared_by({from, from}).out);
          continue;
        }
        const Pair parts = parts_between(out, in);
        const std::vector<int>&a = around_[out], &b = around_[in];
        const auto depth = static_cast<std::size_t>(std::ranges::find(a, parts.first) - a.begin());
        for (std::size_t i = a.size(); i-- > depth + 1;) {
          append(links, shared_by({a[i], outside_group}).out);
          append(links, exit_of(a[i]));
        }
        const Shared& shared = shared_by(parts);
        append(links, shared.out);
        append(links, lines_of_.at(parts));
        std::vector<int> joining = shared.on_the_way;
        append(joining, shared.in);
        std::ranges::stable_sort(joining, {}, [&](int link) { return routes_to_.at({link, parts.second}); });
        append(links, joining);
        // A bus around two hosts with trunks of their own.
        if (groups_.is_point(parts.first) && groups_.is_point(parts.second))
          append(links, shared_by({a[depth - 1], a[depth - 1]}).out);
        for (std::size_t i = depth + 1; i < b.size(); ++i) {
          append(links, exit_of(b[i]));
          append(links, shared_by({outside_group, b[i]}).in);
        }
      }
    }
  }

  const MeasuredParts& parts_;
  const Partition& groups_;
  Network network_;
  std::vector<std::string> names_;  // by part
  const std::vector<std::vector<int>> around_;
  std::vector<double> out_Bps_, in_Bps_;  // of hosts in stars; 0: no link of its own
  std::map<Pair, double> rates_;          // by parts of one group
  std::map<int, double> exit_Bps_;        // by part, where its way out is narrow
  PartLatencies latencies_;
  std::map<Pair, std::vector<int>> lines_of_;  // links by parts
  std::map<int, double> cables_s_;             // seconds of half of each, by group
  std::map<int, int> exits_;                   // likewise, by part
  std::map<Pair, int> routes_to_;              // number of routes by shared link and the part where they end
  std::map<Pair, Shared> shared_;              // likewise
  int lines_ = 0;
};

}  // namespace

Network network_of(const MeasuredParts& parts) { return NetworkMaker(parts).make(); }

}  // namespace isthmus
