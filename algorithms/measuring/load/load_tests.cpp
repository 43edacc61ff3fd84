#include "algorithms/measuring/load/load_tests.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>

#include "algorithms/measuring/load/separate_links.hpp"
#include "algorithms/measuring/load/sharing.hpp"

namespace isthmus {
namespace {

constexpr double windows_overlap = 3;  // window of streams that start at once, over the difference of their ways
constexpr double carries_more = 1.5;   // factor by which twice the streams must exceed the others to be side by side
constexpr double as_much = 0.95;       // two links that carry as much as each other may be one
constexpr std::size_t max_streams = 8;
constexpr int max_parts_under_load = 24;
constexpr std::size_t min_parts_of_line = 3;
constexpr int min_slower_of_two_lines = 4;
constexpr double equal_part = 0.5;  // of an equal part of what a stream leaves, that shows others on its line
constexpr const char* both_directions = "both";  // a line as a link that the routes of both directions share

class LoadTests {
 public:
  LoadTests(const LoadInput& input, const PairProber& prober)
      : groups_(input.groups), input_(input), loads_(input, prober) {}

  LoadResult run() {
    for (int group = groups_.points; group <= groups_.root(); ++group) {
      const auto star = input_.stars.find(group);
      if (star != input_.stars.end() && star->second) {
        test_bus(group);
        continue;
      }
      const std::vector<int>& parts = groups_.children[group];
      if (parts.size() > max_parts_under_load) continue;
      test_all_at_once(parts);
      test_duplex(parts);
      test_streams(parts);
      const std::size_t first = result_.shared.size();
      for (const int part : parts) test_port(group, part);
      test_lines(parts);
      join_links(first, parts);
    }
    return std::move(result_);
  }

 private:
  using Route = std::pair<int, int>;

  double rate_Bps(int from_part, int to_part) const { return loads_.rate_Bps({from_part, to_part}); }

  void test_bus(int group) {
    const std::vector<int>& hosts = groups_.children[group];
    std::vector<LoadedPair> ring;
    for (std::size_t i = 0; i < hosts.size(); ++i) {
      const int from = hosts[i], to = hosts[(i + 1) % hosts.size()];
      ring.push_back(loads_.pair_of(from, to, rate_Bps(from, to), {from, to}));
    }
    double alone = 0;
    for (const LoadedPair& pair : ring) alone += pair.alone_Bps;
    std::vector<double> loaded = loads_.at_once(ring);
    if (sum_of(loaded) >= shares_below * alone) return;
    const double at_first_Bps = sum_of(loaded);
    loaded = at_first_Bps > 0 ? loads_.at_once(ring, alone / at_first_Bps) : loads_.at_once_from_start(ring);
    if (is_half_duplex(ring, loaded)) {
      result_.half_duplex_hosts.insert(group);
      loads_.add_half_duplex(group);
      return;
    }
    SharedLink bus{"bus", group, sum_of(loaded), {{group, group}}};
    // Streams that are done early in the longer test count for more than they get.
    if (at_first_Bps > 0) bus.bandwidth_Bps = std::min(bus.bandwidth_Bps, at_first_Bps);
    // Two hosts together get no more than one of their streams gets alone.
    if (ring.size() == 2) bus.bandwidth_Bps = 0;
    // Messages that leave the group cross the bus too if they slow down those inside.
    if (loads_.parent(group) >= 0) {
      const int other = quickest_sibling(group);
      const LoadedPair leaving =
                           loads_.pair_of(hosts[0], loads_.host(other),
                                          rate_Bps_or(hosts[0], loads_.host(other), group, other), {group, other}),
                       inside = hosts.size() > 2 ? ring[1]
                                                 : loads_.pair_of(hosts[1], hosts[0], rate_Bps(hosts[1], hosts[0]),
                                                                  {hosts[1], hosts[0]});
      const std::vector<double> both = loads_.at_once({leaving, inside});
      if (both[0] + both[1] < shares_below * (leaving.alone_Bps + inside.alone_Bps)) {
        bus.routes.insert({{group, outside_group}, {outside_group, group}});
        for (const int sibling : groups_.children[loads_.parent(group)])
          if (sibling != group) bus.routes.insert({{group, sibling}, {sibling, group}});
        on_bus_.insert(group);
      }
    }
    set_rate(bus, std::ranges::max(ring, {}, &LoadedPair::alone_Bps).alone_Bps);
    if (on_bus_.contains(group)) buses_.push_back(bus);
    result_.shared.push_back(std::move(bus));
  }

  /// Whether hosts on a ring, each of which sends to the next, slow each other because each sends or receives at a
  /// time.
  bool is_half_duplex(const std::vector<LoadedPair>& ring, const std::vector<double>& loaded) const {
    if (ring.size() < 3) return false;  // a bus of two is the same
    if (ring.size() == 3) {
      // A bus carries one stream, three such links one and a half.
      double quickest_Bps = 0;
      for (const LoadedPair& pair : ring) quickest_Bps = std::max(quickest_Bps, pair.alone_Bps);
      return sum_of(loaded) > 1.25 * quickest_Bps;
    }
    std::vector<LoadedPair> apart;
    double alone = 0;
    for (std::size_t i = 0; i + 1 < ring.size(); i += 2) {
      apart.push_back(ring[i]);
      alone += ring[i].alone_Bps;
    }
    return sum_of(loads_.at_once(apart)) >= shares_below * alone;
  }

  double rate_Bps_or(int from, int to, int from_part, int to_part) const {
    const auto known = input_.rates_Bps.find({from, to});
    return known == input_.rates_Bps.end() ? rate_Bps(from_part, to_part) : known->second;
  }

  /// The part beside this one that messages reach at the highest rate: those over a slow line would hardly be slower.
  int quickest_sibling(int part) const {
    const std::vector<int>& parts = groups_.children[loads_.parent(part)];
    return *std::ranges::max_element(parts, {},
                                     [&](int sibling) { return sibling == part ? -1 : rate_Bps(part, sibling); });
  }

  /// What routes carry together where they share nothing but the buses at their ends.
  double over_buses_Bps(const std::vector<Route>& routes) const {
    return carried_Bps(buses_, routes, [this](Route route) { return loads_.rate_Bps(route); });
  }

  /// Every part sends to every other. Routes that are not slower then share nothing that another test would find.
  void test_all_at_once(const std::vector<int>& parts) {
    std::vector<Route> routes;
    double quickest_Bps = 0, shortest_s = std::numeric_limits<double>::infinity(), longest_s = 0;
    for (const int from : parts) {
      for (const int to : parts) {
        const double rate = from == to ? 0 : rate_Bps(from, to);
        if (rate == 0) continue;
        routes.emplace_back(from, to);
        quickest_Bps = std::max(quickest_Bps, rate);
        shortest_s = std::min(shortest_s, input_.way_s(loads_.host(from), loads_.host(to)));
        longest_s = std::max(longest_s, input_.way_s(loads_.host(from), loads_.host(to)));
      }
    }
    // Streams that end before others arrive show nothing.
    const double overlap_s = windows_overlap * (longest_s - shortest_s);
    if (routes.empty() || overlap_s > std::min(max_test_s, max_stream_bytes / quickest_Bps)) return;
    const RouteLoad all = loads_.load(routes);
    for (std::size_t i = 0; i < routes.size(); ++i)
      if (!all.is_slower(i)) unhindered_.insert(routes[i]);
  }

  /// Pairs of parts of which none is in two of a round.
  template <class Wanted>
  static std::vector<std::vector<Route>> rounds_of(const std::vector<int>& parts, Wanted is_wanted) {
    std::vector<std::vector<Route>> rounds;
    std::vector<std::set<int>> busy;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      for (std::size_t j = i + 1; j < parts.size(); ++j) {
        if (!is_wanted(parts[i], parts[j])) continue;
        std::size_t round = 0;
        while (round < rounds.size() && (busy[round].contains(parts[i]) || busy[round].contains(parts[j]))) ++round;
        if (round == rounds.size()) rounds.emplace_back(), busy.emplace_back();
        rounds[round].emplace_back(parts[i], parts[j]);
        busy[round].insert({parts[i], parts[j]});
      }
    }
    return rounds;
  }

  bool is_measured(int one, int other) const { return rate_Bps(one, other) > 0 && rate_Bps(other, one) > 0; }

  /// Disjoint pairs at once; those of which a direction is slower then are tested alone.
  void test_duplex(const std::vector<int>& parts) {
    const auto is_wanted = [this](int one, int other) {
      return is_measured(one, other) && !(unhindered_.contains({one, other}) && unhindered_.contains({other, one}));
    };
    for (const std::vector<Route>& round : rounds_of(parts, is_wanted)) {
      std::vector<Route> routes;
      for (const auto& [one, other] : round) routes.insert(routes.end(), {{one, other}, {other, one}});
      const RouteLoad all = loads_.load(routes);
      for (std::size_t i = 0; i < round.size(); ++i)
        if (all.is_slower(2 * i) || all.is_slower(2 * i + 1)) test_duplex(round[i].first, round[i].second);
    }
  }

  /// Two streams in each direction between disjoint pairs at once; a direction that carries more than one stream alone,
  /// or less, is tested alone.
  void test_streams(const std::vector<int>& parts) {
    for (const std::vector<Route>&round : rounds_of(parts, [this](int one, int other) {
           return is_measured(one, other) && !result_.half_duplex.contains(std::minmax(one, other));
         })) {
      std::vector<Route> routes;
      for (const auto& [one, other] : round)
        routes.insert(routes.end(), {{one, other}, {one, other}, {other, one}, {other, one}});
      const RouteLoad all = loads_.load(routes, 1, false);  // two that share a line are slower
      for (std::size_t i = 0; i < routes.size(); i += 2) {
        const double carried =
            (all.loaded_Bps[i] + all.loaded_Bps[i + 1]) / rate_Bps(routes[i].first, routes[i].second);
        if (carried < shares_below || carried > 1 / shares_below) test_streams(routes[i].first, routes[i].second);
      }
    }
    for (const int one : parts)
      for (const int other : parts)
        if (one != other && result_.half_duplex.contains(std::minmax(one, other))) test_streams(one, other);
  }

  void test_duplex(int one, int other) {
    // A line for both directions has one rate.
    const double there_Bps = rate_Bps(one, other), back_Bps = rate_Bps(other, one);
    if (std::min(there_Bps, back_Bps) < alike_both_ways * std::max(there_Bps, back_Bps)) return;
    const RouteLoad both = loads_.load({{one, other}, {other, one}});
    if (sum_of(both.loaded_Bps) >= shares_below * over_buses_Bps(both.routes)) return;
    result_.half_duplex.insert(std::minmax(one, other));
    half_duplex_Bps_[std::minmax(one, other)] = sum_of(both.loaded_Bps);
  }

  void test_streams(int from, int to) {
    const double alone = rate_Bps(from, to);
    const auto [fewer, more] = std::minmax({groups_.points_of(from).size(), groups_.points_of(to).size()});
    const std::size_t max = fewer > 1 ? std::min(more, max_streams) : max_streams;
    double carried = alone;
    std::size_t streams = 2;
    for (;; streams = std::min(2 * streams, max)) {
      std::vector<LoadedPair> pairs;
      for (std::size_t i = 0; i < streams; ++i) pairs.push_back(loads_.pair_of({from, to}, i, i));
      const double all = sum_of(loads_.at_once(pairs));
      const bool grows = all > carries_more * carried;
      if (streams == 2 && !grows) return;
      carried = std::max(carried, all);
      if (!grows || streams == max) break;
    }
    if (fewer == 1 && carried > carries_more * alone * static_cast<double>(streams) / 2)
      result_.one_stream_each.insert({from, to});
    else
      result_.capacity_Bps[{from, to}] = carried;
  }

  /// The links out of and into a part, towards all other parts and one beyond the group around it.
  void test_port(int group, int part) {
    std::vector<Route> out, in;
    const auto add = [&](int other) {
      if (rate_Bps(part, other) == 0 || rate_Bps(other, part) == 0) return;
      out.emplace_back(part, other);
      in.emplace_back(other, part);
    };
    for (const int sibling : groups_.children[group])
      if (sibling != part) add(sibling);
    if (loads_.beyond(part) >= 0 && !on_bus_.contains(group)) add(outside_group);
    if (out.size() < 2) return;
    std::vector<SharedLink> exits = ports_of(out, "out", part, false), entrances = ports_of(in, "in", part, true);
    for (SharedLink& exit : exits) {
      const auto entrance =
          std::ranges::find_if(entrances, [&](const SharedLink& link) { return are_one_link(exit, link); });
      if (entrance == entrances.end()) continue;
      exit.name = "port";
      exit.bandwidth_Bps = std::max(exit.bandwidth_Bps, entrance->bandwidth_Bps);
      forget_half_duplex(exit);
      exit.routes.insert(entrance->routes.begin(), entrance->routes.end());
      entrances.erase(entrance);
    }
    for (std::vector<SharedLink>* links : {&exits, &entrances})
      for (SharedLink& link : *links)
        if (!is_bus_of(part, link)) result_.shared.push_back(std::move(link));
  }

  /// The exits or entrances of a part: one, or one for each neighbour, as on a ring.
  std::vector<SharedLink> ports_of(const std::vector<Route>& routes, const char* name, int part, bool arrive_together) {
    std::vector<SharedLink> ports;
    if (hindered(routes) == 0) return ports;
    const RouteLoad all = loads_.load(routes, arrive_together);
    const auto slow_each_other = [&](std::size_t one, std::size_t other) {
      const RouteLoad both = loads_.load({routes[one], routes[other]}, arrive_together);
      return sum_of(both.loaded_Bps) < shares_below * both.alone();
    };
    for (const std::vector<std::size_t>& link : separate_links(all.alone_Bps(), all.loaded_Bps, slow_each_other)) {
      std::vector<Route> together;
      for (const std::size_t route : link) together.push_back(routes[route]);
      std::optional<SharedLink> port = shared_by(
          link.size() == routes.size() ? all : loads_.load(together, arrive_together), name, part, arrive_together);
      if (port) ports.push_back(std::move(*port));
    }
    return ports;
  }

  /// Whether the bus of this part explains the link.
  bool is_bus_of(int part, const SharedLink& link) const {
    return std::ranges::any_of(buses_, [&](const SharedLink& bus) {
      return bus.part == part && link.bandwidth_Bps > as_much * bus.bandwidth_Bps;
    });
  }

  /// Whether messages out of and into a part slow each other down: the quickest route out and the quickest one in, at
  /// another part where there is one.
  bool are_one_link(const SharedLink& out, const SharedLink& in) const {
    const Route leaving =
        *std::ranges::max_element(out.routes, {}, [this](Route route) { return rate_Bps(route.first, route.second); });
    const Route entering = *std::ranges::max_element(in.routes, {}, [&](Route route) {
      return std::pair(route.first != leaving.second, rate_Bps(route.first, route.second));
    });
    const RouteLoad both = loads_.load({leaving, entering});
    return sum_of(both.loaded_Bps) < shares_below * both.alone();
  }

  /// Lines whose directions slow each other down because they fill this port, which carries as much.
  void forget_half_duplex(const SharedLink& port) {
    for (const auto& [from, to] : port.routes) {
      const auto line = half_duplex_Bps_.find(std::minmax(from, to));
      if (line != half_duplex_Bps_.end() && line->second > as_much * port.bandwidth_Bps)
        result_.half_duplex.erase(line->first);
    }
  }

  /// The link that those of the routes share that slow each other down.
  std::optional<SharedLink> shared_by(const RouteLoad& all, const char* name, int part, bool arrive_together) const {
    const std::vector<Route>& routes = all.routes;
    const std::vector<bool> is_on_it = sharing_streams(all.alone_Bps(), all.loaded_Bps, [&](std::size_t left_out) {
      std::vector<Route> others = routes;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(left_out));
      return loads_.load(others, arrive_together).loaded_Bps;
    });
    SharedLink link{name, part, 0, {}};
    for (std::size_t i = 0; i < routes.size(); ++i) {
      if (!is_on_it[i]) continue;
      link.routes.insert(routes[i]);
      link.bandwidth_Bps += all.loaded_Bps[i];
    }
    if (link.routes.empty()) return std::nullopt;
    double quickest_Bps = 0;
    for (const auto& [from, to] : link.routes) quickest_Bps = std::max(quickest_Bps, rate_Bps(from, to));
    set_rate(link, quickest_Bps);
    return link;
  }

  /// A link that carries hardly more together than the quickest of its streams alone has the rate of that one, which
  /// was measured without others.
  static void set_rate(SharedLink& link, double quickest_Bps) {
    if (link.bandwidth_Bps < quickest_Bps / as_much) link.bandwidth_Bps = quickest_Bps;
  }

  std::ptrdiff_t hindered(const std::vector<Route>& routes) const {
    return std::ranges::count_if(routes, [this](Route route) { return !unhindered_.contains(route); });
  }

  /// Lines that routes between different parts share: found where parts slow each other down that do not meet.
  void test_lines(const std::vector<int>& parts) {
    const std::size_t count = parts.size();
    for (std::size_t step = 1; step < count && count >= min_parts_of_line; ++step) {
      std::vector<Route> routes;
      for (std::size_t i = 0; i < count; ++i) {
        const Route route(parts[i], parts[(i + step) % count]);
        if (rate_Bps(route.first, route.second) > 0) routes.push_back(route);
      }
      std::vector<Route> left = routes;
      while (!left.empty()) {
        const std::vector<Route> apart = without_meeting(left, routes);
        std::erase_if(left, [&](Route route) { return std::ranges::count(apart, route) > 0; });
        if (apart.size() < 2) continue;
        for (const std::vector<Route>& together : slowing_each_other(apart)) test_line(together);
      }
    }
  }

  /// Where several lines may be full at once: the routes of each, of which one or more gain when another does not send.
  std::vector<std::vector<Route>> slowing_each_other(const std::vector<Route>& routes) const {
    if (hindered(routes) == 0) return {};
    const RouteLoad all = loads_.load(routes);
    int slower = 0;
    for (std::size_t i = 0; i < routes.size(); ++i) slower += all.is_slower(i) ? 1 : 0;
    if (slower < min_slower_of_two_lines) return {routes};
    std::vector<std::size_t> group(routes.size());  // the lowest number of a route on the same line
    std::iota(group.begin(), group.end(), 0);
    for (std::size_t left_out = 0; left_out < routes.size(); ++left_out) {
      std::vector<Route> others = routes;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(left_out));
      const RouteLoad without = loads_.load(others);
      for (std::size_t i = 0; i < others.size(); ++i) {
        const std::size_t gains = i < left_out ? i : i + 1;
        const double lacks_Bps = all.pairs[gains].alone_Bps - all.loaded_Bps[gains],
                     part_Bps = all.loaded_Bps[left_out] / static_cast<double>(others.size());
        if (without.loaded_Bps[i] - all.loaded_Bps[gains] < equal_part * std::min(lacks_Bps, part_Bps)) continue;
        if (!all.is_slower(gains)) continue;
        const auto [low, high] = std::minmax(group[left_out], group[gains]);
        std::ranges::replace(group, std::size_t(high), std::size_t(low));
      }
    }
    std::map<std::size_t, std::vector<Route>> found;
    for (std::size_t i = 0; i < routes.size(); ++i) found[group[i]].push_back(routes[i]);
    std::vector<std::vector<Route>> groups;
    for (auto& [number, together] : found)
      if (together.size() > 1) groups.push_back(std::move(together));
    return groups;
  }

  void test_line(const std::vector<Route>& routes) {
    if (hindered(routes) == 0) return;
    std::optional<SharedLink> line = shared_by(loads_.load(routes), "line", -1, false);
    if (!line) return;
    for (SharedLink& known : result_.shared) {
      if (known.name != "line" ||
          !std::ranges::any_of(line->routes, [&](Route route) { return known.routes.contains(route); }))
        continue;
      known.routes.insert(line->routes.begin(), line->routes.end());
      known.bandwidth_Bps = std::max(known.bandwidth_Bps, line->bandwidth_Bps);
      return;
    }
    result_.shared.push_back(std::move(*line));
  }

  /// Routes that meet no link known to slow two of them down: the first of these, and as many others as there are.
  std::vector<Route> without_meeting(const std::vector<Route>& first, const std::vector<Route>& others) const {
    std::vector<Route> apart;
    for (const std::vector<Route>& routes : {first, others})
      for (const Route& route : routes)
        if (std::ranges::none_of(apart, [&](Route other) { return route == other || meet(route, other); }))
          apart.push_back(route);
    return apart;
  }

  bool meet(Route one, Route other) const {
    const Route pair = std::minmax(one.first, one.second);
    if (pair == Route(std::minmax(other.first, other.second)) && result_.half_duplex.contains(pair)) return true;
    return std::ranges::any_of(result_.shared, [&](const SharedLink& link) {
      return link.routes.contains(one) && link.routes.contains(other);
    });
  }

  /// Joins the exits, entrances and lines between these parts that are one link. Lines of both directions are among
  /// them.
  void join_links(std::size_t first, const std::vector<int>& parts) {
    std::vector<SharedLink> links(std::make_move_iterator(result_.shared.begin() + static_cast<std::ptrdiff_t>(first)),
                                  std::make_move_iterator(result_.shared.end()));
    result_.shared.resize(first);
    for (const Route& pair : result_.half_duplex) {
      if (std::ranges::count(parts, pair.first) == 0) continue;
      const double rate = std::max(rate_Bps(pair.first, pair.second), rate_Bps(pair.second, pair.first));
      links.push_back({both_directions, -1, rate, {pair, {pair.second, pair.first}}});
    }
    const auto alone_Bps = [this](Route route) { return loads_.rate_Bps(route); };
    const auto together_Bps = [this](const std::vector<Route>& routes) {
      return sum_of(loads_.load(routes).loaded_Bps);
    };
    links = joined_links(std::move(links), buses_, parts, alone_Bps, together_Bps);
    std::vector<Route> others;
    for (const int from : parts)
      for (const int to : parts)
        if (from != to && rate_Bps(from, to) > 0 && !unhindered_.contains({from, to})) others.emplace_back(from, to);
    add_routes_of_lines(links, buses_, others, alone_Bps, together_Bps);
    leave_out_explained_lines(links, buses_, alone_Bps);
    std::erase_if(result_.half_duplex, [&](const Route& pair) {
      return std::ranges::count(parts, pair.first) > 0 && std::ranges::none_of(links, [&](const SharedLink& link) {
               return link.name == both_directions && *link.routes.begin() == pair;
             });
    });
    for (SharedLink& link : links)
      if (link.name != both_directions) result_.shared.push_back(std::move(link));
  }

  const Partition& groups_;
  const LoadInput& input_;
  RouteLoads loads_;
  std::set<int> on_bus_;
  std::vector<SharedLink> buses_;  // which messages cross that leave their group
  std::set<Route> unhindered_;
  std::map<Route, double> half_duplex_Bps_;  // what both directions carry together
  LoadResult result_;
};

}  // namespace

LoadResult test_under_load(const LoadInput& input, const PairProber& prober) { return LoadTests(input, prober).run(); }

}  // namespace isthmus
