#include "algorithms/tuning/subnet_patterns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "algorithms/network/medium.hpp"
#include "algorithms/patterns/tree_broadcast.hpp"
#include "algorithms/replay/replay.hpp"
#include "algorithms/tuning/trials/thrift.hpp"

namespace isthmus {
namespace {

constexpr const char* star = "linear";
constexpr int max_participants = 64;  // beyond, the pattern is that of the first 64

/// From the flattest to the deepest.
std::vector<std::string> shapes_for(int participants) {
  std::vector<std::string> shapes{star};
  for (const int degree : {8, 4, 3, 2})
    if (degree < participants - 1) shapes.push_back(fmt::format("k-ary-{}", degree));
  if (participants > 3) shapes.push_back("binomial");
  shapes.push_back("chain");
  return shapes;
}

bool all_reach_each_other(const Network& network, const std::vector<int>& hosts) {
  return std::ranges::all_of(hosts, [&](int from) {
    return std::ranges::all_of(hosts, [&](int to) { return from == to || network.has_route(from, to); });
  });
}

/// The problem among the participants of a group: blocks are as large as what each of them represents, on average.
Problem problem_among(const Problem& problem, std::size_t participants, std::size_t ranks) {
  Problem among = problem;
  if (!problem.counts.empty()) {
    const std::int64_t sum = std::accumulate(problem.counts.begin(), problem.counts.end(), std::int64_t{0});
    among.count = (sum + std::ssize(problem.counts) - 1) / std::ssize(problem.counts);
    among.counts.clear();
  }
  const auto represented = static_cast<std::int64_t>((ranks + participants - 1) / participants);
  if (has_blocks(problem.collective)) among.count *= represented;
  if (is_alltoall(problem.collective)) among.count *= represented;
  return among;
}

double seconds_of(const std::string& pattern, const Algorithm& algorithm, const PlacedNetwork& placed,
                  const Problem& problem) {
  Plan plan{&algorithm, {}};
  plan.parameters.patterns = {pattern};
  return replay(placed, problem.element_bytes, source(plan, placed.topology(), problem)).seconds;
}

}  // namespace

std::vector<std::string> subnet_patterns(const Algorithm& algorithm, const PlacedNetwork& placed,
                                         const Problem& problem) {
  const Topology& topology = placed.topology();
  std::vector<std::string> patterns;
  if (!problem.commutative) return patterns;
  for (int group = 0; group < std::ssize(topology.groups()); ++group) {
    std::vector<int> participants = topology.participants(group, problem.root);
    if (participants.size() > max_participants) participants.resize(max_participants);
    std::string& chosen = patterns.emplace_back(star);
    if (participants.size() < 3) continue;
    std::vector<int> hosts;
    for (const int rank : participants) hosts.push_back(placed.host_of(rank));
    if (medium_between(placed.network(), hosts) == Medium::shared || !all_reach_each_other(placed.network(), hosts))
      continue;
    const PlacedNetwork among = placed.with_ranks(participants, Topology::flat(static_cast<int>(participants.size())));
    Problem inside = problem_among(problem, participants.size(), topology.group(group).ranks.size());
    const auto root = std::ranges::find(participants, problem.root);
    inside.root =
        !has_root(problem.collective) || root == participants.end() ? 0 : static_cast<int>(root - participants.begin());
    double best_s = infinite;
    std::vector<std::pair<std::string, double>> tried;
    for (std::string& shape : shapes_for(among.size())) {
      const double seconds = seconds_of(shape, algorithm, among, inside);
      best_s = std::min(best_s, seconds);
      tried.emplace_back(std::move(shape), seconds);
    }
    chosen = std::ranges::find_if(tried, [&](const auto& one) { return one.second <= as_quick * best_s; })->first;
  }
  return patterns;
}

bool same_at_each_level(const std::vector<std::string>& patterns, const Topology& topology) {
  if (patterns.empty()) return true;
  std::vector<std::optional<std::string>> at_level(topology.levels() + 1);
  for (int group = 0; group < std::ssize(topology.groups()); ++group) {
    if (topology.members(group).size() < 3) continue;  // all trees of two are the same
    std::optional<std::string>& here = at_level[topology.group(group).level];
    const std::string& pattern = patterns[std::min<std::size_t>(group, patterns.size() - 1)];
    if (here && *here != pattern) return false;
    here = pattern;
  }
  return true;
}

}  // namespace isthmus
