#include "algorithms/tuning/trials/known_replays.hpp"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <utility>

#include "algorithms/packed/way_ends.hpp"
#include "algorithms/replay/replay.hpp"

namespace isthmus {
namespace {

bool are_equal(const Plan& one, const Plan& other) {
  return one.algorithm == other.algorithm && one.parameters == other.parameters;
}

}  // namespace

SketchedPlan KnownReplays::sketched(const Plan& plan) const {
  ProgramSource programs = source(plan, placed_.topology(), problem_);
  const ScheduleSketch sketch = sketch_of(placed_.size(), programs);
  return {plan, std::move(programs), sketch};
}

LimitedReplay KnownReplays::replayed(const SketchedPlan& plan, Of what, double limit_s) {
  if (const std::optional<LimitedReplay> known = find(plan, what, limit_s)) return *known;
  LimitedReplay result;
  if (what == Of::plan) {
    const Replay timed = replay(placed_, problem_.element_bytes, plan.programs, {.limit_s = limit_s});
    result = {timed};
  } else {
    WayEnds ends(placed_.topology(), problem_, plan.plan.parameters.packing);
    Replay timed = replay(placed_, problem_.element_bytes, ends.observed(plan.programs),
                          {.limit_s = limit_s, .groups = &ends.receives()});
    result = {timed};
    if (std::isfinite(timed.seconds)) result.way_end_s = std::move(timed.group_end_s);
  }
  note(plan, what, limit_s, result);
  return result;
}

std::optional<LimitedReplay> KnownReplays::find(const SketchedPlan& plan, Of what, double limit_s) const {
  std::vector<std::pair<const Plan*, LimitedReplay>> told;
  {
    const std::scoped_lock lock(mutex_);
    const auto [first, last] = known_.equal_range(plan.sketch.hash);
    for (const auto& [hash, known] : std::ranges::subrange(first, last)) {
      if (what == Of::ways && known.of == Of::plan) continue;
      const double seconds = known.replay.seconds;
      const bool tells = std::isfinite(seconds) ? seconds <= limit_s : known.limit_s >= limit_s;
      if (!tells) continue;
      if (are_equal(known.plan, plan.plan)) return known.replay;
      if (what == Of::plan) told.emplace_back(&known.plan, known.replay);
    }
  }
  const auto same = std::ranges::find_if(told, [&](const auto& other) {
    return are_same(placed_.size(), source(*other.first, placed_.topology(), problem_), plan.programs);
  });
  return same == told.end() ? std::nullopt : std::optional(same->second);
}

void KnownReplays::note(const SketchedPlan& plan, Of what, double limit_s, const LimitedReplay& replay) {
  const std::scoped_lock lock(mutex_);
  const auto [first, last] = known_.equal_range(plan.sketch.hash);
  for (auto& [hash, known] : std::ranges::subrange(first, last)) {
    if (known.of != what || !are_equal(known.plan, plan.plan)) continue;
    if (std::isfinite(replay.seconds) || limit_s > known.limit_s) {
      known.replay = replay;
      known.limit_s = limit_s;
    }
    return;
  }
  known_.emplace(plan.sketch.hash, Known{what, plan.plan, replay, limit_s});
}

}  // namespace isthmus
