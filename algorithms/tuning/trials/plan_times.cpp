#include "algorithms/tuning/trials/plan_times.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "algorithms/network/forwarded_routes.hpp"
#include "algorithms/packed/way_ends.hpp"
#include "algorithms/process/side_by_side.hpp"
#include "algorithms/tuning/trials/thrift.hpp"

namespace isthmus {

void PlanTimes::begin_algorithm(std::int64_t messages) {
  messages_left_ = messages;
  first_ = tried_.size();
  known_.clear();
  is_of_trunks_algorithm_ = false;
}

const Candidate& PlanTimes::quickest() const {
  const auto own = std::ranges::min_element(tried_, {}, &Candidate::seconds);
  if (trunk_ == nullptr || !trunk_->has_tried()) return *own;
  const Candidate& before = trunk_->quickest();
  return own == tried_.end() || before.seconds <= own->seconds ? before : *own;
}

double PlanTimes::enough_s() const { return has_tried() ? as_quick * quickest().seconds : infinite; }

const Candidate* PlanTimes::rival() const {
  if (search_ != Search::best_of_each) return has_tried() ? &quickest() : nullptr;
  const Candidate* const before = is_of_trunks_algorithm_ ? trunk_->rival() : nullptr;
  const auto own = std::ranges::min_element(this->own(), {}, &Candidate::seconds);
  return own == this->own().end() || (before != nullptr && before->seconds <= own->seconds) ? before : &*own;
}

double PlanTimes::limit_of(double limit_s, Limit limit) const {
  if (!leaves_out_plans()) return infinite;
  if (limit == Limit::strict) return limit_s;
  return rival() == nullptr ? infinite : std::max(limit_s, as_quick * rival()->seconds);
}

template <typename Predicate>
const PlanTimes::Known* PlanTimes::find_known(const Predicate& is_one) const {
  const auto known = std::ranges::find_if(known_, is_one);
  if (known != known_.end()) return &*known;
  return is_of_trunks_algorithm_ ? trunk_->find_known(is_one) : nullptr;
}

bool PlanTimes::has_known(
    const Parameters& parameters,
    const std::function<bool(std::int64_t segment_bytes, double seconds, double limit_s)>& is_one) const {
  return find_known([&](const Known& known) {
           if (!is_one(known.parameters.segment_bytes, known.replay.seconds, known.limit_s)) return false;
           Parameters same = known.parameters;
           same.segment_bytes = parameters.segment_bytes;
           return same == parameters;
         }) != nullptr;
}

double PlanTimes::as_candidate(Known& known, const Plan& plan) {
  const ReplayTotals& replay = known.replay;
  if (!known.is_candidate && std::isfinite(replay.seconds))
    tried_.push_back({plan, replay.seconds, replay.messages, replay.bytes});
  known.is_candidate = true;
  return replay.seconds;
}

bool PlanTimes::has_timed_ways(const Plan& plan) const {
  return has_way_ends(problem_.collective, plan.parameters.packing) && !has_forwarded_routes(placed_.network());
}

LimitedReplay PlanTimes::replayed(const SketchedPlan& plan, KnownReplays::Of what, double limit_s) {
  using Of = KnownReplays::Of;
  if (what == Of::plan || !has_timed_ways(plan.plan)) return replays_.replayed(plan, Of::plan, limit_s);
  if (const std::optional<LimitedReplay> known = replays_.find(plan, Of::plan, limit_s)) return *known;
  return replays_.replayed(plan, Of::ways, limit_s);
}

double PlanTimes::seconds_of(const Plan& plan, double limit_s, Limit limit, KnownReplays::Of what) {
  if (!serves(plan, topology(), problem_)) return infinite;
  limit_s = limit_of(limit_s, limit);
  const auto is_same = [&](const Known& one) { return one.parameters == plan.parameters && one.tells(limit_s); };
  if (const auto own = std::ranges::find_if(known_, is_same); own != known_.end()) return as_candidate(*own, plan);
  if (const Known* const before = find_known(is_same)) return as_candidate(known_.emplace_back(*before), plan);
  const SketchedPlan sketched = replays_.sketched(plan);
  if (has_tried() && sketched.sketch.messages > messages_left_) return infinite;
  const LimitedReplay timed = replayed(sketched, what, limit_s);
  messages_left_ -= timed.messages;
  return as_candidate(known_.emplace_back(Known{plan.parameters, timed, limit_s}), plan);
}

void PlanTimes::prepare(const std::vector<Question>& next) {
  if (!is_alone_ || usable_processors() < 2) return;
  std::vector<std::function<void()>> replays;
  std::int64_t left = messages_left_;
  for (const Question& one : next) {
    if (!serves(one.plan, topology(), problem_)) continue;
    const double limit_s = limit_of(one.limit_s, one.limit);
    const SketchedPlan sketched = replays_.sketched(one.plan);
    if (replays_.find(sketched, KnownReplays::Of::plan, limit_s)) continue;
    left -= sketched.sketch.messages;
    if (left < 0) break;
    replays.emplace_back([this, &one, sketched, limit_s] { replayed(sketched, one.what, limit_s); });
  }
  if (replays.size() > 1) side_by_side(replays.size(), [&](std::size_t one) { replays[one](); });
}

PlanTimes::TimedWays PlanTimes::timed_ways_of(const Plan& plan, double limit_s) {
  if (!has_timed_ways(plan)) return {seconds_of(plan, limit_s), {}};
  const SketchedPlan sketched = replays_.sketched(plan);
  if (sketched.sketch.messages > messages_left_) return {};
  LimitedReplay timed = replays_.replayed(sketched, KnownReplays::Of::ways, limit_s);
  messages_left_ -= timed.messages;
  known_.push_back({plan.parameters, timed, limit_s});
  return {timed.seconds, std::move(timed.way_end_s)};
}

void PlanTimes::in_branches(std::size_t tasks, const std::function<void(std::size_t, PlanTimes&)>& task) {
  PlanTimes branch(placed_, problem_, search_, replays_);
  branch.trunk_ = this;
  branch.is_of_trunks_algorithm_ = true;
  branch.is_alone_ = is_alone_ && tasks == 1;
  branch.messages_left_ = messages_left_;
  std::vector<PlanTimes> branches(tasks, branch);
  side_by_side(tasks, [&](std::size_t one) { task(one, branches[one]); });
  for (PlanTimes& one : branches) {
    messages_left_ = std::min(messages_left_, one.messages_left_);
    join(std::move(one));
  }
}

void PlanTimes::join(PlanTimes&& branch) {
  const auto is_candidate = [&](const Candidate& one) {
    return std::ranges::any_of(
        known_, [&](const Known& known) { return known.is_candidate && known.parameters == one.plan.parameters; });
  };
  for (Candidate& one : branch.tried_)  // another branch may have tried the same plan
    if (!branch.is_of_trunks_algorithm_ || !is_candidate(one)) tried_.push_back(std::move(one));
  if (!branch.is_of_trunks_algorithm_) return;
  for (Known& one : branch.known_) {
    const auto same = std::ranges::find_if(known_, [&](const Known& known) {
      return known.limit_s == one.limit_s && known.replay.seconds == one.replay.seconds &&
             known.parameters == one.parameters;
    });
    if (same == known_.end())
      known_.push_back(std::move(one));
    else
      same->is_candidate |= one.is_candidate;
  }
}

PlanTimes::OfAlgorithm PlanTimes::of_algorithm() const {
  return {{own().begin(), own().end()}, known_, messages_left_};
}

void PlanTimes::resume(const OfAlgorithm& tried) {
  first_ = tried_.size();
  tried_.insert(tried_.end(), tried.tried.begin(), tried.tried.end());
  known_ = tried.known;
  messages_left_ = tried.messages_left;
}

}  // namespace isthmus
