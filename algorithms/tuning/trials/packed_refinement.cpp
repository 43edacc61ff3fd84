#include "algorithms/tuning/trials/packed_refinement.hpp"

#include <algorithm>
#include <utility>

#include "algorithms/synthesis/balanced_shares.hpp"
#include "algorithms/tuning/trials/thrift.hpp"

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
/// Bytes are moved between ways so often at most; until it has been in vain so often; by how much, and how many times
/// less after it was; what is not in vain.
constexpr int max_rounds = 10, patience = 2;
constexpr double first_gain = 2, less_gain = 3, worth_a_round = 1.002;

bool is_timed(const Plan& plan) { return plan.parameters.packing.ways.front().last_due > 0; }

}  // namespace

bool fills_both_ways(const Plan& made) {
  const Packing& packing = made.parameters.packing;
  return !packing.ways.empty() && !packing.ways.front().back.empty() && packing.lag <= short_lag;
}

Plan with_pieces(Plan plan, const Problem& problem, int parts, int slack) {
  std::int64_t& segment = plan.parameters.segment_bytes;
  segment = segment / parts / problem.element_bytes * problem.element_bytes;
  if (plan.parameters.packing.lines.empty()) plan.parameters.packing.slack = std::min(slack, max_slack);
  return plan;
}

std::optional<Plan> finer_inside(const Plan& plan, const Problem& problem, int slack) {
  if (!fills_both_ways(plan) || plan.parameters.packing.drivers.empty() ||
      plan.parameters.segment_bytes < finer * min_segment_bytes)
    return std::nullopt;
  return with_pieces(PackedPlans::straight_inside(plan), problem, finer, slack * some);
}

PlanTimes::Question PackedRefinement::question_of(const Plan& plan) const {
  // More messages have to be worth it.
  const bool more =
      plan.parameters.segment_bytes > 0 &&
      (best_.plan.parameters.segment_bytes == 0 || plan.parameters.segment_bytes < best_.plan.parameters.segment_bytes);
  // balance() may ask for its ways.
  const bool has_shares = has_shares_to_choose(plan.parameters.packing, problem_.collective);
  return {.plan = plan,
          .limit_s = more ? best_.seconds / as_quick : best_.seconds,
          .limit = more ? PlanTimes::Limit::strict : PlanTimes::Limit::of_this_search,
          .what = has_shares ? KnownReplays::Of::ways : KnownReplays::Of::plan};
}

bool PackedRefinement::is_quicker(const Plan& plan) {
  const PlanTimes::Question question = question_of(plan);
  const double seconds = times_.seconds_of(question);
  if (seconds >= question.limit_s) return false;
  best_.plan = plan;
  best_.seconds = seconds;
  best_.end_s.clear();
  return true;
}

void PackedRefinement::prepare(const std::vector<Plan>& next) {
  std::vector<PlanTimes::Question> questions;
  for (const Plan& plan : next) questions.push_back(question_of(plan));
  times_.prepare(questions);
}

void PackedRefinement::time_ways(const Plan& plan) {
  PlanTimes::TimedWays ways = times_.timed_ways_of(plan, best_.seconds);
  best_.plan = plan;
  best_.seconds = ways.seconds;
  best_.end_s = std::move(ways.end_s);
}

void PackedRefinement::step_by_step() {
  if (!best_.plan.parameters.packing.lines.empty()) {
    make_finer(0);
    return;
  }
  try_longest_first(much_before);
  refine_pieces();
  if (!is_timed(best_.plan)) try_longest_first(short_before);
  if (is_alltoall(problem_.collective)) try_pacing();
}

void PackedRefinement::follow(const PackedTrial& model) {
  const Packing& known = model.plan.parameters.packing;
  Plan plan = best_.plan;
  if (is_timed(model.plan)) {
    const bool is_late = std::ranges::any_of(known.ways, [](const Way& way) { return way.first_due > 0; });
    plan = plans_.longest_first(plan, problem_, is_late ? DueOrder::late : DueOrder::spread);
  }
  if (!known.drivers.empty() && known.drivers.front() == 0) plan = PackedPlans::straight_inside(plan);
  Packing& packing = plan.parameters.packing;
  packing.credit = known.credit;
  packing.slack = model.slack > 0 ? std::min(best_.slack * known.slack / model.slack, max_slack) : known.slack;
  plan.parameters.segment_bytes = model.plan.parameters.segment_bytes;
  is_quicker(plan);
}

void PackedRefinement::balance() {
  if (!has_shares_to_choose(best_.plan.parameters.packing, problem_.collective))
    best_.end_s.clear();
  else if (best_.end_s.empty())
    best_.end_s = times_.timed_ways_of(best_.plan, infinite).end_s;
  Plan plan = best_.plan;
  double gain = first_gain;
  for (int round = 0, in_vain = 0; round < max_rounds && in_vain < patience && !best_.end_s.empty(); ++round) {
    const Packing& packing = best_.plan.parameters.packing;
    if (best_.seconds <= worth_a_round * least_balanced_s(packing, problem_.collective, best_.end_s)) break;
    plan.parameters.packing = balanced(packing, problem_.collective, best_.end_s, gain);
    if (plan.parameters.packing == packing) break;
    PlanTimes::TimedWays ways = times_.timed_ways_of(plan, best_.seconds);
    in_vain = ways.seconds < best_.seconds / worth_a_round ? 0 : in_vain + 1;
    if (ways.seconds < best_.seconds) {
      best_.plan = plan;
      best_.seconds = ways.seconds;
      best_.end_s = std::move(ways.end_s);
    } else {
      gain /= less_gain;
    }
  }
  times_.seconds_of(best_.plan);  // is known, and becomes a candidate
}

void PackedRefinement::try_few_messages() {
  const auto has_longer_pieces = [](const Plan& a, const Plan& b) {
    const std::int64_t own = a.parameters.segment_bytes, other = b.parameters.segment_bytes;
    return other > 0 && (own == 0 || own > other);
  };
  if (!has_longer_pieces(best_.made, best_.plan)) return;
  Plan plan = best_.made;
  plan.parameters.packing.slack = 0;
  times_.seconds_of(plan, as_quick * best_.seconds);
}

bool PackedRefinement::refine_both_ways() {
  if (!fills_both_ways(best_.plan) || best_.slack <= 0) return false;
  if (best_.plan.parameters.segment_bytes < finer * min_segment_bytes) return false;
  const std::optional<Plan> inside = finer_inside(best_.plan, problem_, best_.slack);
  std::vector<Plan> next = {in_pieces(finer, some), in_pieces(finer, slacks())};
  if (inside) next.insert(next.begin() + 1, *inside);
  prepare(next);
  const bool is_fine = improves(finer, some);
  const bool is_straight = inside && is_quicker(*inside);
  if (!is_fine && !is_straight) return false;
  make_finer(some);
  improves(1, much / 2);
  return true;
}

void PackedRefinement::try_longest_first(int min_difference) {
  const Collective collective = problem_.collective;
  const bool has_trees = PackedPlans::has_trees(best_.plan),
             exchanges = collective == Collective::allreduce && !has_trees;
  const bool scatters = is_scatter(collective);
  if (!has_trees && !exchanges && !scatters && !is_alltoall(collective)) return;
  const Plan late = plans_.longest_first(best_.plan, problem_, DueOrder::late);
  const auto [first, last] = std::ranges::minmax(late.parameters.packing.ways, {}, &Way::last_due);
  const bool differs = last.last_due - first.last_due >= min_difference;
  const Plan start = best_.plan;
  if (differs) is_quicker(late);
  // In an alltoall blocks inside sites are spread too.
  if ((differs && !exchanges) || is_alltoall(collective))
    is_quicker(plans_.longest_first(start, problem_, DueOrder::spread));
}

void PackedRefinement::refine_pieces() {
  if (refine_both_ways() || try_credits()) return;
  const Plan start = best_.plan;
  if (best_.slack > 0) {
    if (slacks() == 0) {
      prepare({in_pieces(1, 1), in_pieces(1, some)});
      improves(1, 1);
    }
    improves(1, some);
  }
  // The forecast does not know in which order pieces of several ways come to a link: many pieces even it out.
  make_finer(slacks());
  // Where many ways meet, pieces come much earlier and later than planned; not where sites pass nothing on.
  const bool relays = !goes_straight(best_.plan.parameters.packing);
  if (best_.slack > 0 && (relays || slacks() > 0) && improves(1, much)) improves(1, much / 2);
  if (!start.parameters.packing.drivers.empty() && PackedPlans::has_trees(best_.plan)) {
    // Hosts' own links are the limit; chains of members fill late and in an order that paces badly.
    Plan straight = PackedPlans::straight_inside(best_.plan);
    if (best_.plan.parameters.packing.slack == 0)
      straight.parameters.packing.slack = std::min(best_.slack * much, max_slack);
    is_quicker(straight);
  }
}

bool PackedRefinement::try_credits() {
  if (problem_.collective != Collective::reduce || best_.slack <= 0 || best_.plan.parameters.segment_bytes <= 0)
    return false;
  const auto is_quicker_with = [&](int credit) {
    Plan plan = best_.plan;
    plan.parameters.packing.slack = 0;  // credits hold back more
    plan.parameters.packing.credit = std::clamp(credit, 1, max_slack);
    return is_quicker(plan);
  };
  if (!is_quicker_with(best_.slack * some)) return false;
  make_finer(0);
  if (is_quicker_with(best_.slack)) is_quicker_with(best_.slack / some);
  make_finer(0);
  return true;
}

void PackedRefinement::try_pacing() {
  const std::vector<Way>& ways = best_.plan.parameters.packing.ways;
  if (std::ranges::none_of(ways, [](const Way& way) { return way.sites.size() > 2; })) return;
  const Plan start = best_.plan;
  if (!is_quicker(with_pieces(start, problem_, 1, usual_slack))) return;
  is_quicker(with_pieces(start, problem_, 1, usual_slack * some));
  while (best_.plan.parameters.segment_bytes >= finer * min_segment_bytes &&
         is_quicker(with_pieces(best_.plan, problem_, finer, best_.plan.parameters.packing.slack))) {
  }
}

void PackedRefinement::make_finer(int slacks) {
  while (best_.plan.parameters.segment_bytes > 0) {
    const double headers_s =
        best_.seconds * plans_.header_bytes() / static_cast<double>(best_.plan.parameters.segment_bytes);
    const double saves_s = (best_.saved_s + headers_s * (finer - 1) / finer) / finer - headers_s * (finer - 1);
    if (best_.seconds - saves_s > best_.seconds / as_quick) return;
    const double before_s = best_.seconds;
    if (!improves(finer, slacks)) return;
    best_.saved_s = before_s - best_.seconds;
  }
}

int PackedRefinement::slacks() const { return best_.slack > 0 ? best_.plan.parameters.packing.slack / best_.slack : 0; }

Plan PackedRefinement::in_pieces(int parts, int slacks) const {
  return with_pieces(best_.plan, problem_, parts, best_.slack * slacks);
}

bool PackedRefinement::improves(int parts, int slacks) {
  const Plan other = in_pieces(parts, slacks);
  if (parts > 1 && other.parameters.segment_bytes < min_segment_bytes) return false;
  return is_quicker(other);
}

}  // namespace isthmus
