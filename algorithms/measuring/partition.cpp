#include "algorithms/measuring/partition.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <utility>

#include "algorithms/errors.hpp"

namespace isthmus {
namespace {

constexpr double far = std::numeric_limits<double>::infinity();

double positive(double distance, int from, int to) {
  if (distance > 0) return distance;
  throw BadInput("the distance from " + std::to_string(from) + " to " + std::to_string(to) + " is " +
                 std::to_string(distance) + "; more than 0 would be right");
}

/// Two points of a group that are nearer than `nearest`, if a walk through all points finds any.
std::optional<std::pair<int, int>> nearer_pair(const std::vector<int>& group, const Distance& distance,
                                               double nearest) {
  std::vector<int> walk = group;
  std::mt19937 random(static_cast<unsigned>(group.front()));
  for (int round = 0; round < 2; ++round) {
    for (std::size_t i = 1; i < walk.size(); ++i) {
      if (distance(walk[i - 1], walk[i]) < nearest) return std::pair(walk[i - 1], walk[i]);
    }
    std::shuffle(walk.begin(), walk.end(), random);
  }
  return std::nullopt;
}

/// The innermost groups, by sampling, for many points.
std::vector<std::vector<int>> sampled_subnets(int size, const Distance& distance, double alike) {
  std::vector<std::vector<int>> found;
  std::vector<int> left(size);
  std::iota(left.begin(), left.end(), 0);
  while (!left.empty()) {
    const int leader = left.front();
    left.erase(left.begin());
    double nearest = far;
    for (const std::vector<int>& other : found) nearest = std::min(nearest, distance(leader, other.front()));
    std::vector<double> away;
    for (const int point : left) away.push_back(distance(leader, point));
    for (const double one : away) nearest = std::min(nearest, one);
    std::vector<int> group{leader}, others;
    for (std::size_t i = 0; i < left.size(); ++i) (away[i] <= alike * nearest ? group : others).push_back(left[i]);
    const auto nearer = nearer_pair(group, distance, nearest / alike);
    if (!nearer) {
      found.push_back(std::move(group));
      left = std::move(others);
      continue;
    }
    found.push_back({leader});
    const int next = nearer->first == leader ? nearer->second : nearer->first;
    std::erase(left, next);
    left.insert(left.begin(), next);
  }
  return found;
}

}  // namespace

std::vector<int> Partition::points_of(int part) const {
  if (is_point(part)) return {part};
  std::vector<int> found;
  for (const int child : children[part]) {
    const std::vector<int> below = points_of(child);
    found.insert(found.end(), below.begin(), below.end());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::vector<int>> subnets(int size, const Distance& distance, double alike) {
  std::vector<std::tuple<double, int, int>> edges;
  std::vector<double> nearest(size, far);  // of each point; at the lowest point of a subnet, of the subnet
  for (int from = 0; from < size; ++from) {
    for (int to = from + 1; to < size; ++to) {
      const double length = positive(distance(from, to), from, to);
      edges.emplace_back(length, from, to);
      nearest[from] = std::min(nearest[from], length);
      nearest[to] = std::min(nearest[to], length);
    }
  }
  std::sort(edges.begin(), edges.end());
  std::vector<int> subnet(size);
  std::iota(subnet.begin(), subnet.end(), 0);
  std::vector<double> shortest = nearest;
  std::vector<char> waits(size);
  for (const auto& [length, one, other] : edges) {
    const int a = std::min(subnet[one], subnet[other]), b = std::max(subnet[one], subnet[other]);
    if (a == b) continue;
    const double limit = alike * std::min({nearest[one], nearest[other], shortest[a], shortest[b]});
    if (length > limit || waits[one] || waits[other]) {
      waits[one] = waits[other] = 1;
      continue;
    }
    shortest[a] = std::min(shortest[a], shortest[b]);
    std::replace(subnet.begin(), subnet.end(), b, a);
  }
  std::vector<std::vector<int>> found(size);
  for (int point = 0; point < size; ++point) found[subnet[point]].push_back(point);
  std::erase_if(found, [](const std::vector<int>& group) { return group.empty(); });
  return found;
}

Partition partition(int points, const Distance& distance, double alike, int max_in_full) {
  Partition result;
  result.points = points;
  result.children.resize(points);
  std::vector<std::pair<int, int>> parts;  // lowest point, number
  for (int point = 0; point < points; ++point) parts.emplace_back(point, point);
  bool is_sampled = points > max_in_full;
  while (parts.size() > 1) {
    const Distance between = [&](int from, int to) { return distance(parts[from].first, parts[to].first); };
    const auto size = static_cast<int>(parts.size());
    const auto found = is_sampled ? sampled_subnets(size, between, alike) : subnets(size, between, alike);
    is_sampled = false;
    std::vector<std::pair<int, int>> outer;
    for (const std::vector<int>& group : found) {
      std::pair<int, int> joined = parts[group.front()];
      if (group.size() > 1) {
        std::vector<int>& children = result.children.emplace_back();
        std::vector<std::pair<int, int>> members;
        for (const int member : group) members.push_back(parts[member]);
        std::sort(members.begin(), members.end());
        for (const auto& [lowest, number] : members) children.push_back(number);
        joined = {members.front().first, result.root()};
      }
      outer.push_back(joined);
    }
    std::sort(outer.begin(), outer.end());
    parts = std::move(outer);
  }
  return result;
}

Partition with_points(const Partition& tree, const std::vector<std::vector<int>>& inner, int points) {
  Partition result;
  result.points = points;
  result.children.resize(static_cast<std::size_t>(points));
  std::vector<int> numbers;
  for (const std::vector<int>& part : inner) {
    if (part.size() > 1) result.children.push_back(part);
    numbers.push_back(part.size() > 1 ? result.root() : part.front());
  }
  for (int group = tree.points; group <= tree.root(); ++group) {
    std::vector<int> children;
    for (const int child : tree.children[group]) children.push_back(numbers[child]);
    result.children.push_back(std::move(children));
    numbers.push_back(result.root());
  }
  return result;
}

std::vector<std::vector<int>> parts_around(const Partition& groups) {
  std::vector<std::vector<int>> around(groups.children.size());
  for (int group = groups.root(); group >= groups.points; --group)
    for (const int child : groups.children[group]) {
      around[child] = around[group];
      around[child].push_back(group);
    }
  around.resize(groups.points);
  for (int point = 0; point < groups.points; ++point) around[point].push_back(point);
  return around;
}

std::pair<int, int> parts_between(const std::vector<int>& one, const std::vector<int>& other) {
  const auto [at, there] = std::mismatch(one.begin(), one.end(), other.begin(), other.end());
  return {*at, *there};
}

Partition without_empty_groups(const Partition& groups) {
  std::vector<int> numbers(groups.children.size());
  Partition kept;
  kept.points = groups.points;
  for (int part = 0; part <= groups.root(); ++part) {
    if (!groups.is_point(part) && groups.children[part].empty()) continue;
    numbers[part] = static_cast<int>(kept.children.size());
    std::vector<int>& children = kept.children.emplace_back();
    for (const int child : groups.children[part]) children.push_back(numbers[child]);
  }
  return kept;
}

}  // namespace isthmus
