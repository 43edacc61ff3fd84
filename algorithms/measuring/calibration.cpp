#include "algorithms/measuring/calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "algorithms/errors.hpp"
#include "algorithms/json/json_reader.hpp"

namespace isthmus {

using nlohmann::json;

// ---- as JSON

namespace {

json pair_of(const Estimate& estimate) { return {estimate.seconds, estimate.half_width_s}; }

Estimate estimate_of(const JsonReader& pair) {
  if (!pair.value().is_array() || pair.value().size() != 2) pair.refuse("[seconds, half width]");
  return {pair.at(0).number(), pair.at(1).number()};
}

constexpr std::int64_t max_number = std::numeric_limits<int>::max();

}  // namespace

json to_json(const MeasuringTask& task) {
  json pairs = json::array();
  for (const auto& [from, to, in_full] : task.pairs)
    pairs.push_back({{"from", from}, {"to", to}, {"in_full", in_full}});
  return {{"pairs", std::move(pairs)},
          {"most_bytes", task.max_bytes},
          {"repetitions", task.repetitions},
          {"accuracy", task.accuracy},
          {"bend", task.bend},
          {"noise", task.noise}};
}

MeasuringTask measuring_task_from_json(const json& value) {
  const JsonReader reader(value, "measuring");
  MeasuringTask task;
  task.max_bytes = reader.at("most_bytes").integer(1, 1 << 30);
  task.repetitions = static_cast<int>(reader.at("repetitions").integer(1, max_number));
  task.accuracy = reader.at("accuracy").number();
  task.bend = reader.at("bend").number();
  task.noise = reader.at("noise").number();
  for (const JsonReader& pair : reader.at("pairs").elements()) {
    const auto rank = [&](const char* key) { return static_cast<int>(pair.at(key).integer(0, max_number)); };
    task.pairs.push_back({rank("from"), rank("to"), pair.at("in_full").boolean()});
    if (task.pairs.back().from == task.pairs.back().to) pair.refuse("a pair of two ranks");
  }
  return task;
}

json to_json(const MeasuredPair& pair) {
  json sizes = json::array();
  for (const MeasuredSize& size : pair.sizes) {
    sizes.push_back({{"bytes", size.bytes},
                     {"gap", pair_of(size.gap)},
                     {"send_overhead", pair_of(size.send_overhead)},
                     {"receive_overhead", pair_of(size.receive_overhead)}});
  }
  return {{"from", pair.from}, {"to", pair.to}, {"latency", pair_of(pair.latency)}, {"sizes", std::move(sizes)}};
}

MeasuredPair measured_pair_from_json(const json& value) {
  const JsonReader reader(value, "measuring");
  const auto rank = [&](const char* key) { return static_cast<int>(reader.at(key).integer(0, max_number)); };
  MeasuredPair pair{rank("from"), rank("to"), estimate_of(reader.at("latency")), {}};
  const JsonReader sizes = reader.at("sizes");
  for (const JsonReader& size : sizes.elements()) {
    pair.sizes.push_back({size.at("bytes").integer(0, INT64_MAX), estimate_of(size.at("gap")),
                          estimate_of(size.at("send_overhead")), estimate_of(size.at("receive_overhead"))});
  }
  if (pair.sizes.size() < 2 || pair.sizes.front().bytes != 0) sizes.refuse("two sizes or more, from 0 bytes on,");
  return pair;
}

// ---- classes of routes

namespace {

/// The number of zones that two hosts share, from the outermost inwards; for one host, all its zones plus one.
std::size_t shared_levels(const Host& one, const Host& other) {
  std::size_t level = 0;
  while (level < one.zones.size() && level < other.zones.size() && one.zones[level].name == other.zones[level].name) {
    ++level;
  }
  return level;
}

/// Routes with equal signatures cost the same: the number of zones that the hosts share, and the costs of the links in
/// any order.
using Signature = std::tuple<std::size_t, std::vector<std::tuple<double, double, Sharing>>>;

Signature signature_of(const Network& network, int from, int to) {
  std::vector<std::tuple<double, double, Sharing>> costs;
  for (int link : network.route(from, to).links) {
    costs.emplace_back(network.links[link].latency_s, network.links[link].bandwidth_Bps, network.links[link].sharing);
  }
  std::sort(costs.begin(), costs.end());
  return {shared_levels(network.hosts[from], network.hosts[to]), std::move(costs)};
}

std::string level_name(const Network& network, std::pair<int, int> hosts) {
  const Host& from = network.hosts[hosts.first];
  const std::size_t shared = shared_levels(from, network.hosts[hosts.second]);
  if (shared > 0) return from.zones[shared - 1].level;
  const bool has_groups = !from.zones.empty() || !network.hosts[hosts.second].zones.empty();
  return has_groups ? "wide area" : "site";
}

std::vector<int> running_hosts(const Network& network) {
  std::vector<int> hosts;
  for (int host = 0; host < static_cast<int>(network.hosts.size()); ++host)
    if (!network.hosts[host].gateway) hosts.push_back(host);
  return hosts;
}

}  // namespace

std::vector<RouteClass> route_classes_of(const Network& network, int max_pairs) {
  const std::vector<int> hosts = running_hosts(network);
  if (hosts.size() < 2) throw BadInput(fmt::format("{}: calibration needs two hosts that run ranks", network.name));
  std::map<Signature, RouteClass, std::greater<>> found;  // routes whose hosts share most zones first
  for (const int from : hosts) {
    for (const int to : hosts) {
      if (from == to || !network.has_route(from, to)) continue;
      RouteClass& one = found[signature_of(network, from, to)];
      if (static_cast<int>(one.host_pairs.size()) >= max_pairs) continue;
      // A few pairs should cover many hosts and links: no host is in two pairs if there are enough hosts.
      const bool is_fresh = std::ranges::none_of(one.host_pairs, [&](const std::pair<int, int>& pair) {
        return pair.first == from || pair.second == from || pair.first == to || pair.second == to;
      });
      if (is_fresh) one.host_pairs.emplace_back(from, to);
    }
  }
  std::vector<RouteClass> classes;
  std::map<std::string, int> named;
  for (auto& [signature, one] : found) {
    one.name = level_name(network, one.host_pairs.front());
    if (const int number = ++named[one.name]; number > 1) one.name += fmt::format(" {}", number);
    classes.push_back(std::move(one));
  }
  return classes;
}

namespace {

/// Made non-decreasing, and at least as large as another function of the same sizes.
SizeFunction rising(const MeasuredPair& pair, Estimate MeasuredSize::*cost, bool covers_overheads) {
  std::vector<SizeFunction::Point> points;
  double min_s = 0;
  for (const MeasuredSize& size : pair.sizes) {
    min_s = std::max(min_s, (size.*cost).seconds);
    if (covers_overheads) min_s = std::max({min_s, size.send_overhead.seconds, size.receive_overhead.seconds});
    points.push_back({static_cast<double>(size.bytes), min_s});
  }
  return SizeFunction(std::move(points));
}

/// A gap that does not rise at the end, as processors took longer than the network up to there, rises beyond the last
/// size at the rate that the platform has.
SizeFunction rising_beyond(const SizeFunction& gap, double platform_Bps) {
  std::vector<SizeFunction::Point> points = gap.points();
  const SizeFunction::Point last = points.back();
  if (last.seconds > points[points.size() - 2].seconds) return gap;
  const double hidden_bytes = last.seconds * platform_Bps;
  if (hidden_bytes > last.bytes) points.push_back({hidden_bytes, last.seconds});
  const double far_bytes = 2 * points.back().bytes + 1;
  points.push_back({far_bytes, last.seconds + (far_bytes - points.back().bytes) / platform_Bps});
  return SizeFunction(std::move(points));
}

/// The highest rate that the gap allows for any message, also beyond the last size.
double bandwidth_under(const SizeFunction& gap) {
  const std::vector<SizeFunction::Point>& points = gap.points();
  const SizeFunction::Point &last = points.back(), &before = points[points.size() - 2];
  const double slope = (last.seconds - before.seconds) / (last.bytes - before.bytes);
  double bandwidth_Bps = 1 / slope;
  for (const auto& [bytes, seconds] : points)
    if (seconds > 0) bandwidth_Bps = std::max(bandwidth_Bps, bytes / seconds);
  return bandwidth_Bps;
}

/// The share of a round trip that the way there takes in the platform: measured is only the whole.
double share_of_way_there(const Network& network, int from, int to) {
  if (!network.has_route(to, from)) return 0.5;
  const double there_s = network.route(from, to).latency_s, back_s = network.route(to, from).latency_s;
  return there_s + back_s > 0 ? there_s / (there_s + back_s) : 0.5;
}

}  // namespace

Network calibrated(const Network& network, const std::vector<RouteClass>& classes,
                   const std::vector<MeasuredPair>& measured) {
  Network result = network;
  result.classes.clear();
  for (Link& link : result.links) link.link_class = -1;
  // The class of each signature, to look up the class of a route.
  std::map<Signature, int> numbers;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const auto [from, to] = classes[i].host_pairs.front();
    numbers[signature_of(network, from, to)] = static_cast<int>(i);
  }
  const std::vector<int> hosts = running_hosts(network);
  std::vector<int> innermost(network.links.size(), static_cast<int>(classes.size()));
  for (const int from : hosts) {
    for (const int to : hosts) {
      if (from == to || !network.has_route(from, to)) continue;
      const int number = numbers.at(signature_of(network, from, to));
      for (const int link : network.route(from, to).links) innermost[link] = std::min(innermost[link], number);
    }
  }
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const auto [from, to] = classes[i].host_pairs.front();
    double others_s = 0, own_s = 0, platform_Bps = std::numeric_limits<double>::infinity();
    int own = 0;
    for (const int link : network.route(from, to).links) {
      const bool is_own = innermost[link] == static_cast<int>(i);
      if (is_own) platform_Bps = std::min(platform_Bps, network.links[link].bandwidth_Bps);
      (is_own ? own_s : others_s) += result.links[link].latency_s;
      own += is_own ? 1 : 0;
    }
    if (own == 0) {
      throw Refused(
          fmt::format("{}: the routes of class {} cross no link that others do not cross: what was measured "
                      "between {} and {} cannot be laid on links",
                      network.name, classes[i].name, network.hosts[from].name, network.hosts[to].name));
    }
    const SizeFunction gap = rising_beyond(rising(measured[i], &MeasuredSize::gap, true), platform_Bps);
    const double bandwidth_Bps = bandwidth_under(gap);
    const double way_s = 2 * measured[i].latency.seconds * share_of_way_there(network, from, to);
    const double wanted_s = std::max(0.0, way_s - others_s);
    for (std::size_t link = 0; link < result.links.size(); ++link) {
      if (innermost[link] != static_cast<int>(i)) continue;
      Link& changed = result.links[link];
      changed.link_class = static_cast<int>(i);
      changed.latency_s = own_s > 0 ? changed.latency_s * (wanted_s / own_s) : wanted_s / own;
      changed.bandwidth_Bps = bandwidth_Bps;
    }
    result.classes.push_back({classes[i].name,
                              gap,
                              rising(measured[i], &MeasuredSize::send_overhead, false),
                              rising(measured[i], &MeasuredSize::receive_overhead, false),
                              {}});
  }
  return result;
}

double disagreement(const MeasuredPair& in_full, const MeasuredPair& in_brief) {
  const auto receive_s = [](const MeasuredPair& pair, const MeasuredSize& size) {
    return pair.latency.seconds + size.gap.seconds;
  };
  const auto apart = [](double one, double other) {
    return one > 0 ? std::abs(other / one - 1) : (other > 0 ? 1.0 : 0.0);
  };
  return std::max(apart(receive_s(in_full, in_full.sizes.front()), receive_s(in_brief, in_brief.sizes.front())),
                  apart(receive_s(in_full, in_full.sizes.back()), receive_s(in_brief, in_brief.sizes.back())));
}

}  // namespace isthmus
