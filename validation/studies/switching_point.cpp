#include "validation/studies/switching_point.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "algorithms/process/side_by_side.hpp"
#include "algorithms/tuning/trials/known_replays.hpp"
#include "algorithms/tuning/trials/packed_plans.hpp"
#include "algorithms/tuning/trials/thrift.hpp"

namespace isthmus {
namespace {

constexpr double precise_enough = 1.1;  // a larger size over a smaller one

bool are_near(std::int64_t smaller, std::int64_t larger, double ratio = precise_enough) {
  return larger - smaller <= 1 || static_cast<double>(larger) <= ratio * static_cast<double>(smaller);
}

Problem with_count(const Problem& problem, std::int64_t count) {
  Problem other = problem;
  other.count = count;
  return other;
}

/// Between the two; equal if there is but one.
std::pair<std::int64_t, std::int64_t> thirds(std::int64_t smaller, std::int64_t larger) {
  const double third = std::cbrt(static_cast<double>(larger) / static_cast<double>(smaller));
  const auto first =
      std::clamp<std::int64_t>(std::llround(third * static_cast<double>(smaller)), smaller + 1, larger - 1);
  const auto second = std::clamp<std::int64_t>(std::llround(static_cast<double>(larger) / third), first, larger - 1);
  return {first, second};
}

/// The larger sizes at which the choice may be another algorithm.
std::vector<std::int64_t> larger_counts(const Problem& problem) {
  constexpr std::int64_t max_times = 1024, step = 16, max_bytes = std::int64_t{16} << 20;
  std::vector<std::int64_t> larger;
  if (problem.count == 0) return larger;  // a barrier, or nothing to move
  for (std::int64_t count = problem.count; count < problem.count * max_times; count = larger.back()) {
    const std::int64_t next = std::min(step * count, max_bytes / problem.element_bytes);
    if (next <= count) break;
    larger.push_back(next);
  }
  return larger;
}

}  // namespace

SwitchSearch::SwitchSearch(const PlacedNetwork& placed, const Problem& problem)
    : placed_(placed), problem_(problem), larger_(larger_counts(problem)), looked_up_to_bytes_(problem.bytes()) {}

void SwitchSearch::look_ahead() {
  if (!larger_.empty()) first_ = likely(larger_.front());
}

std::optional<SwitchingPoint> SwitchSearch::find(const std::vector<Candidate>& tried) {
  now_ = tried.front().plan.algorithm;
  Chosen same = chosen(problem_.count, tried, true);
  std::vector<Chosen> there;
  if (first_) there.push_back(*first_);
  for (std::size_t one = 0; one < larger_.size(); ++one) {
    if (one == there.size()) {  // the choice is the same at the first: now at all others, side by side
      there.resize(larger_.size());
      side_by_side(larger_.size() - one, [&](std::size_t next) { there[one + next] = likely(larger_[one + next]); });
    }
    looked_up_to_bytes_ = larger_[one] * problem_.element_bytes;
    const Chosen other = confirmed(same, there[one]);
    if (differs(other))
      if (const std::optional<Chosen> next = switch_between(same, other))
        return SwitchingPoint{next->count * problem_.element_bytes, next->plans.front()};
    same = differs(other) ? same : other;
  }
  return std::nullopt;
}

SwitchSearch::Chosen SwitchSearch::chosen(std::int64_t count, const std::vector<Candidate>& tried, bool is_sure) {
  constexpr double near = 1.5;
  std::map<const Algorithm*, std::vector<Candidate>> others;
  const Candidate& choice = tried.front();
  for (const Candidate& one : tried)
    if (one.plan.algorithm != choice.plan.algorithm && one.seconds <= near * choice.seconds)
      others[one.plan.algorithm].push_back(one);
  Chosen chosen{count, {choice.plan}, choice.seconds, is_sure};
  for (const auto& [algorithm, own] : others) chosen.plans.push_back(fewest_messages(own)->plan);
  return chosen;
}

/// Enough to tell whether the choice is another algorithm, but for cases that the whole search decides otherwise. An
/// algorithm that wins with little effort need not be searched with more; another one might not be the choice.
SwitchSearch::Chosen SwitchSearch::likely(std::int64_t count) const {
  constexpr std::int64_t little_effort = std::int64_t{1} << 21;
  const Problem problem = with_count(problem_, count);
  if (now_ != nullptr && has_packing_to_choose(*now_)) {  // often at the larger size too, and sooner told
    const std::vector<Candidate> tried = candidates(placed_, problem, Search::algorithm_alone, little_effort);
    if (tried.front().plan.algorithm == now_) return chosen(count, tried, false);
  }
  return chosen(count, candidates(placed_, problem, Search::choice_alone, little_effort), false);
}

SwitchSearch::Chosen SwitchSearch::surely(std::int64_t count) const {
  return chosen(count, candidates(placed_, with_count(problem_, count), Search::choice_alone), true);
}

/// Times the plans for another size, none twice. The best segment of a pipeline grows with the square root of what it
/// carries; with as many segments as before there are fewer messages. One plan within the limit is enough.
std::vector<Candidate> SwitchSearch::resized(const Chosen& one, std::int64_t count, double limit_s) const {
  std::vector<Candidate> tried;
  const bool one_is_enough = limit_s < infinite;
  const Problem problem = with_count(problem_, count);
  KnownReplays replays(placed_, problem);
  const double times = static_cast<double>(count) / static_cast<double>(one.count);
  const auto try_plan = [&](const Plan& plan) {
    const auto is_same = [&](const Candidate& other) {
      return other.plan.algorithm == plan.algorithm && other.plan.parameters == plan.parameters;
    };
    if (std::ranges::any_of(tried, is_same) || !serves(plan, placed_.topology(), problem)) return;
    for (const Candidate& other : tried) limit_s = std::min(limit_s, as_quick * other.seconds);
    const LimitedReplay timed = replays.replayed(replays.sketched(plan), KnownReplays::Of::plan, limit_s);
    tried.push_back({plan, timed.seconds, timed.messages});
  };
  for (const Plan& known : one.plans)
    for (const double longer : {times, std::sqrt(times)}) {
      Plan plan = known;
      std::int64_t& segment = plan.parameters.segment_bytes;
      const double elements = std::round(longer * static_cast<double>(segment / problem.element_bytes));
      if (segment > 0) segment = static_cast<std::int64_t>(std::max(1.0, elements)) * problem.element_bytes;
      try_plan(plan);
      if (one_is_enough && !tried.empty() && tried.back().seconds <= limit_s) return tried;
    }
  return tried;
}

/// Little effort misses the plan with short segments that is the choice for a smaller size.
SwitchSearch::Chosen SwitchSearch::confirmed(const Chosen& same, Chosen other) const {
  if (!differs(other) || other.is_sure) return other;
  const double limit_s = other.seconds / as_quick;
  for (const Candidate& one : resized({same.count, {same.plans.front()}}, other.count, limit_s))
    if (one.seconds <= limit_s) return chosen(other.count, {one}, false);
  return other;
}

/// From where on the best of the plans for the nearer of both sizes is one of another algorithm.
std::int64_t SwitchSearch::likely_switch(const Chosen& same, const Chosen& other) const {
  constexpr double quite_precise = 1.04;
  const double half = std::sqrt(static_cast<double>(same.count) * static_cast<double>(other.count));
  std::int64_t below = same.count, above = other.count;
  while (!are_near(below, above, quite_precise)) {
    const auto [first, second] = thirds(below, above);
    std::array<bool, 2> are_same{};
    side_by_side(2, [&, counts = std::array{first, second}](std::size_t one) {
      const std::vector<Candidate> tried =
          resized(static_cast<double>(counts[one]) < half ? same : other, counts[one], infinite);
      are_same[one] = tried.empty() || fewest_messages(tried)->plan.algorithm == now_;
    });
    below = are_same[1] && are_same[0] ? second : are_same[0] ? first : below;
    above = !are_same[0] ? first : !are_same[1] ? second : above;
  }
  return above;
}

/// Between two sizes with different choices: looks on both sides of where the switch is likely. Where that is in vain
/// it divides by three, and then looks where the switch is likely between the sizes that are left. Where little effort
/// has misled it twice it makes whole searches only. Nothing if the whole search has the same algorithm at the larger
/// size.
std::optional<SwitchSearch::Chosen> SwitchSearch::switch_between(Chosen same, Chosen other) const {
  constexpr int max_misled = 2;
  Chosen farther = other;
  int misled = 0;
  for (bool guesses = true;; guesses = !guesses) {
    if (are_near(same.count, other.count)) {
      if (!other.is_sure) other = surely(other.count);
      if (differs(other)) return other;
      ++misled;
      if (other.count == farther.count) return std::nullopt;
      same = std::exchange(other, farther);
      continue;
    }
    const bool whole = misled >= max_misled;
    guesses = guesses && !whole;
    auto [first, second] = thirds(same.count, other.count);
    if (guesses) {
      const double side = std::sqrt(precise_enough);
      const auto at = static_cast<double>(likely_switch(same, other));
      second = std::clamp(static_cast<std::int64_t>(at * side), same.count + 1, other.count);
      first = std::clamp(static_cast<std::int64_t>(at / side) + 1, same.count, second);
    }
    Chosen low = same, high = other;
    side_by_side(2, [&, below = first, above = second](std::size_t one) {
      if (one == 0 && below > same.count && below < above) low = whole ? surely(below) : likely(below);
      if (one == 1) high = guesses || whole ? surely(above) : likely(above);
    });
    low = confirmed(same, low);
    high = confirmed(same, high);
    if (!differs(high)) {
      if (high.is_sure) ++misled;
      if (second == farther.count) return std::nullopt;
      same = high;
      other = farther;
      continue;
    }
    if (high.is_sure) farther = high;
    if (!differs(low)) same = low;
    other = differs(low) ? low : high;
  }
}

}  // namespace isthmus
