// The replays of plans for one problem on one network, kept for all algorithms and several searches.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "algorithms/collective/algorithm.hpp"
#include "algorithms/network/placed_network.hpp"
#include "algorithms/replay/replay.hpp"
#include "algorithms/schedule/program.hpp"
#include "algorithms/schedule/schedule_sketch.hpp"

namespace isthmus {

/// What a replay with a limit says of a plan; infinite seconds are more than the limit.
struct LimitedReplay : ReplayTotals {
  std::vector<double> way_end_s = {};  ///< by way of its packing, if that was asked for: when its last piece comes
};

/// A plan with what tells whether its schedule is that of another plan. The plan must outlive it.
struct SketchedPlan {
  const Plan& plan;
  ProgramSource programs;
  ScheduleSketch sketch;
};

/// A search finds the same with it as without, sooner. Plans of different algorithms may have the same schedule, as a
/// chain and a tree of degree 1: one replay tells of all. Threads may use one at once.
class KnownReplays {
 public:
  /// What is asked of a replay: the end of the plan, or of each way of its packing too.
  enum class Of : std::uint8_t { plan, ways };

  /// The arguments must outlive it.
  KnownReplays(const PlacedNetwork& placed, const Problem& problem) : placed_(placed), problem_(problem) {}

  SketchedPlan sketched(const Plan& plan) const;
  /// What a replay with this limit says. If an earlier one of the same schedule tells, there is no other.
  LimitedReplay replayed(const SketchedPlan& plan, Of what, double limit_s);

  /// What is known of it; a replay of its ways tells of the plan too. A replay may end beyond its limit, so that one
  /// which took longer does not tell. Ends of ways are of the plan itself.
  std::optional<LimitedReplay> find(const SketchedPlan& plan, Of what, double limit_s) const;
  void note(const SketchedPlan& plan, Of what, double limit_s, const LimitedReplay& replay);

 private:
  struct Known {
    Of of;
    Plan plan;
    LimitedReplay replay;
    double limit_s = 0;
  };

  const PlacedNetwork& placed_;
  const Problem& problem_;
  mutable std::mutex mutex_;
  std::multimap<std::uint64_t, Known> known_;  // by hash of the sketch; an element's plan does not change
};

}  // namespace isthmus
