#include "algorithms/measuring/group_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "algorithms/errors.hpp"

namespace isthmus {
namespace {

/// A group or a point of the dendrogram.
struct Node {
  std::vector<int> points;
  std::vector<int> children;  // none: a point
  int parent = -1;
  double height = 0;  // mean distance of its two halves
};

class GroupTree {
 public:
  GroupTree(int points, const Distance& distance, const GroupTreeSettings& settings)
      : count_(points), settings_(settings), distances_(static_cast<std::size_t>(points) * points) {
    for (int from = 0; from < points; ++from) {
      for (int to = from + 1; to < points; ++to) {
        const double length = distance(from, to);
        if (!(length > 0) || !std::isfinite(length))
          throw BadInput(fmt::format("the distance from {} to {} is {}; more than 0 would be right", from, to, length));
        at(from, to) = at(to, from) = length;
      }
    }
    const double pairs = std::max(2.0, 0.5 * points * (points - 1.0));
    figure_price_ = 0.5 * std::log(pairs);
  }

  Partition run() {
    link_by_average();
    remove_steps_that_are_too_small();
    shorten();
    return as_partition();
  }

 private:
  double& at(int from, int to) { return distances_[static_cast<std::size_t>(from) * count_ + to]; }
  double at(int from, int to) const { return distances_[static_cast<std::size_t>(from) * count_ + to]; }

  double mean_between(const Node& one, const Node& other) const {
    double sum = 0;
    for (const int from : one.points)
      for (const int to : other.points) sum += at(from, to);
    return sum / (static_cast<double>(one.points.size()) * static_cast<double>(other.points.size()));
  }

  void link_by_average() {
    std::vector<int> open;
    std::vector<std::vector<double>> means(2 * static_cast<std::size_t>(count_),
                                           std::vector<double>(2 * static_cast<std::size_t>(count_)));
    for (int point = 0; point < count_; ++point) {
      nodes_.push_back({{point}, {}, -1, 0});
      open.push_back(point);
      for (int other = 0; other < point; ++other) means[point][other] = means[other][point] = at(point, other);
    }
    while (open.size() > 1) {
      std::size_t one = 0, other = 1;
      for (std::size_t i = 0; i < open.size(); ++i)
        for (std::size_t j = i + 1; j < open.size(); ++j)
          if (means[open[i]][open[j]] < means[open[one]][open[other]]) one = i, other = j;
      const auto number = static_cast<int>(nodes_.size());
      Node joined{nodes_[open[one]].points, {open[one], open[other]}, -1, means[open[one]][open[other]]};
      joined.points.insert(joined.points.end(), nodes_[open[other]].points.begin(), nodes_[open[other]].points.end());
      std::ranges::sort(joined.points);
      nodes_[open[one]].parent = nodes_[open[other]].parent = number;
      for (const int third : open) {
        if (third == open[one] || third == open[other]) continue;
        const auto first = static_cast<double>(nodes_[open[one]].points.size()),
                   second = static_cast<double>(nodes_[open[other]].points.size());
        means[third][number] = means[number][third] =
            (first * means[third][open[one]] + second * means[third][open[other]]) / (first + second);
      }
      nodes_.push_back(std::move(joined));
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(other));
      open[one] = number;
    }
  }

  int root() const { return static_cast<int>(nodes_.size()) - 1; }
  bool is_group(int node) const { return !nodes_[node].children.empty(); }

  /// Hands the children of a group to its parent.
  void remove(int group) {
    std::vector<int>& heirs = nodes_[nodes_[group].parent].children;
    std::erase(heirs, group);
    for (const int child : nodes_[group].children) {
      heirs.push_back(child);
      nodes_[child].parent = nodes_[group].parent;
    }
    nodes_[group].children.clear();
    nodes_[group].points.clear();
  }

  void remove_steps_that_are_too_small() {
    for (int group = count_; group < root(); ++group)
      if (nodes_[nodes_[group].parent].height < settings_.alike * nodes_[group].height) remove(group);
  }

  double error(double length, double figure) const {
    const double relative = std::log(length / std::max(figure, 1e-3 * length)), jitter = settings_.jitter / length;
    return relative * relative / (2 * (settings_.deviation * settings_.deviation + jitter * jitter));
  }

  double errors_between(int one, int other, double figure) const {
    double sum = 0;
    for (const int from : nodes_[one].points)
      for (const int to : nodes_[other].points) sum += error(at(from, to), figure);
    return sum;
  }

  /// The length of the description of the distances between these parts.
  double length_of(const std::vector<int>& parts) const {
    const std::size_t size = parts.size();
    std::vector<std::vector<double>> means(size, std::vector<double>(size));
    double all = 0, pairs = 0, own_errors = 0;
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = i + 1; j < size; ++j) {
        const double mean = means[i][j] = means[j][i] = mean_between(nodes_[parts[i]], nodes_[parts[j]]);
        const auto weight =
            static_cast<double>(nodes_[parts[i]].points.size()) * static_cast<double>(nodes_[parts[j]].points.size());
        all += weight * mean;
        pairs += weight;
        own_errors += errors_between(parts[i], parts[j], mean);
      }
    }
    const double count = static_cast<double>(size);
    const double own = own_errors + figure_price_ * count * (count - 1) / 2;
    double one = figure_price_;
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = i + 1; j < size; ++j) one += errors_between(parts[i], parts[j], all / pairs);
    if (size < 4) return std::min(one, own);
    // The least squares of sums of two figures: a part's row less the mean of all rows.
    std::vector<double> rows(size), figures(size);
    double total = 0;
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) rows[i] += means[i][j];
      total += rows[i] / 2;
    }
    for (std::size_t i = 0; i < size; ++i) figures[i] = (rows[i] - total / (count - 1)) / (count - 2);
    double sums = figure_price_ * count;
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = i + 1; j < size; ++j) sums += errors_between(parts[i], parts[j], figures[i] + figures[j]);
    return std::min({one, sums, own});
  }

  /// Removes groups, at each step that which lengthens the description least, as long as it becomes shorter.
  void shorten() {
    std::vector<double> lengths(nodes_.size());
    for (int group = count_; group <= root(); ++group)
      if (is_group(group)) lengths[group] = length_of(nodes_[group].children);
    for (;;) {
      int best = -1;
      double best_change = 1e-9, best_length = 0;
      for (int group = count_; group < root(); ++group) {
        if (!is_group(group)) continue;
        const int parent = nodes_[group].parent;
        std::vector<int> parts = nodes_[parent].children;
        std::erase(parts, group);
        parts.insert(parts.end(), nodes_[group].children.begin(), nodes_[group].children.end());
        const double length = length_of(parts), change = length - lengths[parent] - lengths[group];
        if (change < best_change) best = group, best_change = change, best_length = length;
      }
      if (best < 0) return;
      lengths[nodes_[best].parent] = best_length;
      remove(best);
    }
  }

  Partition as_partition() const {
    Partition result;
    result.points = count_;
    result.children.resize(count_);
    const auto write = [&](const auto& self, int node) -> int {
      if (!is_group(node)) return node;
      std::vector<int> ascending = nodes_[node].children;
      std::ranges::sort(ascending, {}, [&](int child) { return nodes_[child].points.front(); });
      std::vector<int> numbers;
      for (const int child : ascending) numbers.push_back(self(self, child));
      result.children.push_back(std::move(numbers));
      return result.root();
    };
    write(write, root());
    return result;
  }

  int count_;
  GroupTreeSettings settings_;
  std::vector<double> distances_;
  std::vector<Node> nodes_;
  double figure_price_ = 0;
};

}  // namespace

Partition group_tree(int points, const Distance& distance, const GroupTreeSettings& settings) {
  return GroupTree(points, distance, settings).run();
}

}  // namespace isthmus
