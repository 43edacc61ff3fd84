#include "validation/studies/explain.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "algorithms/process/side_by_side.hpp"
#include "algorithms/replay/forwarded.hpp"
#include "algorithms/replay/replay.hpp"
#include "algorithms/tuning/trials/link_load.hpp"
#include "algorithms/tuning/trials/thrift.hpp"

namespace isthmus {
namespace {

Problem resized(const Problem& problem, std::int64_t count) {
  Problem other = problem;
  other.count = count;
  return other;
}

/// Enough to tell whether the choice is another algorithm, but for cases that a whole search decides otherwise. An
/// algorithm that wins with little effort need not be searched with more; another one might not be the choice.
const Algorithm* likely_choice(const PlacedNetwork& placed, const Problem& problem, std::int64_t count) {
  constexpr std::int64_t little_effort = std::int64_t{1} << 20;
  return choose(placed, resized(problem, count), little_effort).plan.algorithm;
}

/// Sizes between a smaller one, at which the likely choice is `now`, and a larger one, at which it is not.
struct Between {
  std::int64_t same, other;

  bool is_precise() const {
    constexpr double precise_enough = 1.1;  // the larger size over the smaller one
    return other - same <= 1 || static_cast<double>(other) <= precise_enough * static_cast<double>(same);
  }
};

/// Divided by three until it is precise: two sizes can be looked at side by side.
Between narrowed(Between between, const PlacedNetwork& placed, const Problem& problem, const Algorithm* now) {
  while (!between.is_precise()) {
    const auto [same, other] = between;
    const double third = std::cbrt(static_cast<double>(other) / static_cast<double>(same));
    const auto first = std::clamp(std::llround(third * static_cast<double>(same)), same + 1LL, other - 1LL);
    const auto second = std::clamp(std::llround(third * third * static_cast<double>(same)), first + 0LL, other - 1LL);
    const std::array<std::int64_t, 2> counts{first, second};
    std::array<const Algorithm*, 2> there{};
    side_by_side(2, [&](std::size_t one) { there[one] = likely_choice(placed, problem, counts[one]); });
    if (there[0] != now)
      between.other = first;
    else if (there[1] != now)
      between = {first, second};
    else
      between.same = second;
  }
  return between;
}

/// The size, between two sizes with different choices, from which the choice is another algorithm than `now`; `other`
/// is the choice at the larger one. A size that is likely is right if the whole search has another algorithm there too.
SwitchingPoint switch_between(const PlacedNetwork& placed, const Problem& problem, Between between, Plan other,
                              const Algorithm* now) {
  while (!between.is_precise()) {
    const Between likely = narrowed(between, placed, problem, now);
    between.same = likely.same;
    if (likely.other == between.other) break;
    Plan plan = choose(placed, resized(problem, likely.other)).plan;
    if (plan.algorithm == now) {
      between.same = likely.other;
    } else {
      between.other = likely.other;
      other = std::move(plan);
    }
  }
  return {between.other * problem.element_bytes, other};
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

/// `there`: the likely choices at the larger sizes.
void find_switch(const PlacedNetwork& placed, const std::vector<std::int64_t>& larger,
                 const std::vector<const Algorithm*>& there, const Algorithm* now, Explanation& explanation) {
  const Problem& problem = explanation.problem;
  std::int64_t count = problem.count;
  explanation.looked_up_to_bytes = problem.bytes();
  for (std::size_t one = 0; one < larger.size(); ++one) {
    explanation.looked_up_to_bytes = larger[one] * problem.element_bytes;
    if (there[one] != now) {
      Plan plan = choose(placed, resized(problem, larger[one])).plan;
      if (plan.algorithm != now) {
        explanation.next = switch_between(placed, problem, {count, larger[one]}, std::move(plan), now);
        return;
      }
    }
    count = larger[one];
  }
}

/// The choice, then the best plan of every other algorithm: the one that is run when the algorithm is named alone.
std::vector<Candidate> best_of_each(const std::vector<Candidate>& tried) {
  std::map<const Algorithm*, std::vector<Candidate>> by_algorithm;
  for (const Candidate& candidate : tried) by_algorithm[candidate.plan.algorithm].push_back(candidate);
  by_algorithm.erase(tried.front().plan.algorithm);
  std::vector<Candidate> best;
  for (const auto& [algorithm, own] : by_algorithm) best.push_back(*fewest_messages(own));
  std::ranges::stable_sort(best, {}, &Candidate::seconds);
  best.insert(best.begin(), tried.front());
  return best;
}

}  // namespace

Explanation explain(const PlacedNetwork& placed, const Problem& problem, bool every_plan) {
  Explanation explanation;
  explanation.problem = problem;
  const std::vector<std::int64_t> larger = larger_counts(problem);
  std::vector<const Algorithm*> there(larger.size());
  std::vector<Candidate> tried;
  // The choice first, since it refuses what is too large before it takes memory.
  side_by_side(1 + larger.size(), [&](std::size_t one) {
    if (one == 0)
      tried = candidates(placed, problem, every_plan ? Search::every_algorithm : Search::choice);
    else
      there[one - 1] = likely_choice(placed, problem, larger[one - 1]);
  });
  if (!every_plan) tried = best_of_each(tried);
  const Plan& choice = tried.front().plan;
  explanation.candidates.resize(tried.size());
  const auto explain_candidate = [&](std::size_t one) {
    const Candidate& candidate = tried[one];
    const ProgramSource programs = source(candidate.plan, placed.topology(), problem);
    const Carried all = carried(placed, problem.element_bytes, programs);
    const Replay timed = replay(all.placed, problem.element_bytes, all.programs, true);
    const Schedule schedule = materialise(all.placed.size(), all.programs);
    explanation.candidates[one] = {candidate.plan, candidate.seconds, candidate.messages,
                                   critical_path(all.placed, problem.element_bytes, schedule, timed.timeline)};
  };
  side_by_side(2 + tried.size(), [&](std::size_t one) {
    if (one == 0)
      find_switch(placed, larger, there, choice.algorithm, explanation);
    else if (one == 1)
      explanation.bound = find_lower_bound(placed, problem);
    else
      explain_candidate(one - 2);
  });
  explanation.busiest = busiest_link(placed, source(choice, placed.topology(), problem), problem.element_bytes);
  if (!choice.parameters.packing.empty()) explanation.packing = packing_map(placed, problem, choice);
  return explanation;
}

}  // namespace isthmus
