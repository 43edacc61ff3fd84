#include "validation/studies/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>

#include "algorithms/tuning/trials/thrift.hpp"
#include "validation/harness/sources.hpp"

namespace isthmus {
namespace {

using Clock = std::chrono::steady_clock;

/// The plans to measure: the quickest by model, first one of each algorithm, then further ones.
std::vector<Candidate> short_list(const std::vector<Candidate>& candidates, double close, int max_plans) {
  std::vector<Candidate> list, others;
  const double min_s = std::ranges::min_element(candidates, {}, &Candidate::seconds)->seconds;
  const double limit_s = close < 0 ? std::numeric_limits<double>::infinity() : min_s * (1 + close);
  for (const Candidate& candidate : candidates) {
    if (candidate.seconds > limit_s) continue;
    const bool is_new = std::ranges::none_of(
        list, [&](const Candidate& known) { return known.plan.algorithm == candidate.plan.algorithm; });
    (is_new ? list : others).push_back(candidate);
  }
  list.insert(list.end(), others.begin(), others.end());
  if (static_cast<int>(list.size()) > max_plans) list.resize(max_plans);
  return list;
}

}  // namespace

Tuned tune(const TuneRequest& request) {
  const PlacedNetwork& placed = request.run.placed;
  Tuned tuned;
  tuned.table = {placed.network().name, digest_of(placed.topology()), placed.size(), {}};
  for (const Collective collective : request.collectives) {
    for (const int root : request.roots) {
      if (root != 0 && !has_root(collective)) continue;
      for (const std::int64_t bytes : request.sizes) {
        const bool is_barrier = collective == Collective::barrier;
        if (is_barrier && bytes != request.sizes.front()) continue;
        const Problem problem{.collective = collective, .count = is_barrier ? 0 : bytes, .root = root};
        if (request.progress) request.progress(fmt::format("{}, {} bytes, by model", name(collective), problem.count));
        tuned.table.decisions.push_back({collective, root, problem.count,
                                         candidates(placed, problem, Search::choice, request.effort_messages),
                                         "replay"});
      }
    }
  }
  tuned.regret.assign(tuned.table.decisions.size(), 0);
  if (request.by == Source::replay) return tuned;

  const Clock::time_point start = Clock::now();
  const auto spent_s = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  // All sizes of a collective in one run: an emulation takes longer to start than most of them take.
  for (std::size_t first = 0; first < tuned.table.decisions.size();) {
    std::size_t end = first;
    RunRequest run_request = request.run;
    run_request.points.clear();
    std::vector<std::size_t> decision_of_point;
    std::vector<std::int64_t> messages_of_point;
    for (; end < tuned.table.decisions.size() &&
           tuned.table.decisions[end].collective == tuned.table.decisions[first].collective;
         ++end) {
      const Decision& decision = tuned.table.decisions[end];
      const std::vector<Candidate> list = short_list(decision.candidates, request.close, request.max_plans);
      if (list.size() < 2) continue;  // nothing lies close
      for (const Candidate& candidate : list) {
        const Problem problem{.collective = decision.collective, .count = decision.bytes, .root = decision.root};
        add_point(run_request,
                  {.collective = decision.collective, .plan = candidate.plan, .text = to_string(candidate.plan)},
                  problem);
        decision_of_point.push_back(end);
        messages_of_point.push_back(candidate.messages);
      }
    }
    first = end;
    if (run_request.points.empty()) continue;
    if (request.budget_s > 0) {
      const double left_s = request.budget_s - spent_s();
      if (left_s <= 0) break;
      run_request.emulation.timeout_s = std::min(run_request.emulation.timeout_s, left_s);
    }
    if (request.progress) request.progress(fmt::format("{} plans measured", run_request.points.size()));
    std::vector<std::vector<Candidate>> measured(tuned.table.decisions.size());
    std::vector<int> wanted(tuned.table.decisions.size(), 0);
    for (const std::size_t decision : decision_of_point) ++wanted[decision];
    try {
      run(request.by, run_request, [&](std::size_t point, const Record& record) {
        measured[decision_of_point[point]].push_back(
            {run_request.points[point].plan, record.seconds, messages_of_point[point]});
      });
    } catch (const std::exception&) {
      // Out of time: what is complete counts. Anything else is an error.
      if (request.budget_s <= 0 || spent_s() < request.budget_s) throw;
    }
    for (std::size_t i = 0; i < measured.size(); ++i) {
      if (measured[i].empty() || static_cast<int>(measured[i].size()) < wanted[i]) continue;
      Decision& decision = tuned.table.decisions[i];
      const std::string chosen = to_string(decision.best().plan);
      double chosen_s = 0;
      for (const Candidate& candidate : measured[i])
        if (to_string(candidate.plan) == chosen) chosen_s = candidate.seconds;
      std::stable_sort(measured[i].begin(), measured[i].end(),
                       [](const Candidate& a, const Candidate& b) { return a.seconds < b.seconds; });
      const double min_s = measured[i].front().seconds;
      const auto taken = fewest_messages(measured[i]);
      std::rotate(measured[i].begin(), taken, taken + 1);
      // Plans that were not measured come last, in the model's order.
      std::vector<Candidate> all = measured[i];
      for (const Candidate& candidate : decision.candidates) {
        const bool known = std::ranges::any_of(
            measured[i], [&](const Candidate& one) { return to_string(one.plan) == to_string(candidate.plan); });
        if (!known) all.push_back(candidate);
      }
      tuned.regret[i] = chosen_s > 0 ? chosen_s / min_s - 1 : 0;
      decision.candidates = std::move(all);
      decision.by = name(request.by);
      ++tuned.measured;
    }
  }
  return tuned;
}

}  // namespace isthmus
