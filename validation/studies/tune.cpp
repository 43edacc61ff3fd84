#include "validation/studies/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <utility>

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

/// A decision for each problem, by model.
std::vector<Decision> decisions_by_model(const TuneRequest& request) {
  std::vector<Decision> decisions;
  for (const Collective collective : request.collectives) {
    for (const int root : request.roots) {
      if (root != 0 && !has_root(collective)) continue;
      for (const std::int64_t bytes : request.sizes) {
        if (!carries_data(collective) && bytes != request.sizes.front()) continue;
        const Problem problem{.collective = collective, .count = carries_data(collective) ? bytes : 0, .root = root};
        if (request.progress) request.progress(fmt::format("{}, {} bytes, by model", name(collective), problem.count));
        decisions.push_back({collective, root, problem.count,
                             candidates(request.run.placed, problem, Search::choice, request.effort_messages),
                             "replay"});
      }
    }
  }
  return decisions;
}

/// The plans that are measured together, and what each is for.
struct Round {
  RunRequest run;
  std::vector<std::size_t> decision_of_point;
  std::vector<std::int64_t> messages_of_point;
};

/// What to measure for the decisions from `first` to before `end`.
Round round_of(const TuneRequest& request, const std::vector<Decision>& decisions, std::size_t first, std::size_t end) {
  Round round{request.run, {}, {}};
  round.run.points.clear();
  for (std::size_t number = first; number < end; ++number) {
    const Decision& decision = decisions[number];
    const std::vector<Candidate> list = short_list(decision.candidates, request.close, request.max_plans);
    if (list.size() < 2) continue;  // nothing lies close
    for (const Candidate& candidate : list) {
      const Problem problem{.collective = decision.collective, .count = decision.bytes, .root = decision.root};
      add_point(round.run,
                {.collective = decision.collective, .plan = candidate.plan, .text = to_string(candidate.plan)},
                problem);
      round.decision_of_point.push_back(number);
      round.messages_of_point.push_back(candidate.messages);
    }
  }
  return round;
}

/// By decision: what was measured, where all of it was; `is_late` says whether an error is that time is up.
template <typename IsLate>
std::map<std::size_t, std::vector<Candidate>> measured_in(const Round& round, Source by, const IsLate& is_late) {
  std::map<std::size_t, std::vector<Candidate>> measured;
  try {
    run(by, round.run, [&](std::size_t point, const Record& record) {
      measured[round.decision_of_point[point]].push_back(
          {round.run.points[point].plan, record.seconds, round.messages_of_point[point]});
    });
  } catch (const std::exception&) {
    // Out of time: what is complete counts. Anything else is an error.
    if (!is_late()) throw;
  }
  std::erase_if(measured, [&](const auto& one) {
    const auto wanted = std::ranges::count(round.decision_of_point, one.first);
    return static_cast<std::ptrdiff_t>(one.second.size()) < wanted;
  });
  return measured;
}

/// Puts the measured plans in front, the best first. Returns the regret of the model's choice.
double take_measured(Decision& decision, std::vector<Candidate> measured) {
  const std::string chosen = to_string(decision.best().plan);
  double chosen_s = 0;
  for (const Candidate& candidate : measured)
    if (to_string(candidate.plan) == chosen) chosen_s = candidate.seconds;
  std::ranges::stable_sort(measured, {}, &Candidate::seconds);
  const double min_s = measured.front().seconds;
  const auto taken = fewest_messages(measured);
  std::rotate(measured.begin(), taken, taken + 1);
  // Plans that were not measured come last, in the model's order.
  std::vector<Candidate> all = measured;
  for (const Candidate& candidate : decision.candidates) {
    const bool known = std::ranges::any_of(
        measured, [&](const Candidate& one) { return to_string(one.plan) == to_string(candidate.plan); });
    if (!known) all.push_back(candidate);
  }
  decision.candidates = std::move(all);
  return chosen_s > 0 ? chosen_s / min_s - 1 : 0;
}

}  // namespace

Tuned tune(const TuneRequest& request) {
  const PlacedNetwork& placed = request.run.placed;
  Tuned tuned;
  tuned.table = {placed.network().name, digest_of(placed.topology()), placed.size(), decisions_by_model(request)};
  std::vector<Decision>& decisions = tuned.table.decisions;
  tuned.regret.assign(decisions.size(), 0);
  if (request.by == Source::replay) return tuned;

  const Clock::time_point start = Clock::now();
  const auto spent_s = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  // All sizes of a collective in one run: an emulation takes longer to start than most of them take.
  for (std::size_t first = 0, end = 0; first < decisions.size(); first = end) {
    while (end < decisions.size() && decisions[end].collective == decisions[first].collective) ++end;
    Round round = round_of(request, decisions, first, end);
    if (round.run.points.empty()) continue;
    if (request.budget_s > 0) {
      const double left_s = request.budget_s - spent_s();
      if (left_s <= 0) break;
      round.run.emulation.timeout_s = std::min(round.run.emulation.timeout_s, left_s);
    }
    if (request.progress) request.progress(fmt::format("{} plans measured", round.run.points.size()));
    const auto is_late = [&] { return request.budget_s > 0 && spent_s() >= request.budget_s; };
    for (auto& [number, measured] : measured_in(round, request.by, is_late)) {
      tuned.regret[number] = take_measured(decisions[number], measured);
      decisions[number].by = name(request.by);
      ++tuned.measured;
    }
  }
  return tuned;
}

}  // namespace isthmus
