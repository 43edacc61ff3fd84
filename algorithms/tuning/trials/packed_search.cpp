#include "algorithms/tuning/trials/packed_search.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "algorithms/tuning/trials/thrift.hpp"

namespace isthmus {
namespace {

/// Packings that are refined: so many at most, and none that takes so many times as long as the quickest.
constexpr std::size_t max_refined = 8;
constexpr double near = 1.1;
constexpr double equal = 1 + 3e-6;
/// Of these so many step by step; the others try at once what was best for them.
constexpr std::size_t max_step_by_step = 2;
/// Shares are balanced of packings that take so many times as long as the quickest at most.
constexpr double near_balanced = 1.05;
/// Of the packings that were made for other orders so many are tried with pieces in the order of lines.
constexpr std::size_t max_by_lines = 3;
/// Where ways differ by less, in thousandths of the time, the order of pieces on lines makes no difference.
constexpr int min_difference = 15;

}  // namespace

void PackedSearch::in_branches(const std::vector<PackedTrial*>& trials,
                               const std::function<void(PackedTrial&, PackedRefinement&)>& task) {
  times_.in_branches(trials.size(), [&](std::size_t one, PlanTimes& times) {
    PackedRefinement refinement(plans_, times, *trials[one]);
    task(*trials[one], refinement);
  });
}

PackedTrial PackedSearch::as_made(const Plan& packing, int times_as_large) const {
  PackedTrial trial{.plan = packing, .made = {}, .slack = packing.parameters.packing.slack};
  std::int64_t& segment = trial.plan.parameters.segment_bytes;
  segment = segment * times_as_large < times_.problem().bytes() ? segment * times_as_large : 0;
  trial.made = trial.plan;
  return trial;
}

std::optional<Plan> PackedSearch::in_form(const PackedTrial& trial, Form form) const {
  Plan plan = trial.made;
  if (form == Form::paced) return plan;
  if (trial.slack <= 0) return std::nullopt;
  if (form == Form::straight) return finer_inside(plan, times_.problem(), trial.slack);
  plan.parameters.packing.slack = 0;
  return plan;
}

void PackedSearch::compare(const std::vector<Plan>& made, int times_as_large) {
  for (const Plan& packing : made)
    (packing.parameters.packing.for_lines ? by_lines_ : starts_).push_back(as_made(packing, times_as_large));
  Form best_form = Form::paced;
  PackedTrial& first = starts_.front();
  for (const Form form : {Form::paced, Form::unpaced, Form::straight})
    if (const std::optional<Plan> plan = in_form(first, form))
      if (PackedRefinement(plans_, times_, first).is_quicker(*plan)) best_form = form;
  // How much longer than the quickest a slow one takes does not matter.
  const double limit_s = near * first.seconds;
  std::vector<PackedTrial*> others;
  for (PackedTrial& trial : std::span(starts_).subspan(1)) others.push_back(&trial);
  in_branches(others, [&](PackedTrial& trial, PackedRefinement& refinement) {
    trial.seconds = limit_s;
    if (const std::optional<Plan> plan = in_form(trial, best_form)) refinement.time_ways(*plan);
    if (trial.seconds >= limit_s) trial.seconds = PackedTrial{}.seconds;
  });
  std::ranges::stable_sort(starts_, {}, &PackedTrial::seconds);
  compare_by_lines();
}

void PackedSearch::compare_by_lines() {
  const Plan& quickest = starts_.front().made;
  if (!plans_.may_go_by_lines(quickest, times_.problem()) ||
      !plans_.order_matters(quickest, times_.problem(), min_difference)) {
    by_lines_.clear();
    return;
  }
  for (const PackedTrial& start : std::span(starts_).first(std::min(starts_.size(), max_by_lines)))
    by_lines_.push_back(start);
  const bool gathered = plans_.may_be_gathered(times_.problem().collective);
  for (PackedTrial& trial : by_lines_) {
    const Plan plan = plans_.by_lines(trial.made, times_.problem(), gathered);
    trial = {.plan = plan, .made = plan};
  }
  const double limit_s = near * starts_.front().seconds;
  std::vector<PackedTrial*> all;
  for (PackedTrial& trial : by_lines_) all.push_back(&trial);
  in_branches(all, [&](PackedTrial& trial, PackedRefinement& refinement) {
    trial.seconds = limit_s;
    refinement.time_ways(Plan(trial.plan));
    if (trial.seconds >= limit_s) trial.seconds = PackedTrial{}.seconds;
  });
  std::ranges::stable_sort(by_lines_, {}, &PackedTrial::seconds);
  std::erase_if(by_lines_, [](const PackedTrial& trial) { return !std::isfinite(trial.seconds); });
  if (by_lines_.size() > max_step_by_step) by_lines_.resize(max_step_by_step);
}

std::vector<PackedTrial*> PackedSearch::worth_refining() {
  std::vector<PackedTrial*> worth;
  double last_s = 0;
  for (PackedTrial& start : std::span(starts_).first(std::min(starts_.size(), max_refined))) {
    const bool is_like_last = start.seconds <= equal * last_s;
    last_s = start.seconds;
    if (!is_like_last && start.seconds <= near * starts_.front().seconds) worth.push_back(&start);
  }
  return worth;
}

void PackedSearch::refine() {
  std::erase_if(starts_, [](const PackedTrial& start) { return !std::isfinite(start.seconds); });
  const std::vector<PackedTrial*> worth = worth_refining();
  if (worth.empty()) return;  // none could be timed, or they take no time at all
  const auto followers = worth.begin() + std::ptrdiff_t(std::min(worth.size(), max_step_by_step));
  std::vector<PackedTrial*> leaders(worth.begin(), followers);
  const std::size_t by_times = leaders.size();
  for (PackedTrial& trial : by_lines_) leaders.push_back(&trial);
  in_branches(leaders, [](PackedTrial&, PackedRefinement& refinement) { refinement.step_by_step(); });
  const PackedTrial model = **std::ranges::min_element(std::span(leaders).first(by_times), {}, &PackedTrial::seconds);
  std::vector<PackedTrial*> near_model;
  for (PackedTrial* one : worth)
    if (one->seconds <= near * model.seconds) near_model.push_back(one);
  for (PackedTrial& trial : by_lines_) near_model.push_back(&trial);
  in_branches(near_model, [&](PackedTrial& trial, PackedRefinement& refinement) {
    if (std::ranges::find(leaders, &trial) == leaders.end()) refinement.follow(model);
    // Whatever comes first, shares are balanced last: they would make up for a wrong order of pieces.
    if (trial.seconds <= near_balanced * model.seconds) refinement.balance();
    refinement.try_few_messages();
  });
}

}  // namespace isthmus
