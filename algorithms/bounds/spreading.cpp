#include "algorithms/bounds/spreading.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "algorithms/bounds/postal.hpp"

namespace isthmus::bounds {
namespace {

constexpr std::size_t max_trunks = 1 << 18;
constexpr int max_sources = 256;

enum class Time : std::uint8_t { forwards, backwards };

/// The least time that a message of at least so many bytes occupies a link.
double least_gap_s(const Network& network, const Link& link, double bytes) {
  if (link.link_class < 0) return (bytes + network.transport.header_bytes) / link.bandwidth_Bps;
  const LinkClass& of = network.classes.at(link.link_class);
  double gap_s = of.gap(bytes);
  for (const SizeFunction::Point& point : of.gap.points())
    if (point.bytes > bytes) gap_s = std::min(gap_s, point.seconds);
  double factor = 1;
  for (const auto& [destinations, of_these] : of.gap_factors) factor = std::min(factor, of_these);
  return gap_s * factor;
}

double least(const SizeFunction& overhead) {
  double least_s = infinite;
  for (const SizeFunction::Point& point : overhead.points()) least_s = std::min(least_s, point.seconds);
  return least_s;
}

/// Messages of the least size. Backwards, a host sends what it really receives.
class Words {
 public:
  Words(const Demand& demand, Time time)
      : demand_(demand),
        backwards_(time == Time::backwards),
        bytes_(carries_data(demand.collective()) ? static_cast<double>(demand.problem().element_bytes) : 0) {
    const Transport& transport = demand.network().transport;
    overhead_s_ = backwards_ ? transport.receive_overhead_s : transport.send_overhead_s;
    for (const LinkClass& one : demand.network().classes)
      overhead_s_ = std::min(overhead_s_, least(backwards_ ? one.receive_overhead : one.send_overhead));
  }

  bool backwards() const { return backwards_; }
  double bytes() const { return bytes_; }
  double overhead_s(int host) const { return demand_.ranks_on(host).size() == 1 ? overhead_s_ : 0; }
  /// The time on the slowest shared link, and which it is; 0 and -1 without shared links.
  std::pair<double, int> slowest(std::span<const int> links) const {
    std::pair<double, int> slowest = {0, -1};
    for (const int link : links)
      if (const Link& one = demand_.network().links[link]; one.sharing == Sharing::shared)
        slowest = std::max(slowest, {least_gap_s(demand_.network(), one, bytes_), link});
    return slowest;
  }
  const LinkList& out_of(int host) const {
    const Host& of = demand_.network().hosts[host];
    return backwards_ ? of.down : of.up;
  }
  const LinkList& into(int host) const {
    const Host& of = demand_.network().hosts[host];
    return backwards_ ? of.up : of.down;
  }

 private:
  const Demand& demand_;
  bool backwards_;
  double bytes_, overhead_s_;
};

/// The hosts at one endpoint.
struct Place {
  double hosts = 0;
  double gap_s = infinite, out_s = infinite, in_s = infinite;  ///< the least of one; out, in: latency of its own links
  double latency_s = infinite;                                 ///< from one of its hosts to another, with the gap
  double inflow_from_s = infinite;                             ///< the least latency from another place
  double words_per_s = 0;                                      ///< that can come from other places
};

class Spreading {
 public:
  Spreading(const Demand& demand, Time time, bool with_overheads) : demand_(demand), words_(demand, time) {
    add_hosts(with_overheads);
    add_routes();
  }

  /// From `origin`, a host, or from every host (-1), `begin_s` after the start.
  void consider(int origin, double begin_s, BestBound& best) const {
    const auto offer = [&](double seconds) { best.offer(begin_s + seconds, BoundKind::spreading, words_.bytes()); };
    if (std::isfinite(latency_s_))
      offer(spreading_s({.gap_s = gap_s_, .latency_s = latency_s_, .inflow_gap_s = infinite},
                        static_cast<double>(demand_.hosts().size())));
    const std::map<int, double> distances = distances_s(origin);
    for (const auto& [endpoint, place] : places_) {
      const auto distance = distances.find(endpoint);
      if (place.hosts < 2 || distance == distances.end() || !std::isfinite(place.latency_s)) continue;
      const bool starts_here = distance->second <= 0;
      PostalModel model = {.gap_s = place.gap_s, .latency_s = place.latency_s, .start = starts_here ? 1.0 : 0.0};
      model.inflow_from_s = starts_here ? place.inflow_from_s : distance->second;
      model.inflow_gap_s =
          std::isfinite(model.inflow_from_s) && place.words_per_s > 0 ? 1 / place.words_per_s : infinite;
      offer(spreading_s(model, place.hosts));
    }
  }

  /// By how much a broadcast of the vector from here begins later than that of one element.
  double begin_s(int root_host) const {
    const double bandwidth_Bps = route_cost(demand_.network(), words_.out_of(root_host)).bandwidth_Bps;
    return std::max(0.0, demand_.vector_bytes() / bandwidth_Bps - words_.slowest(words_.out_of(root_host)).first);
  }

 private:
  int endpoint_of_class(int number) const {
    return demand_.network().hosts[demand_.hosts_of_class(number).front()].endpoint;
  }

  void add_hosts(bool with_overheads) {
    for (int number = 0; number < demand_.graph().classes(); ++number) {
      const std::vector<int>& hosts = demand_.hosts_of_class(number);
      const std::vector<int>&out = words_.out_of(hosts.front()), &in = words_.into(hosts.front());
      Place& place = places_[endpoint_of_class(number)];
      place.hosts += static_cast<double>(hosts.size());
      for (const int host : hosts)
        place.gap_s = std::min(place.gap_s, std::max(words_.slowest(words_.out_of(host)).first,
                                                     with_overheads ? words_.overhead_s(host) : 0));
      place.out_s = std::min(place.out_s, route_cost(demand_.network(), out).latency_s);
      place.in_s = std::min(place.in_s, route_cost(demand_.network(), in).latency_s);
      gap_s_ = std::min(gap_s_, place.gap_s);
    }
  }

  void add_routes() {
    std::map<int, std::set<int>> links_into;  // the slowest of each route, by endpoint
    for (const auto& [ends, trunk] : demand_.network().trunks) {
      const auto from = places_.find(words_.backwards() ? ends.second : ends.first);
      const auto to = places_.find(words_.backwards() ? ends.first : ends.second);
      if (from == places_.end() || to == places_.end()) continue;
      Place& place = to->second;
      const double latency_s = from->second.out_s + route_cost(demand_.network(), trunk.links).latency_s + place.in_s;
      if (from != to || place.hosts > 1) latency_s_ = std::min(latency_s_, latency_s + from->second.gap_s);
      if (from == to) {
        place.latency_s = latency_s + place.gap_s;
        continue;
      }
      place.inflow_from_s = std::min(place.inflow_from_s, latency_s);
      const auto [seconds, link] = words_.slowest(trunk.links);
      if (link < 0 || seconds <= 0)
        place.words_per_s = infinite;
      else if (links_into[to->first].insert(link).second)
        place.words_per_s += 1 / seconds;
    }
  }

  /// By endpoint: the least time from the origin to one of its hosts (backwards: from it to the origin), or from the
  /// host from which it takes longest; 0 where the origin is. Empty where that takes too long to find.
  std::map<int, double> distances_s(int origin) const {
    const LinkGraph& graph = demand_.graph();
    std::map<int, double> distances;
    if ((origin < 0 || words_.backwards()) && graph.classes() > max_sources) return distances;
    const int end = origin < 0 ? -1 : demand_.network().hosts[origin].endpoint;
    std::map<std::pair<int, int>, double> least_s;  // by (origin's endpoint, endpoint)
    for (int from = 0; from < graph.classes(); ++from) {
      const int here = endpoint_of_class(from);
      if (!words_.backwards() && end >= 0 && here != end) continue;
      const std::vector<double> seconds = graph.distances_s(one_of(demand_, from));
      for (int to = 0; to < graph.classes(); ++to) {
        const int there = endpoint_of_class(to);
        const std::pair<int, int> key = words_.backwards() ? std::pair(there, here) : std::pair(here, there);
        if (end >= 0 && key.first != end) continue;
        double& known_s = least_s.try_emplace(key, infinite).first->second;
        known_s = std::min(known_s, here == there ? 0 : seconds[to]);
      }
    }
    for (const auto& [key, seconds] : least_s) {
      double& known_s = distances.try_emplace(key.second, 0).first->second;
      known_s = std::max(known_s, seconds);
    }
    return distances;
  }

  const Demand& demand_;
  Words words_;
  std::map<int, Place> places_;
  double gap_s_ = infinite, latency_s_ = infinite;
};

void consider_from_and_to(const Demand& demand, Time time, int origin, BestBound& best) {
  const Spreading spreading(demand, time, true);
  spreading.consider(origin, 0, best);
  const Collective collective = demand.collective();
  if (collective != Collective::broadcast && collective != Collective::reduce) return;
  const double begin_s = spreading.begin_s(origin);
  if (begin_s > 0) Spreading(demand, time, false).consider(origin, begin_s, best);
}

}  // namespace

void consider_spreading(const Demand& demand, BestBound& best) {
  const Collective collective = demand.collective();
  if (std::ranges::any_of(demand.problem().counts, [](std::int64_t count) { return count == 0; })) return;
  if (demand.network().trunks.size() > max_trunks) return;
  const int root_host = demand.host(demand.problem().root);
  const bool to_root = collective == Collective::reduce || is_gather(collective);
  if (has_root(collective)) {
    consider_from_and_to(demand, to_root ? Time::backwards : Time::forwards, root_host, best);
    return;
  }
  const bool scan = is_scan(collective);
  consider_from_and_to(demand, Time::forwards, scan ? demand.host(0) : -1, best);
  consider_from_and_to(demand, Time::backwards, scan ? demand.host(demand.size() - 1) : -1, best);
}

}  // namespace isthmus::bounds
