#include "validation/studies/explain.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "algorithms/replay/forwarded.hpp"
#include "algorithms/replay/replay.hpp"
#include "algorithms/tuning/link_load.hpp"
#include "algorithms/tuning/thrift.hpp"

namespace isthmus {
namespace {

Problem resized(const Problem& problem, std::int64_t count) {
  Problem other = problem;
  other.count = count;
  return other;
}

constexpr std::int64_t effort_messages = std::int64_t{1} << 19;  // at each size that is looked at

/// The size, between two sizes with different choices, from which the choice is another algorithm than `now`; `other`
/// is the choice at the larger one.
SwitchingPoint switch_between(const PlacedNetwork& placed, const Problem& problem, std::int64_t same_count,
                              std::int64_t other_count, Plan other, const Algorithm* now) {
  constexpr std::int64_t precise_enough = 50;  // within 2 % of the size
  while (other_count - same_count > std::max<std::int64_t>(1, other_count / precise_enough)) {
    const std::int64_t middle = same_count + (other_count - same_count) / 2;
    Plan plan = choose(placed, resized(problem, middle), effort_messages).plan;
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
  constexpr std::int64_t max_times = 1024, step = 4, max_bytes = std::int64_t{16} << 20;
  const Problem& problem = explanation.problem;
  const Algorithm* now = explanation.candidates.front().plan.algorithm;
  explanation.looked_up_to_bytes = problem.bytes();
  if (problem.count == 0) return;  // a barrier, or nothing to move
  for (std::int64_t count = problem.count; count < problem.count * max_times;) {
    const std::int64_t next = std::min(step * count, max_bytes / problem.element_bytes);
    if (next <= count) return;
    explanation.looked_up_to_bytes = next * problem.element_bytes;
    if (const Plan plan = choose(placed, resized(problem, next), effort_messages).plan; plan.algorithm != now) {
      explanation.next = switch_between(placed, problem, count, next, plan, now);
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
  for (const Candidate& candidate : tried) {
    const ProgramSource programs = source(candidate.plan, placed.topology(), problem);
    const Carried all = carried(placed, problem.element_bytes, programs);
    const Replay timed = replay(all.placed, problem.element_bytes, all.programs, true);
    const Schedule schedule = materialise(all.placed.size(), all.programs);
    explanation.candidates.push_back({candidate.plan, candidate.seconds, candidate.messages,
                                      critical_path(all.placed, problem.element_bytes, schedule, timed.timeline)});
  }
  const Plan& choice = explanation.candidates.front().plan;
  explanation.busiest = busiest_link(placed, source(choice, placed.topology(), problem), problem.element_bytes);
  find_switch(placed, explanation);
  if (!choice.parameters.packing.empty()) explanation.packing = packing_map(placed, problem, choice);
  return explanation;
}

}  // namespace isthmus
