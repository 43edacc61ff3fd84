#include "algorithms/tuning/select.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "algorithms/catalog.hpp"
#include "algorithms/collective/mpi_own.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/memory.hpp"
#include "algorithms/patterns/tree_broadcast.hpp"
#include "algorithms/replay/replay.hpp"
#include "algorithms/tuning/search.hpp"
#include "algorithms/tuning/thrift.hpp"

namespace isthmus {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// What an algorithm takes beside a segment: trees by level, outermost first, and degrees.
std::vector<Plan> shapes_of(const Algorithm& algorithm, const Topology& topology) {
  std::vector<Plan> plans{{&algorithm, {}}};
  if (takes(algorithm, "levels")) {
    constexpr std::array<const char*, 4> trees = {"linear", "binomial", "chain", "binary"};
    const bool has_groups = !topology.group(0).children.empty();
    for (const char* outer : trees)
      for (const char* inner : trees) {
        if (!has_groups && outer != trees[0]) continue;
        Plan& plan = plans.emplace_back(Plan{&algorithm, {}});
        plan.parameters.levels = has_groups ? std::vector<std::string>{outer, inner} : std::vector<std::string>{inner};
      }
    for (int merged = 2; takes(algorithm, "merged") && merged <= topology.levels(); ++merged)
      plans.emplace_back(Plan{&algorithm, {}}).parameters.merged = merged;
  } else if (takes(algorithm, "degree")) {
    for (const int degree : {1, 2, 3, 8, 16}) {
      if (degree >= topology.size()) continue;
      plans.emplace_back(Plan{&algorithm, {}}).parameters.degree = degree;
    }
  }
  return plans;
}

/// Tries plans, and keeps count of what that costs.
class Trials {
 public:
  Trials(const PlacedNetwork& placed, const Problem& problem, std::int64_t effort_messages)
      : placed_(with_memory_for(placed)),
        problem_(problem),
        topology_(placed.topology()),
        effort_messages_(effort_messages) {}

  const Topology& topology() const { return topology_; }
  std::vector<Candidate>& tried() { return tried_; }

  /// The seconds of a plan, infinity for one that does not serve or is too long to be tried. The first is always tried.
  double seconds_of(const Plan& plan) {
    if (!serves(plan, topology_, problem_)) return infinite;
    const auto is_same = [&](const Candidate& one) { return one.plan.parameters == plan.parameters; };
    if (const auto known = std::ranges::find_if(own(), is_same); known != own().end()) return known->seconds;
    const ProgramSource programs = source(plan, topology_, problem_);
    if (!tried_.empty() && messages_of(programs) > messages_left_) return infinite;
    const Replay result = replay(placed_, problem_.element_bytes, programs);
    messages_left_ -= result.messages;
    tried_.push_back({plan, result.seconds, result.messages});
    return result.seconds;
  }

  /// The largest message that could be cut in segments: a block of every rank, or the message.
  std::int64_t longest_bytes() const {
    const BufferCounts counts = buffer_counts(problem_, topology_.size(), problem_.root);
    return std::max(counts.input, counts.output) * problem_.element_bytes;
  }

  /// Powers of two elements downwards from the largest, as long as that gets better; a bend in the way is allowed.
  void try_segments(Plan plan, double unsegmented_s) {
    constexpr int patience = 3;
    double best_s = unsegmented_s;
    const std::int64_t shortest_bytes = shortest_segment(longest_bytes(), problem_.element_bytes);
    std::int64_t segment_bytes = problem_.element_bytes;
    while (segment_bytes < shortest_bytes) segment_bytes *= 2;
    const std::int64_t min_bytes = segment_bytes;
    while (segment_bytes < longest_bytes() / 2) segment_bytes *= 2;
    for (int worse = 0; worse < patience && segment_bytes >= min_bytes; segment_bytes /= 2) {
      plan.parameters.segment_bytes = segment_bytes;
      const double seconds = seconds_of(plan);
      worse = seconds < best_s ? 0 : seconds > best_s ? worse + 1 : worse;
      best_s = std::min(best_s, seconds);
    }
  }

  void try_algorithm(const Algorithm& algorithm) { try_open({&algorithm, {}}, Open::parameters); }

  /// The plans of one algorithm, each algorithm with the same effort, whatever was tried before it.
  void try_open(const Plan& plan, Open open) {
    messages_left_ = effort_messages_;
    first_ = tried_.size();
    if (has_degrees_to_choose(*plan.algorithm)) {
      seconds_of(complete(plan, placed_, problem_, true));  // its paper's search: equal segments
      return;
    }
    if (open == Open::segment)
      try_shapes({plan});
    else
      try_shapes(shapes_of(*plan.algorithm, topology_));
    if (tried_.size() > first_) try_longer_segments();
  }

 private:
  static const PlacedNetwork& with_memory_for(const PlacedNetwork& placed) {
    // As measured: the replays of plans, one after the other, beside the groups of the ranks.
    constexpr double bytes_of_rank = 2000;
    require_memory(placed.size() * bytes_of_rank, fmt::format("choosing a plan for {} ranks", placed.size()),
                   "fewer would do");
    return placed;
  }

  /// Those of the algorithm that is being tried.
  std::span<const Candidate> own() const { return std::span(tried_).subspan(first_); }

  /// Longer segments than one that is as good as the best plan, and shorter or longer than twice that, may save
  /// messages: time does not grow evenly with them, as the last one may be short.
  void try_longer_segments() {
    const double limit_s = as_quick * std::ranges::min_element(own(), {}, &Candidate::seconds)->seconds;
    std::vector<Candidate> segmented;
    for (const Candidate& one : own())
      if (one.plan.parameters.segment_bytes > 0 && one.seconds <= limit_s) segmented.push_back(one);
    std::ranges::stable_sort(segmented, {}, &Candidate::messages);
    for (Candidate& one : segmented) {
      if (one.messages / 5 * 2 >= fewest_messages(own())->messages) break;
      while (lengthen(one.plan, limit_s)) {
      }
    }
  }

  /// Gives the plan the longest of some longer segments with which it is within the limit; false where none is.
  bool lengthen(Plan& plan, double limit_s) {
    for (const int eighths : {20, 17, 14, 11}) {
      Plan longer = plan;
      longer.parameters.segment_bytes =
          plan.parameters.segment_bytes / 8 * eighths / problem_.element_bytes * problem_.element_bytes;
      if (longer.parameters.segment_bytes <= plan.parameters.segment_bytes ||
          longer.parameters.segment_bytes >= longest_bytes() || seconds_of(longer) > limit_s)
        continue;
      plan = longer;
      return true;
    }
    return false;
  }

  /// The shapes without segments first; the best of them, and those that pipelines like, are cut in segments.
  void try_shapes(const std::vector<Plan>& plans) {
    constexpr std::size_t max_segmented = 4;
    std::vector<Candidate> shapes;
    for (const Plan& plan : plans) shapes.push_back({plan, seconds_of(plan)});
    if (!takes(*plans.front().algorithm, "segment") || longest_bytes() <= min_segment_bytes) return;
    const auto pipelines = [](const Candidate& shape) {
      const std::vector<std::string>& levels = shape.plan.parameters.levels;
      if (levels.empty()) return true;
      const Tree outer = *tree_of(levels.front(), 0), inner = *tree_of(levels.back(), 0);
      const bool binary = inner.shape == TreeShape::k_ary && inner.degree == 2;
      return (outer.shape == TreeShape::flat && (inner.shape == TreeShape::chain || binary)) ||
             (outer.shape == TreeShape::chain && inner.shape == TreeShape::chain);
    };
    std::stable_sort(shapes.begin(), shapes.end(),
                     [](const Candidate& a, const Candidate& b) { return a.seconds < b.seconds; });
    for (std::size_t i = 0; i < shapes.size(); ++i)
      if (i < max_segmented || pipelines(shapes[i])) try_segments(shapes[i].plan, shapes[i].seconds);
  }

  /// An estimate: that of a few ranks for all.
  std::int64_t messages_of(const ProgramSource& programs) const {
    std::size_t most = 0;
    Program program;
    const int size = topology_.size();
    for (const int rank : {0, size / 2, size - 1}) {
      program.clear();
      programs(rank, program);
      const auto sends = std::count_if(program.ops().begin(), program.ops().end(),
                                       [](const Op& op) { return op.kind == OpKind::send; });
      most = std::max(most, static_cast<std::size_t>(sends));
    }
    return static_cast<std::int64_t>(most) * size;
  }

  const PlacedNetwork& placed_;
  const Problem& problem_;
  const Topology& topology_;
  std::int64_t effort_messages_, messages_left_ = 0;
  std::size_t first_ = 0;  ///< of tried_: where the algorithm that is being tried begins
  std::vector<Candidate> tried_;
};

std::vector<Candidate> choice_first(std::vector<Candidate> tried) {
  std::ranges::stable_sort(tried, {}, &Candidate::seconds);
  const auto choice = fewest_messages(tried);
  std::rotate(tried.begin(), choice, choice + 1);
  return tried;
}

}  // namespace

std::vector<Candidate> candidates(const PlacedNetwork& placed, const Problem& problem, std::int64_t effort_messages) {
  check_problem(problem, placed.size());
  Trials trials(placed, problem, effort_messages);
  // Those that know of groups come first, so that they are never left out.
  std::vector<const Algorithm*> order = algorithms_of(problem.collective);
  std::stable_partition(order.begin(), order.end(), [](const Algorithm* algorithm) { return algorithm->uses_groups; });
  for (const Algorithm* algorithm : order) trials.try_algorithm(*algorithm);
  if (trials.tried().empty())
    throw BadInput(
        fmt::format("no algorithm of {} serves this problem over {} ranks", name(problem.collective), placed.size()));
  return choice_first(std::move(trials.tried()));
}

Plan choose_parameters(const Plan& plan, Open open, const PlacedNetwork& placed, const Problem& problem,
                       std::int64_t effort_messages) {
  if (is_mpi_own(plan) || plan.algorithm->parameters.empty()) return plan;
  if (open == Open::nothing) return complete(plan, placed, problem, false);
  check_problem(problem, placed.size());
  Trials trials(placed, problem, effort_messages);
  trials.try_open(plan, open);
  return trials.tried().empty() ? plan : fewest_messages(trials.tried())->plan;
}

Choice choose(const PlacedNetwork& placed, const Problem& problem, std::int64_t effort_messages) {
  const Candidate best = candidates(placed, problem, effort_messages).front();
  return {best.plan, best.seconds};
}

}  // namespace isthmus
