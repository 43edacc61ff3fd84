#include "validation/studies/explain.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "algorithms/process/side_by_side.hpp"
#include "algorithms/replay/forwarded.hpp"
#include "algorithms/replay/replay.hpp"
#include "algorithms/tuning/trials/known_trials.hpp"
#include "algorithms/tuning/trials/link_load.hpp"
#include "algorithms/tuning/trials/thrift.hpp"

namespace isthmus {
namespace {

/// The choice, then the best plan of every other algorithm: the one that is run when the algorithm is named alone.
std::vector<Candidate> best_of_each(const Candidate& choice, const std::vector<Candidate>& tried) {
  std::map<const Algorithm*, std::vector<Candidate>> by_algorithm;
  for (const Candidate& candidate : tried) by_algorithm[candidate.plan.algorithm].push_back(candidate);
  by_algorithm.erase(choice.plan.algorithm);
  std::vector<Candidate> best;
  for (const auto& [algorithm, own] : by_algorithm) best.push_back(*fewest_messages(own));
  std::ranges::stable_sort(best, {}, &Candidate::seconds);
  best.insert(best.begin(), choice);
  return best;
}

}  // namespace

Explanation explain(const PlacedNetwork& placed, const Problem& problem, ExplainMore more) {
  Explanation explanation;
  explanation.problem = problem;
  KnownTrials known(placed, problem);
  const auto search = [&](Search which) { return candidates(placed, problem, which, default_effort_messages, &known); };
  std::optional<SwitchSearch> next;
  if (more.ahead) next.emplace(placed, problem);
  std::vector<Candidate> tried;
  // The choice first, since it refuses what is too large before it takes memory. The search of all algorithms finds
  // further plans that are as quick; the choice is the one that all commands take.
  side_by_side(next ? 2 : 1, [&](std::size_t one) {
    if (one == 1) {
      next->look_ahead();
      return;
    }
    if (more.every_plan) {
      tried = choice_and_others(placed, problem, Search::every_algorithm, &known);
      return;
    }
    const Candidate chosen = search(Search::choice_alone).front();
    tried = best_of_each(chosen, search(Search::best_of_each));
  });
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
    if (one == 0 && next)
      explanation.ahead = {next->find(tried), next->looked_up_to_bytes()};
    else if (one == 1)
      explanation.bound = find_lower_bound(placed, problem);
    else if (one > 1)
      explain_candidate(one - 2);
  });
  explanation.busiest = busiest_link(placed, source(choice, placed.topology(), problem), problem.element_bytes);
  if (!choice.parameters.packing.empty()) explanation.packing = packing_map(placed, problem, choice);
  return explanation;
}

}  // namespace isthmus
