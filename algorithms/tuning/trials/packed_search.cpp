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
/// Of the packings whose pieces are many inside sites, so many are tried beside the first: those that are quickest in
/// larger pieces.
constexpr std::size_t max_in_many_pieces = 3;

/// Parts of the effort: to compare packings, for the steps of the best, for what follows them. The last step of the
/// best one has all of it.
constexpr int part_to_compare = 4, part_of_steps = 8, part_to_follow = 8;

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
  if (starts_.empty()) starts_.swap(by_lines_);
  const auto [form, in_larger_pieces] = forms_of_first();
  // How much longer than the quickest a slow one takes does not matter.
  const double limit_s = near * starts_.front().seconds;
  times_.set_messages_left(part_of(effort_messages_, part_to_compare));
  if (form == Form::straight && messages_of_first(form) > times_.messages_left()) {
    time_others(in_larger_pieces, infinite);
    if (starts_.size() > 1 + max_in_many_pieces) starts_.resize(1 + max_in_many_pieces);
    times_.set_messages_left(effort_messages_);
  }
  time_others(form, limit_s);
  std::ranges::stable_sort(starts_, {}, &PackedTrial::seconds);
  compare_by_lines();
}

std::pair<PackedSearch::Form, PackedSearch::Form> PackedSearch::forms_of_first() {
  times_.set_messages_left(effort_messages_);
  Form best = Form::paced, in_larger_pieces = Form::paced;
  PackedRefinement first(plans_, times_, starts_.front());
  if (const std::optional<Plan> unpaced = in_form(starts_.front(), Form::unpaced))
    first.prepare({*in_form(starts_.front(), Form::paced), *unpaced});
  for (const Form form : {Form::paced, Form::unpaced, Form::straight}) {
    const std::optional<Plan> plan = in_form(starts_.front(), form);
    if (!plan || !first.is_quicker(*plan)) continue;
    best = form;
    if (form != Form::straight) in_larger_pieces = form;
  }
  return {best, in_larger_pieces};
}

std::int64_t PackedSearch::messages_of_first(Form form) const {
  const std::optional<Plan> plan = in_form(starts_.front(), form);
  return plan ? times_.messages_of(*plan) : 0;
}

void PackedSearch::time_others(Form form, double limit_s) {
  std::vector<PackedTrial*> others;
  for (PackedTrial& trial : std::span(starts_).subspan(1)) others.push_back(&trial);
  in_branches(others, [&](PackedTrial& trial, PackedRefinement& refinement) {
    trial.seconds = limit_s;
    if (const std::optional<Plan> plan = in_form(trial, form)) refinement.time_ways(*plan);
    if (trial.seconds >= limit_s) trial.seconds = infinite;
  });
  std::stable_sort(starts_.begin() + 1, starts_.end(),
                   [](const PackedTrial& one, const PackedTrial& other) { return one.seconds < other.seconds; });
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
  times_.set_messages_left(part_of(effort_messages_, part_to_compare));
  const double limit_s = near * starts_.front().seconds;
  std::vector<PackedTrial*> all;
  for (PackedTrial& trial : by_lines_) all.push_back(&trial);
  in_branches(all, [&](PackedTrial& trial, PackedRefinement& refinement) {
    trial.seconds = limit_s;
    refinement.time_ways(Plan(trial.plan));
    if (trial.seconds >= limit_s) trial.seconds = infinite;
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
  const int both = fills_both_ways(leaders.front()->made) ? 2 : 1;
  times_.set_messages_left(both * part_of(effort_messages_, part_of_steps));
  in_branches(leaders, [](PackedTrial&, PackedRefinement& refinement) { refinement.step_by_step(); });
  const PackedTrial model = **std::ranges::min_element(std::span(leaders).first(by_times), {}, &PackedTrial::seconds);
  std::vector<PackedTrial*> near_model;
  for (PackedTrial* one : worth)
    if (one->seconds <= near * model.seconds) near_model.push_back(one);
  for (PackedTrial& trial : by_lines_) near_model.push_back(&trial);
  times_.set_messages_left(both * part_of(effort_messages_, part_to_follow));
  in_branches(near_model, [&](PackedTrial& trial, PackedRefinement& refinement) {
    if (std::ranges::find(leaders, &trial) == leaders.end()) refinement.follow(model);
    // Whatever comes first, shares are balanced last: they would make up for a wrong order of pieces.
    if (trial.seconds <= near_balanced * model.seconds) refinement.balance();
    refinement.try_few_messages();
  });
  times_.set_messages_left(both * effort_messages_);
  const auto best = std::ranges::min_element(near_model, {}, [](const PackedTrial* one) { return one->seconds; });
  in_branches({*best}, [](PackedTrial& trial, PackedRefinement& refinement) {
    const double before_s = trial.seconds;
    refinement.step_by_step();
    if (trial.seconds < before_s) refinement.balance();
  });
}

}  // namespace isthmus
