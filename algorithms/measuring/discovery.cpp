#include "algorithms/measuring/discovery.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "algorithms/errors.hpp"
#include "algorithms/measuring/discovered_network.hpp"
#include "algorithms/measuring/eco_subnets.hpp"
#include "algorithms/measuring/estimate.hpp"
#include "algorithms/measuring/group_tree.hpp"
#include "algorithms/measuring/host_rates.hpp"
#include "algorithms/measuring/load/load_tests.hpp"
#include "algorithms/measuring/residuals.hpp"
#include "algorithms/measuring/rounds.hpp"

namespace isthmus {
namespace {

constexpr int max_parts_in_full = 24;     // of an inner group of groups; of more only neighbours measure their rates
constexpr int max_hosts_in_full = 8;      // likewise of a group of hosts
constexpr int max_hosts_in_rounds = 256;  // the tree of groups takes the cube of their number
constexpr double min_s = 1e-9;            // minimum distance; it would be 0 with a clock that stands still
constexpr double near_by_far = 0.02;      // below this share of the distance to others, seeing them alike is no chance
constexpr double distant_s = 0.0005;      // way from which on lost frames and windows may slow a message down
constexpr double same_rate = 0.1;         // rates of parts that see another alike differ by less
constexpr double lower = 0.98;            // share of the highest rate of a group below which a rate is measured again
constexpr double same_again = 0.002;      // relative difference of two measurements of a rate that are alike
constexpr double explained = 0.05;        // relative deviation of a rate that one figure a host still explains

using HostPair = std::pair<int, int>;

class Discovery {
 public:
  Discovery(const std::vector<DiscoveredHost>& hosts, const DiscoverySettings& settings, const PairProber& prober)
      : hosts_(hosts), settings_(settings), prober_(keeping_loads(prober, loads_)), in_rounds_(settings.in_rounds) {}

  Discovered run() {
    find_groups();
    measure_rates();
    if (!by_eco()) {
      split_groups_whose_rates_differ();
      measure_rates();
    }
    parts_.groups = groups_;
    parts_.representatives = representatives_;
    parts_.hosts = hosts_;
    parts_.lone_hosts_are_zones = !by_eco();
    for (int group = groups_.points; group <= groups_.root(); ++group)
      if (is_of_hosts(group)) parts_.stars[group] = is_switched(group);
    for (const auto& [pair, way] : ways_s_) parts_.empty_s[pair] = way;
    bool without_load = false;
    if (settings_.under_load) {
      const LoadInput input{groups_,
                            representatives_,
                            rates_Bps_,
                            parts_.stars,
                            [this](int one, int other) { return way_s(one, other); },
                            tests_of_load(),
                            [this](int one, int other) {
                              return needs_datagrams({one, other});
                            },
                            [this](int one, int other) {
                              return rate_Bps({one, other});
                            }};
      try {
        parts_.load = test_under_load(input, prober_);
      } catch (const BudgetSpent&) {
        without_load = true;
      }
    }
    for (std::size_t host = 0; host < hosts_.size(); ++host) {
      if (hosts_[host].ranks < 2) continue;
      const auto number = static_cast<int>(host);
      parts_.loopbacks[number] = {way_s(number, number), rate_Bps({number, number})};
    }
    parts_.rates_Bps = rates_Bps_;  // with those that the tests under load needed
    parts_.send_s = overhead_s();
    Discovered found{network_of(parts_), {}, {}, 0, {}, {}};
    add_residuals(found, {ways_s_, rates_Bps_, lines_, messages_Bps_, loads_, settings_.long_bytes});
    if (settings_.in_rounds && !in_rounds_)
      found.notes.push_back({Note::Kind::unsettled,
                             "discovery: pairs of hosts that measured at the same time disturbed each other; they were "
                             "measured one after the other",
                             "", 1});
    if (without_load)
      found.notes.push_back({Note::Kind::unsettled,
                             fmt::format("discovery: {} s were not enough to measure several pairs at once; links that "
                                         "they share are not known",
                                         settings_.budget_s),
                             "", 1});
    return found;
  }

 private:
  // ---- distances and groups
  double way_s(int from, int to) {
    const HostPair key = std::minmax(from, to);
    if (from == to && hosts_[from].ranks < 2) return 0;
    const auto known = ways_s_.find(key);
    if (known != ways_s_.end()) return known->second;
    const RoundTrip trip = prober_.round_trips({key}, 0, settings_.repetitions).front();
    see(key, trip);
    return ways_s_.at(key);
  }

  /// The overhead of a send: the usual one, but never more than the quickest way between two hosts, of which it is a
  /// part. On a busy machine the median of the sends can be longer than that.
  double overhead_s() const {
    double seconds = median(sends_s_);
    for (const auto& [pair, way_s] : ways_s_)
      if (pair.first != pair.second) seconds = std::min(seconds, way_s);
    return seconds;
  }

  /// The minimum is kept. The change of what was known; nothing for a new pair.
  std::optional<double> see(HostPair pair, const RoundTrip& trip) {
    const double seen_s = std::max(min_s, trip.seconds / 2);
    sends_s_.push_back(trip.send_s);
    const auto [at, is_new] = ways_s_.try_emplace(pair, seen_s);
    if (settings_.common_clock && (is_new || seen_s < at->second)) parts_.sooner_s[pair] = trip.sooner_s;
    if (is_new) return std::nullopt;
    const double change_s = std::abs(at->second - seen_s);
    at->second = std::min(at->second, seen_s);
    return change_s;
  }

  /// Every pair once more; the minimum is kept. Returns the changes of those that were known, in seconds.
  std::vector<double> pass(const std::vector<std::vector<HostPair>>& rounds, RoundChecks& checks) {
    std::vector<double> changes_s;
    const int repetitions = (settings_.repetitions + 1) / 2;
    for (std::size_t number = 0; number < rounds.size(); ++number) {
      const std::vector<HostPair>& round = rounds[number];
      const std::vector<RoundTrip> trips = prober_.round_trips(round, 0, repetitions);
      for (std::size_t i = 0; i < round.size(); ++i)
        if (const std::optional<double> change_s = see(round[i], trips[i])) changes_s.push_back(*change_s);
      if (!checks.wants(number, round.size())) continue;
      const std::size_t one = number % round.size();
      checks.add(trips[one].seconds, prober_.round_trips({round[one]}, 0, repetitions).front().seconds);
    }
    return changes_s;
  }

  /// With rounds every pair of many hosts takes no more rounds than every pair of few takes without.
  int max_measured_in_full() const {
    if (!in_rounds_) return settings_.max_in_full;
    const std::int64_t pairs = std::int64_t{settings_.max_in_full} * (settings_.max_in_full - 1) / 2;
    return std::max(settings_.max_in_full, static_cast<int>(std::min<std::int64_t>(pairs, max_hosts_in_rounds)));
  }

  /// Of more hosts than are measured in full: the innermost groups by samples; else every host by itself.
  std::vector<std::vector<int>> innermost_groups() {
    const auto count = static_cast<int>(hosts_.size());
    std::vector<std::vector<int>> found;
    if (count <= max_measured_in_full() || by_eco()) {
      for (int host = 0; host < count; ++host) found.push_back({host});
      return found;
    }
    constexpr double sampled_alike = 2;
    const Partition sampled = partition(
        count, [this](int from, int to) { return way_s(from, to); }, std::max(sampled_alike, settings_.alike),
        settings_.max_in_full);
    std::vector<char> grouped(static_cast<std::size_t>(count));
    for (int group = count; group <= sampled.root(); ++group) {
      const std::vector<int>& children = sampled.children[group];
      if (!std::ranges::all_of(children, [&](int child) { return sampled.is_point(child); })) continue;
      found.push_back(children);
      for (const int host : children) grouped[host] = 1;
    }
    for (int host = 0; host < count; ++host)
      if (grouped[host] == 0) found.push_back({host});
    std::ranges::sort(found);
    return found;
  }

  bool by_eco() const { return settings_.eco_threshold > 0; }

  void find_groups() {
    const std::vector<std::vector<int>> inner = innermost_groups();
    const auto count = static_cast<int>(inner.size());
    std::vector<HostPair> pairs;
    // The circle method: each of count - 1 rounds has every part once.
    const int even = count + count % 2;
    for (int round = 0; round + 1 < even; ++round) {
      for (int i = 0; i < even / 2; ++i) {
        const int one = i == 0 ? even - 1 : (round + i) % (even - 1), other = (round - i + even - 1) % (even - 1);
        if (one < count && other < count) pairs.emplace_back(std::minmax(inner[one].front(), inner[other].front()));
      }
    }
    if (!in_rounds_) std::ranges::sort(pairs);
    const auto rounds = rounds_of(
        pairs, [](int host) { return host; }, in_rounds_);
    std::vector<double> changes_s;
    std::optional<Partition> before;
    for (int number = 0; number < settings_.max_passes; ++number) {
      RoundChecks checks;
      const std::vector<double> changed_s = pass(rounds, checks);
      if (checks.are_disturbed() && in_rounds_) {
        in_rounds_ = false;
        ways_s_.clear();
        sends_s_.clear();
        parts_.sooner_s.clear();
        find_groups();
        return;
      }
      changes_s.insert(changes_s.end(), changed_s.begin(), changed_s.end());
      const double jitter_s = changes_s.empty() ? 0 : median(changes_s);
      if (count == 1) break;
      const Distance distance = [&](int from, int to) { return way_s(inner[from].front(), inner[to].front()); };
      const Partition tree = by_eco() ? eco_partition(count, distance, settings_.eco_threshold)
                                      : group_tree(count, distance, {.alike = settings_.alike, .jitter = jitter_s});
      const bool is_same = before && before->children == tree.children;
      before = tree;
      if (is_same) break;
    }
    groups_ = with_points(before.value_or(Partition{}), inner, static_cast<int>(hosts_.size()));
  }

  bool is_of_hosts(int group) const {
    return std::ranges::all_of(groups_.children[group], [this](int child) { return groups_.is_point(child); });
  }
  int lowest_host(int part) const { return groups_.points_of(part).front(); }

  // ---- rates
  double rate_Bps(HostPair pair) {
    measure({pair});
    return rates_Bps_.at(pair);
  }

  void measure(const std::vector<HostPair>& pairs) {
    std::vector<HostPair> wanted;
    for (const HostPair& pair : pairs)
      if (!rates_Bps_.contains(pair)) wanted.push_back(pair);
    std::map<int, int> outermost;
    for (const int part : groups_.children[groups_.root()])
      for (const int host : groups_.points_of(part)) outermost[host] = part;
    RoundChecks checks;
    const auto rates_of = [this](const std::vector<HostPair>& round) {
      return prober_.rates_Bps(round, settings_.long_bytes, settings_.long_repetitions);
    };
    const auto rounds = rounds_of(
        wanted, [&](int host) { return outermost.at(host); }, in_rounds_);
    for (std::size_t number = 0; number < rounds.size(); ++number) {
      const std::vector<HostPair>& round = rounds[number];
      const std::vector<double> rates = rates_of(round);
      for (std::size_t i = 0; i < round.size(); ++i) rates_Bps_[round[i]] = rates[i];
      if (!checks.wants(number, round.size())) continue;
      const std::size_t one = number % round.size();
      checks.add(1 / rates[one], 1 / rates_of({round[one]}).front());
    }
    if (!checks.are_disturbed() || !in_rounds_) {
      for (const std::vector<HostPair>& round : rounds) measure_lines(round);
      return;
    }
    in_rounds_ = false;
    for (const HostPair& pair : wanted) rates_Bps_.erase(pair);
    measure(wanted);
  }

  /// Of distant hosts, whose messages may get less than the line carries. The ranks of one host have no line between
  /// them, however long a busy machine makes their messages take.
  void measure_lines(const std::vector<HostPair>& round) {
    std::vector<ProbeLine> lines;
    for (const HostPair& pair : round)
      if (const double seconds = way_s(pair.first, pair.second); pair.first != pair.second && seconds >= distant_s)
        lines.push_back({pair.first, pair.second, seconds, rates_Bps_.at(pair)});
    if (lines.empty() || !settings_.datagrams || !prober_.line_rates) return;
    const std::vector<LineRate> rates = prober_.line_rates(lines);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const HostPair pair{lines[i].from, lines[i].to};
      lines_[pair] = rates[i];
      rates_Bps_[pair] = rate_of_line(rates[i], lines[i].message_Bps);
      if (rates_Bps_[pair] != lines[i].message_Bps) messages_Bps_[pair] = lines[i].message_Bps;
    }
  }
  bool loses_frames() const {
    return std::ranges::any_of(lines_, [](const auto& line) { return line.second.lost > 0; });
  }
  /// Whether a test of this line and others at once is by datagrams. Where frames are lost, a stream of messages gets
  /// less than the short messages that measured the line alone.
  bool needs_datagrams(HostPair pair) const {
    const auto line = lines_.find(pair);
    return messages_Bps_.contains(pair) || (line != lines_.end() && line->second.rate_Bps > 0 && loses_frames());
  }
  /// Where frames are lost or other traffic comes and goes, one test may mislead.
  int tests_of_load() const { return messages_Bps_.empty() && !loses_frames() ? 1 : 3; }

  /// The number of levels of groups in a group.
  int height(int part) const {
    int below = -1;
    for (const int child : groups_.children[part]) below = std::max(below, height(child));
    return below + 1;
  }

  /// The rates of every group, the innermost ones first: the hosts that are quickest there represent them further out.
  void measure_rates() {
    representatives_.resize(groups_.children.size());
    std::iota(representatives_.begin(), representatives_.begin() + groups_.points, 0);
    for (int level = 1; level <= height(groups_.root()); ++level) {
      std::vector<int> groups;
      for (int group = groups_.points; group <= groups_.root(); ++group)
        if (height(group) == level) groups.push_back(group);
      measure_rates_of(groups);
      const HostRates rates(groups_.points, rates_Bps_);
      for (const int group : groups) {
        std::vector<int> hosts;
        for (const int part : groups_.children[group]) hosts.push_back(representatives_[part]);
        representatives_[group] = rates.quickest_of(hosts);
      }
    }
  }

  /// Between all parts of each group, or between neighbours where there are many.
  void measure_rates_of(const std::vector<int>& groups) {
    std::vector<HostPair> pairs;
    for (const int group : groups) {
      const std::vector<int>& parts = groups_.children[group];
      const auto count = static_cast<int>(parts.size());
      const bool in_full = group == groups_.root()
                               ? count <= std::max(max_parts_in_full, settings_.max_in_full)
                               : count <= (is_of_hosts(group) ? max_hosts_in_full : max_parts_in_full);
      for (int from = 0; from < count; ++from) {
        for (int to = 0; to < count; ++to) {
          const bool are_neighbours = (from + 1) % count == to || (to + 1) % count == from;
          if (from != to && (in_full || are_neighbours))
            pairs.emplace_back(representatives_[parts[from]], representatives_[parts[to]]);
        }
      }
    }
    measure(pairs);
    for (const HostPair& pair : pairs) measure_at_receiver(pair);
    for (const int group : groups)
      if (is_of_hosts(group)) measure_lower_rates_again(group);
  }

  /// The answers to messages wait for the acknowledgements of these where they fill the way back.
  void measure_at_receiver(HostPair pair) {
    const auto back = rates_Bps_.find({pair.second, pair.first});
    const auto line = lines_.find(pair);
    if (back == rates_Bps_.end() || (line != lines_.end() && line->second.rate_Bps > 0)) return;
    double& rate = rates_Bps_.at(pair);
    if (acknowledgements_fill(back->second, rate)) rate = rate_at_receiver_Bps(loaded_pair(pair), prober_);
  }

  /// Other traffic, which comes and goes, may have made them lower: the highest counts, of two that are alike or of
  /// six.
  void measure_lower_rates_again(int group) {
    std::vector<HostPair> pairs;
    double highest_Bps = 0;
    for (const int from : groups_.children[group]) {
      for (const int to : groups_.children[group]) {
        if (!rates_Bps_.contains({from, to}) || lines_.contains({from, to})) continue;
        pairs.emplace_back(from, to);
        highest_Bps = std::max(highest_Bps, rates_Bps_.at({from, to}));
      }
    }
    for (const HostPair& pair : pairs) {
      double& rate = rates_Bps_.at(pair);
      bool is_settled = false;
      for (int more = 5; more > 0 && rate < lower * highest_Bps && !is_settled; --more) {
        const double again = prober_.rates_Bps({pair}, settings_.long_bytes, settings_.long_repetitions).front();
        is_settled = std::abs(again - rate) <= same_again * rate;
        rate = std::max(rate, again);
      }
    }
  }

  /// Whether two parts of a group exchange messages with a host outside at the same rates. A part whose own exit is
  /// narrower, as its messages to the other part show, counts as the same.
  bool rates_are_alike(int one, int other, int outside) {
    const auto alike = [&](HostPair first, HostPair second, HostPair first_exit, HostPair second_exit) {
      double a = rate_Bps(first), b = rate_Bps(second);
      HostPair exit = first_exit;
      if (a > b) std::swap(a, b), exit = second_exit;
      return a >= (1 - same_rate) * b || std::abs(a / rate_Bps(exit) - 1) <= same_rate;
    };
    return alike({one, outside}, {other, outside}, {one, other}, {other, one}) &&
           alike({outside, one}, {outside, other}, {other, one}, {one, other});
  }

  /// Parts that see all others at the same distance, but not much nearer to each other, may do so by chance. Then they
  /// are a group only if they see the others at the same rates too.
  void split_groups_whose_rates_differ() {
    for (int group = groups_.root() - 1; group >= groups_.points; --group) {
      const int parent = parent_of(group);
      if (parent < 0) continue;
      double inside_s = 0;
      const std::vector<int> parts = groups_.children[group];
      for (const int part : parts) inside_s = std::max(inside_s, way_s(lowest_host(parts.front()), lowest_host(part)));
      bool keep = true;
      for (const int outside : groups_.children[parent]) {
        if (outside == group || !keep) continue;
        if (inside_s < near_by_far * way_s(lowest_host(group), lowest_host(outside))) continue;
        for (std::size_t i = 1; keep && i < parts.size(); ++i)
          keep = rates_are_alike(representatives_[parts[0]], representatives_[parts[i]], representatives_[outside]);
      }
      if (!keep) dissolve(group, parent);
    }
    groups_ = without_empty_groups(groups_);
  }

  int parent_of(int part) const {
    for (int group = groups_.points; group <= groups_.root(); ++group)
      if (std::ranges::find(groups_.children[group], part) != groups_.children[group].end()) return group;
    return -1;
  }

  void dissolve(int group, int parent) {
    std::vector<int>& heirs = groups_.children[parent];
    std::erase(heirs, group);
    heirs.insert(heirs.end(), groups_.children[group].begin(), groups_.children[group].end());
    std::ranges::sort(heirs, {}, [this](int part) { return lowest_host(part); });
    groups_.children[group].clear();
  }

  LoadedPair loaded_pair(HostPair pair) {
    return {pair.first,           pair.second,           rate_Bps(pair),       way_s(pair.first, pair.second),
            way_s(0, pair.first), way_s(0, pair.second), needs_datagrams(pair)};
  }

  // ---- hosts of one group
  /// Whether each host of a group has one link out and one link in: it is slower to two others at once than alone, and
  /// one rate out and one rate in of each host explain what was measured between them.
  bool is_switched(int group) {
    const std::vector<int>& hosts = groups_.children[group];
    std::map<int, double> out_Bps, in_Bps;
    for (const int from : hosts) {
      for (const int to : hosts) {
        const auto known = rates_Bps_.find({from, to});
        if (known == rates_Bps_.end()) continue;
        out_Bps[from] = std::max(out_Bps[from], known->second);
        in_Bps[to] = std::max(in_Bps[to], known->second);
      }
    }
    for (const int from : hosts) {
      for (const int to : hosts) {
        const auto known = rates_Bps_.find({from, to});
        if (known == rates_Bps_.end()) continue;
        if (std::abs(known->second / std::min(out_Bps[from], in_Bps[to]) - 1) > explained) return false;
      }
    }
    return hosts.size() < 3 || shares_way_out(hosts);
  }

  bool shares_way_out(const std::vector<int>& hosts) {
    std::vector<LoadedPair> pairs;
    for (const int to : {hosts[1], hosts[2]}) pairs.push_back(loaded_pair({hosts[0], to}));
    const std::vector<double> loaded = rates_at_once(pairs, prober_, tests_of_load());
    return loaded[0] + loaded[1] < shares_below * (pairs[0].alone_Bps + pairs[1].alone_Bps);
  }

  const std::vector<DiscoveredHost>& hosts_;
  const DiscoverySettings& settings_;
  std::vector<LoadTest> loads_;
  const PairProber prober_;
  bool in_rounds_;
  Partition groups_;
  std::vector<int> representatives_;  // by part: the host that measures for it
  MeasuredParts parts_;
  std::map<HostPair, double> ways_s_;  // half a round trip, by the lower and the higher host
  std::map<HostPair, double> rates_Bps_;
  std::map<HostPair, LineRate> lines_;
  std::map<HostPair, double> messages_Bps_;  // of the pairs whose rate is that of trains
  std::vector<double> sends_s_;
};

}  // namespace

Discovered discover_network(const std::vector<DiscoveredHost>& hosts, const DiscoverySettings& settings,
                            const PairProber& prober) {
  if (hosts.size() < 2)
    throw BadInput(fmt::format("discovery: ranks on {} host; two hosts or more would be right", hosts.size()));
  std::set<std::string> names;
  for (const DiscoveredHost& host : hosts)
    if (!names.insert(host.name).second)
      throw BadInput(fmt::format("discovery: two hosts are called {}; names that differ would be right", host.name));
  try {
    return Discovery(hosts, settings, prober).run();
  } catch (const BudgetSpent&) {
    throw Refused(fmt::format("discovery: not done within {} s; more time would be right", settings.budget_s));
  }
}

}  // namespace isthmus
