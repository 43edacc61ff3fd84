#include "algorithms/tuning/packed_search.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "algorithms/synthesis/balanced_shares.hpp"
#include "algorithms/tuning/thrift.hpp"

namespace isthmus {
namespace {

constexpr int max_slack = 1000;
constexpr int some = 3, much = 10;  // times the slack of the synthesis
constexpr int usual_slack = 30;     // where the synthesis has none
constexpr int finer = 4;
/// In thousandths of the time: where a hop takes longer, trees in and out do not fill links together.
constexpr int short_lag = 100;
/// The same: where ways differ by less the order of their pieces makes no difference; and where they differ by so much
/// that it makes more than the size of pieces does.
constexpr int short_before = 50, much_before = 250;
/// Packings that are refined: so many at most, and none that takes so many times as long as the quickest.
constexpr std::size_t max_refined = 6;
constexpr double near = 1.1;
constexpr double equal = 1 + 3e-6;
/// Of these so many step by step; the others try at once what was best for them.
constexpr int max_step_by_step = 2;
/// Bytes are moved between the ways of packings that take so many times as long as the quickest at most, so often at
/// most; until it has been in vain so often; by how much, and how many times less after it was; what is not in vain.
constexpr double near_balanced = 1.05;
constexpr int max_rounds = 10, patience = 2;
constexpr double first_gain = 2, less_gain = 3, worth_a_round = 1.002;

bool is_timed(const Plan& plan) { return plan.parameters.packing.ways.front().last_due > 0; }

}  // namespace

void PackedSearch::compare(const std::vector<Plan>& made, int times_as_large) {
  enum class Form { paced, unpaced, straight };
  Form best_form = Form::paced;
  for (const Plan& packing : made) {
    // How much longer than the quickest a slow one takes does not matter.
    const double limit_s = starts_.empty() ? infinite : near * std::ranges::min(starts_, {}, &Trial::seconds).seconds;
    Trial trial{
        .plan = packing, .made = {}, .slack = packing.parameters.packing.slack, .seconds = limit_s, .end_s = {}};
    std::int64_t& segment = trial.plan.parameters.segment_bytes;
    segment = segment * times_as_large < problem_.bytes() ? segment * times_as_large : 0;
    trial.made = trial.plan;
    Plan unpaced = trial.plan;
    unpaced.parameters.packing.slack = 0;
    const auto is_best = [&](const Plan& plan, Form form) {
      if (starts_.empty() && is_quicker(plan, trial)) best_form = form;
      if (!starts_.empty() && form == best_form) time_ways(plan, trial);
    };
    is_best(trial.plan, Form::paced);
    if (trial.slack > 0) is_best(unpaced, Form::unpaced);
    if (fills_both_ways(packing) && trial.slack > 0 && !packing.parameters.packing.drivers.empty() &&
        segment >= finer * min_segment_bytes)
      is_best(with(PackedPlans::straight_inside(trial.plan), finer, trial.slack * some), Form::straight);
    if (trial.seconds >= limit_s) trial.seconds = infinite;
    starts_.push_back(std::move(trial));
  }
  std::ranges::stable_sort(starts_, {}, &Trial::seconds);
}

void PackedSearch::refine() {
  std::erase_if(starts_, [](const Trial& start) { return start.seconds == infinite; });
  Trial model;        // the quickest of those that were refined step by step
  double last_s = 0;  // that the last one took before it was refined
  int number = 0;
  for (Trial& start : std::span(starts_).first(std::min(starts_.size(), max_refined))) {
    // Where sites are alike packings are too: of those that take equally long one is refined.
    const bool is_like_last = start.seconds <= equal * last_s;
    last_s = start.seconds;
    if (is_like_last || start.seconds > near * starts_.front().seconds) continue;
    if (number++ < max_step_by_step) {
      try_longest_first(start, much_before);
      refine(start);
      if (!is_timed(start.plan)) try_longest_first(start, short_before);
      if (is_alltoall(problem_.collective)) try_pacing(start);
      if (start.seconds < model.seconds) model = start;
    } else {
      follow(model, start);
    }
    // Whatever comes first, its shares are balanced last: they would make up for a wrong order of pieces.
    if (start.seconds <= near_balanced * model.seconds) balance(start);
    try_few_messages(start);
  }
}

void PackedSearch::follow(const Trial& model, Trial& best) const {
  const Packing& known = model.plan.parameters.packing;
  Plan plan = best.plan;
  if (is_timed(model.plan)) {
    const bool is_late = std::ranges::any_of(known.ways, [](const Way& way) { return way.first_due > 0; });
    plan = plans_.longest_first(plan, problem_, is_late ? DueOrder::late : DueOrder::spread);
  }
  if (!known.drivers.empty() && known.drivers.front() == 0) plan = PackedPlans::straight_inside(plan);
  Packing& packing = plan.parameters.packing;
  packing.credit = known.credit;
  packing.slack = model.slack > 0 ? std::min(best.slack * known.slack / model.slack, max_slack) : known.slack;
  plan.parameters.segment_bytes = model.plan.parameters.segment_bytes;
  is_quicker(plan, best);
}

void PackedSearch::balance(Trial& best) const {
  if (!has_shares_to_choose(best.plan.parameters.packing, problem_.collective))
    best.end_s.clear();
  else if (best.end_s.empty())
    best.end_s = timed_ways_of_(best.plan, infinite).end_s;
  Plan plan = best.plan;
  double gain = first_gain;
  for (int round = 0, in_vain = 0; round < max_rounds && in_vain < patience && !best.end_s.empty(); ++round) {
    const Packing& packing = best.plan.parameters.packing;
    if (best.seconds <= worth_a_round * least_balanced_s(packing, problem_.collective, best.end_s)) break;
    plan.parameters.packing = balanced(packing, problem_.collective, best.end_s, gain);
    if (plan.parameters.packing == packing) break;
    TimedWays ways = timed_ways_of_(plan, best.seconds);
    in_vain = ways.seconds < best.seconds / worth_a_round ? 0 : in_vain + 1;
    if (ways.seconds < best.seconds) {
      best.plan = plan;
      best.seconds = ways.seconds;
      best.end_s = std::move(ways.end_s);
    } else {
      gain /= less_gain;
    }
  }
  seconds_of_(best.plan, infinite, Limit::of_this_search);  // is known, and becomes a candidate
}

void PackedSearch::try_few_messages(const Trial& best) const {
  const auto has_longer_pieces = [](const Plan& a, const Plan& b) {
    const std::int64_t own = a.parameters.segment_bytes, other = b.parameters.segment_bytes;
    return other > 0 && (own == 0 || own > other);
  };
  if (!has_longer_pieces(best.made, best.plan)) return;
  Plan plan = best.made;
  plan.parameters.packing.slack = 0;
  seconds_of_(plan, as_quick * best.seconds, Limit::of_this_search);
}

bool PackedSearch::fills_both_ways(const Plan& made) {
  const Packing& packing = made.parameters.packing;
  return !packing.ways.empty() && !packing.ways.front().back.empty() && packing.lag <= short_lag;
}

bool PackedSearch::refine_both_ways(Trial& best) const {
  const Packing& packing = best.plan.parameters.packing;
  if (!fills_both_ways(best.plan) || best.slack <= 0) return false;
  if (best.plan.parameters.segment_bytes < finer * min_segment_bytes) return false;
  const Plan start = best.plan;
  const bool is_fine = improves(best, finer, some);
  const bool is_straight =
      !packing.drivers.empty() && is_quicker(with(PackedPlans::straight_inside(start), finer, best.slack * some), best);
  if (!is_fine && !is_straight) return false;
  make_finer(best, some);
  improves(best, 1, much / 2);
  return true;
}

void PackedSearch::try_longest_first(Trial& best, int min_difference) const {
  const Collective collective = problem_.collective;
  const bool has_trees = PackedPlans::has_trees(best.plan),
             exchanges = collective == Collective::allreduce && !has_trees;
  const bool scatters = is_scatter(collective);
  if (!has_trees && !exchanges && !scatters && !is_alltoall(collective)) return;
  const Plan late = plans_.longest_first(best.plan, problem_, DueOrder::late);
  const auto [first, last] = std::ranges::minmax(late.parameters.packing.ways, {}, &Way::last_due);
  const bool differs = last.last_due - first.last_due >= min_difference;
  const Plan start = best.plan;
  if (differs) is_quicker(late, best);
  // In an alltoall blocks inside sites are spread too.
  if ((differs && !exchanges) || is_alltoall(collective))
    is_quicker(plans_.longest_first(start, problem_, DueOrder::spread), best);
}

void PackedSearch::refine(Trial& best) const {
  if (refine_both_ways(best) || try_credits(best)) return;
  const Plan start = best.plan;
  const auto slacks = [&] { return best.slack > 0 ? best.plan.parameters.packing.slack / best.slack : 0; };
  if (best.slack > 0) {
    if (slacks() == 0) improves(best, 1, 1);
    improves(best, 1, some);
  }
  // The forecast does not know in which order pieces of several ways come to a link: many pieces even it out.
  make_finer(best, slacks());
  // Where many ways meet, pieces come much earlier and later than planned; not where sites pass nothing on.
  const bool relays = !goes_straight(best.plan.parameters.packing);
  if (best.slack > 0 && (relays || slacks() > 0) && improves(best, 1, much)) improves(best, 1, much / 2);
  if (!start.parameters.packing.drivers.empty() && PackedPlans::has_trees(best.plan)) {
    // Hosts' own links are the limit; chains of members fill late and in an order that paces badly.
    Plan straight = PackedPlans::straight_inside(best.plan);
    if (best.plan.parameters.packing.slack == 0)
      straight.parameters.packing.slack = std::min(best.slack * much, max_slack);
    is_quicker(straight, best);
  }
}

bool PackedSearch::try_credits(Trial& best) const {
  if (problem_.collective != Collective::reduce || best.slack <= 0 || best.plan.parameters.segment_bytes <= 0)
    return false;
  const auto is_quicker_with = [&](int credit) {
    Plan plan = best.plan;
    plan.parameters.packing.slack = 0;  // credits hold back more
    plan.parameters.packing.credit = std::clamp(credit, 1, max_slack);
    return is_quicker(plan, best);
  };
  if (!is_quicker_with(best.slack * some)) return false;
  make_finer(best, 0);
  if (is_quicker_with(best.slack)) is_quicker_with(best.slack / some);
  make_finer(best, 0);
  return true;
}

void PackedSearch::try_pacing(Trial& best) const {
  const std::vector<Way>& ways = best.plan.parameters.packing.ways;
  if (std::ranges::none_of(ways, [](const Way& way) { return way.sites.size() > 2; })) return;
  const Plan start = best.plan;
  if (!is_quicker(with(start, 1, usual_slack), best)) return;
  is_quicker(with(start, 1, usual_slack * some), best);
  while (best.plan.parameters.segment_bytes >= finer * min_segment_bytes &&
         is_quicker(with(best.plan, finer, best.plan.parameters.packing.slack), best)) {
  }
}

void PackedSearch::time_ways(const Plan& plan, Trial& trial) const {
  TimedWays ways = timed_ways_of_(plan, trial.seconds);
  trial.plan = plan;
  trial.seconds = ways.seconds;
  trial.end_s = std::move(ways.end_s);
}

bool PackedSearch::is_quicker(const Plan& plan, Trial& best) const {
  // More messages have to be worth it.
  const bool more =
      plan.parameters.segment_bytes > 0 &&
      (best.plan.parameters.segment_bytes == 0 || plan.parameters.segment_bytes < best.plan.parameters.segment_bytes);
  const double limit_s = more ? best.seconds / as_quick : best.seconds;
  const double seconds = seconds_of_(plan, limit_s, more ? Limit::strict : Limit::of_this_search);
  if (seconds >= limit_s) return false;
  best.plan = plan;
  best.seconds = seconds;
  best.end_s.clear();
  return true;
}

Plan PackedSearch::with(Plan plan, int parts, int slack) const {
  std::int64_t& segment = plan.parameters.segment_bytes;
  segment = segment / parts / problem_.element_bytes * problem_.element_bytes;
  plan.parameters.packing.slack = std::min(slack, max_slack);
  return plan;
}

void PackedSearch::make_finer(Trial& best, int slacks) const {
  double saved_s = infinite;  // by the last step
  while (best.plan.parameters.segment_bytes > 0) {
    const double headers_s =
        best.seconds * plans_.header_bytes() / static_cast<double>(best.plan.parameters.segment_bytes);
    const double saves_s = (saved_s + headers_s * (finer - 1) / finer) / finer - headers_s * (finer - 1);
    if (best.seconds - saves_s > best.seconds / as_quick) return;
    const double before_s = best.seconds;
    if (!improves(best, finer, slacks)) return;
    saved_s = before_s - best.seconds;
  }
}

bool PackedSearch::improves(Trial& best, int parts, int slacks) const {
  const Plan other = with(best.plan, parts, best.slack * slacks);
  if (parts > 1 && other.parameters.segment_bytes < min_segment_bytes) return false;
  return is_quicker(other, best);
}

}  // namespace isthmus
