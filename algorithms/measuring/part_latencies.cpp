#include "algorithms/measuring/part_latencies.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "algorithms/measuring/estimate.hpp"

namespace isthmus {
namespace {

constexpr double fits_within = 0.02;    // a latency that one figure a host explains
constexpr double alike_within = 0.001;  // of the latency of a group's routes: one host outside tells no difference
constexpr double certain = 4;           // times what a difference varies from one host outside to another
constexpr int max_sweeps = 400;
constexpr double settled = 1e-10;  // largest step of a sweep, relative to the errors' scale

using Pair = std::pair<int, int>;

/// The median of the distances from the median.
double deviation(const std::vector<double>& samples) {
  const double usual = median(samples);
  std::vector<double> distances;
  for (const double sample : samples) distances.push_back(std::abs(sample - usual));
  return median(std::move(distances));
}

/// A latency that is the sum of others.
struct Sum {
  std::vector<int> terms;
  double seconds = 0, scale_s = 0;
};

/// Least squares by coordinate descent from `found`, none below 0; those in `is_fixed` stay.
void fit(std::vector<double>& found, const std::vector<char>& is_fixed, const std::vector<Sum>& sums) {
  std::vector<std::vector<const Sum*>> with(found.size());
  for (const Sum& sum : sums)
    for (const int term : sum.terms) with[term].push_back(&sum);
  const auto error_s = [&](const Sum& sum) {
    double left_s = sum.seconds;
    for (const int term : sum.terms) left_s -= found[term];
    return left_s;
  };
  // Moves one latency to where the errors of its sums are smallest.
  const auto improve = [&](int term) {
    double moves = 0, weights = 0;
    for (const Sum* sum : with[term]) {
      const double weight = 1 / (sum->scale_s * sum->scale_s);
      moves += weight * error_s(*sum);
      weights += weight;
    }
    if (weights == 0) return 0.0;
    const double next_s = std::max(0.0, found[term] + moves / weights), step = std::abs(next_s - found[term]);
    if (step * std::sqrt(weights) < settled) return 0.0;
    found[term] = next_s;
    return step * std::sqrt(weights);
  };
  for (int sweep = 0; sweep < max_sweeps; ++sweep) {
    double largest = 0;
    for (auto term = static_cast<int>(found.size()); term-- > 0;)
      if (is_fixed[term] == 0) largest = std::max(largest, improve(term));
    if (largest < settled) break;
  }
}

class LatencyFit {
 public:
  LatencyFit(const Partition& groups, const std::map<int, bool>& stars, const std::vector<MeasuredLatency>& routes)
      : groups_(groups), stars_(stars), routes_(routes), around_(parts_around(groups)) {}

  PartLatencies run() {
    fit_with(PartLatencies{});
    std::set<int> bent;
    for (const MeasuredLatency& route : routes_) {
      if (!is_inside(route)) continue;
      const double sum_s = result_.of_host[route.one] + result_.of_host[route.other];
      if (std::abs(sum_s - route.latency_s) > fits_within * route.scale_s) bent.insert(parent(route.one));
    }
    if (!bent.empty()) {
      PartLatencies again;
      again.bent = std::move(bent);
      fit_with(std::move(again));
    }
    return std::move(result_);
  }

 private:
  int parent(int host) const { return around_[host][around_[host].size() - 2]; }
  bool is_star(int group) const {
    const auto known = stars_.find(group);
    return known != stars_.end() && known->second && !result_.bent.contains(group);
  }
  /// Whether both hosts are in one star, so that no line is between them.
  bool is_inside(const MeasuredLatency& route) const {
    return parent(route.one) == parent(route.other) && is_star(parent(route.one));
  }

  // Latencies that are fitted have numbers: hosts in stars, and parts for the ways out of them, those of the parts;
  // lines follow.
  void fit_with(PartLatencies start) {
    result_ = std::move(start);
    const auto parts = static_cast<std::size_t>(groups_.root()) + 1;
    latency_s_.assign(parts, 0);
    is_fixed_.assign(parts, 1);
    guess_hosts();
    guess_exits();
    std::map<Pair, int> lines;
    std::vector<Sum> sums;
    for (const MeasuredLatency& route : routes_) {
      const Pair ends = parts_between(around_[route.one], around_[route.other]);
      Sum& sum = sums.emplace_back(Sum{terms_at(route.one, ends.first), route.latency_s, route.scale_s});
      const std::vector<int> others = terms_at(route.other, ends.second);
      sum.terms.insert(sum.terms.end(), others.begin(), others.end());
      if (is_inside(route)) continue;
      const auto [line, is_new] =
          lines.try_emplace(std::minmax(ends.first, ends.second), static_cast<int>(latency_s_.size()));
      if (is_new) latency_s_.push_back(0), is_fixed_.push_back(0);
      sum.terms.push_back(line->second);
    }
    fit(latency_s_, is_fixed_, sums);
    result_.of_host.assign(groups_.points, 0);
    result_.of_exit.assign(parts, 0);
    for (std::size_t part = 0; part < parts; ++part) {
      const bool is_host = groups_.is_point(static_cast<int>(part)) && is_star(parent(static_cast<int>(part)));
      (is_host ? result_.of_host : result_.of_exit)[part] = latency_s_[part];
    }
    for (const auto& [ends, number] : lines) result_.line[ends] = latency_s_[number];
    for (const auto& [group, latencies] : inside_s_) {
      std::vector<double*> figures;
      for (const int host : groups_.children[group]) figures.push_back(&result_.of_host[host]);
      even_out(figures);
    }
  }

  /// The terms of a route at one end: the link of a host in a star, and the ways out of the parts around the host
  /// inside that which the line leaves.
  std::vector<int> terms_at(int host, int outermost) const {
    std::vector<int> terms;
    const std::vector<int>& around = around_[host];
    std::size_t inside = around.size();
    if (is_star(parent(host))) terms.push_back(around[--inside]);
    for (const std::size_t end = std::ranges::find(around, outermost) - around.begin(); inside > end + 1;)
      terms.push_back(around[--inside]);
    return terms;
  }

  double sum_of(const std::vector<int>& terms) const {
    double sum_s = 0;
    for (const int term : terms) sum_s += latency_s_[term];
    return sum_s;
  }

  void guess_hosts() {
    inside_s_.clear();
    for (const MeasuredLatency& route : routes_)
      if (is_inside(route)) inside_s_[parent(route.one)].push_back(route.latency_s);
    for (const auto& [group, latencies] : inside_s_)
      for (const int host : groups_.children[group]) {
        latency_s_[host] = median(latencies) / 2;
        is_fixed_[host] = 0;
      }
  }

  /// The ways out of a group, seen from one host outside.
  struct WaysOut {
    double nearest_s = 0;            ///< from the nearest of its parts
    std::map<int, double> longer_s;  ///< by part: how much longer
  };

  /// From each host outside to which there are routes from all parts of the group.
  std::vector<WaysOut> ways_out_of(int group) const {
    std::map<int, std::map<int, std::vector<double>>> ways_s;  // by host outside, and part
    for (const MeasuredLatency& route : routes_)
      for (const auto& [host, outside] : {Pair{route.one, route.other}, Pair{route.other, route.one}}) {
        const auto at = std::ranges::find(around_[host], group);
        const bool is_outside = std::ranges::find(around_[outside], group) == around_[outside].end();
        if (at == around_[host].end() || !is_outside) continue;
        const int part = *std::next(at);
        ways_s[outside][part].push_back(route.latency_s - sum_of(terms_at(host, part)));
      }
    std::vector<WaysOut> all;
    for (const auto& [outside, by_part] : ways_s) {
      if (by_part.size() < groups_.children[group].size()) continue;
      WaysOut& ways = all.emplace_back();
      for (const auto& [part, seconds] : by_part) ways.longer_s[part] = median(seconds);
      ways.nearest_s = std::ranges::min_element(ways.longer_s, {}, &std::pair<const int, double>::second)->second;
      for (auto& [part, seconds] : ways.longer_s) seconds -= ways.nearest_s;
    }
    return all;
  }

  /// The ways out of the parts of each group, the innermost groups first: how much longer they are than the shortest,
  /// if hosts outside agree that they differ.
  void guess_exits() {
    for (int group = groups_.points; group < groups_.root(); ++group) {
      if (stars_.contains(group) && stars_.at(group)) continue;  // the links of its hosts differ
      const std::vector<WaysOut> seen = ways_out_of(group);
      if (seen.empty()) continue;
      double least_s = std::numeric_limits<double>::infinity(), most_s = 0, unsure_s = 0;
      for (const int part : groups_.children[group]) {
        std::vector<double> longer_s;
        for (const WaysOut& ways : seen) longer_s.push_back(ways.longer_s.at(part));
        latency_s_[part] = median(longer_s);
        least_s = std::min(least_s, latency_s_[part]);
        if (latency_s_[part] < most_s) continue;
        most_s = latency_s_[part];
        unsure_s = seen.size() == 1 ? alike_within * seen.front().nearest_s : certain * deviation(longer_s);
      }
      const bool differ = most_s - least_s > std::max(unsure_s, exact_s);
      for (const int part : groups_.children[group]) {
        latency_s_[part] = differ ? latency_s_[part] - least_s : 0;
        is_fixed_[part] = latency_s_[part] > 0 ? 0 : 1;  // what all have in common is that of their lines
      }
    }
  }

  const Partition& groups_;
  const std::map<int, bool>& stars_;
  const std::vector<MeasuredLatency>& routes_;
  const std::vector<std::vector<int>> around_;
  std::map<int, std::vector<double>> inside_s_;
  std::vector<double> latency_s_;
  std::vector<char> is_fixed_;
  PartLatencies result_;
};

}  // namespace

PartLatencies part_latencies(const Partition& groups, const std::map<int, bool>& stars,
                             const std::vector<MeasuredLatency>& routes) {
  return LatencyFit(groups, stars, routes).run();
}

}  // namespace isthmus
