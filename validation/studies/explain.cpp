#include "validation/studies/explain.hpp"

#include <algorithm>
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

/// The choice for another size; if it is the algorithm `now`, perhaps with other parameters.
Plan choice_at(const PlacedNetwork& placed, const Problem& problem, std::int64_t count, const Algorithm* now) {
  // An algorithm that wins with little effort need not be searched with more. Another one might not be the choice then.
  constexpr std::int64_t little_effort = std::int64_t{1} << 20;
  Plan plan = choose(placed, resized(problem, count), little_effort).plan;
  return plan.algorithm == now ? plan : choose(placed, resized(problem, count)).plan;
}

/// The size, between two sizes with different choices, from which the choice is another algorithm than `now`; `other`
/// is the choice at the larger one.
SwitchingPoint switch_between(const PlacedNetwork& placed, const Problem& problem, std::int64_t same_count,
                              std::int64_t other_count, Plan other, const Algorithm* now) {
  constexpr double precise_enough = 1.1;  // the larger size over the smaller one
  while (other_count - same_count > 1 &&
         static_cast<double>(other_count) > precise_enough * static_cast<double>(same_count)) {
    const double between = std::sqrt(static_cast<double>(same_count) * static_cast<double>(other_count));
    const auto middle = std::clamp(std::llround(between), same_count + 1LL, other_count - 1LL);
    Plan plan = choice_at(placed, problem, middle, now);
    if (plan.algorithm == now) {
      same_count = middle;
    } else {
      other_count = middle;
      other = std::move(plan);
    }
  }
  return {other_count * problem.element_bytes, other};
}

void find_switch(const PlacedNetwork& placed, Explanation& explanation) {
  constexpr std::int64_t max_times = 1024, step = 16, max_bytes = std::int64_t{16} << 20;
  const Problem& problem = explanation.problem;
  const Algorithm* now = explanation.candidates.front().plan.algorithm;
  explanation.looked_up_to_bytes = problem.bytes();
  if (problem.count == 0) return;  // a barrier, or nothing to move
  for (std::int64_t count = problem.count; count < problem.count * max_times;) {
    const std::int64_t next = std::min(step * count, max_bytes / problem.element_bytes);
    if (next <= count) return;
    explanation.looked_up_to_bytes = next * problem.element_bytes;
    if (Plan plan = choice_at(placed, problem, next, now); plan.algorithm != now) {
      explanation.next = switch_between(placed, problem, count, next, std::move(plan), now);
      return;
    }
    count = next;
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
  // First, since it refuses what is too large before it takes memory.
  std::vector<Candidate> tried = candidates(placed, problem, every_plan ? Search::every_algorithm : Search::choice);
  explanation.bound = find_lower_bound(placed, problem);
  if (!every_plan) tried = best_of_each(tried);
  explanation.candidates.resize(tried.size());
  side_by_side(tried.size(), [&](std::size_t one) {
    const Candidate& candidate = tried[one];
    const ProgramSource programs = source(candidate.plan, placed.topology(), problem);
    const Carried all = carried(placed, problem.element_bytes, programs);
    const Replay timed = replay(all.placed, problem.element_bytes, all.programs, true);
    const Schedule schedule = materialise(all.placed.size(), all.programs);
    explanation.candidates[one] = {candidate.plan, candidate.seconds, candidate.messages,
                                   critical_path(all.placed, problem.element_bytes, schedule, timed.timeline)};
  });
  const Plan& choice = explanation.candidates.front().plan;
  explanation.busiest = busiest_link(placed, source(choice, placed.topology(), problem), problem.element_bytes);
  find_switch(placed, explanation);
  if (!choice.parameters.packing.empty()) explanation.packing = packing_map(placed, problem, choice);
  return explanation;
}

}  // namespace isthmus
