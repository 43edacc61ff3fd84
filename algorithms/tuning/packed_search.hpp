// The search among plans along packings: which packing, with which shares, pieces of which size,
// paced how.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "algorithms/collective/algorithm.hpp"
#include "algorithms/collective/problem.hpp"
#include "algorithms/tuning/packed_plans.hpp"

namespace isthmus {

class PackedSearch {
 public:
  /// strict: the plan has more messages than one as good, so that it cannot be the choice if it takes longer.
  enum class Limit : std::uint8_t { of_this_search, strict };
  /// The seconds of a plan; infinity if it is too much work to tell, and perhaps if it takes longer than `limit_s`.
  using SecondsOf = std::function<double(const Plan&, double limit_s, Limit)>;

  struct TimedWays {
    double seconds = std::numeric_limits<double>::infinity();  ///< as above
    std::vector<double> end_s;  ///< by way: when its last piece comes; empty if that is not known
  };
  using TimedWaysOf = std::function<TimedWays(const Plan&, double limit_s)>;

  /// The arguments must outlive it.
  PackedSearch(const PackedPlans& plans, const Problem& problem, SecondsOf seconds_of, TimedWaysOf timed_ways_of)
      : plans_(plans),
        problem_(problem),
        seconds_of_(std::move(seconds_of)),
        timed_ways_of_(std::move(timed_ways_of)) {}

  /// Times several packings with pieces so many times as large as those of the synthesis: the first paced as the
  /// synthesis says and not at all, the others as was better.
  void compare(const std::vector<Plan>& made, int times_as_large);
  /// Tries other pacing, smaller pieces and pieces straight inside sites with the best packings.
  void refine();

  /// Whether the plan is an allreduce whose trees in and out fill links together for most of the time, which takes many
  /// pieces.
  static bool fills_both_ways(const Plan& made);

  double seconds() const { return starts_.empty() ? infinite : starts_.front().seconds; }  ///< of the quickest packing

 private:
  static constexpr double infinite = std::numeric_limits<double>::infinity();
  struct Trial {
    Plan plan;
    Plan made;      // as it was first timed
    int slack = 0;  // as the synthesis has it
    double seconds = infinite;
    std::vector<double> end_s;  // of its ways; empty if not known
  };

  void refine(Trial& best) const;
  /// Where sums go out beside operands that come in, pieces keep to their times only if there are many; in some
  /// networks they go straight inside sites then. False if that is no quicker.
  bool refine_both_ways(Trial& best) const;
  /// Tries pieces in the order in which they have to set out, where the last ones of ways do so at times that differ by
  /// so many thousandths.
  void try_longest_first(Trial& best, int min_difference) const;
  /// Tries operands that follow the sums of the rank above (Packing::credit). False if that is no quicker.
  bool try_credits(Trial& best) const;
  /// Tries blocks that wait for those which their site relays.
  void try_pacing(Trial& best) const;
  /// Tries what was best for another packing.
  void follow(const Trial& model, Trial& best) const;
  /// Moves bytes from ways that end late to others that serve the same, as long as that helps.
  void balance(Trial& best) const;
  /// Times the packing with the larger pieces of the synthesis and no pacing: it may be next to as quick as the best.
  void try_few_messages(const Trial& best) const;
  bool is_quicker(const Plan& plan, Trial& best) const;
  void time_ways(const Plan& plan, Trial& trial) const;
  /// The plan with pieces of a part of the size, paced with this slack.
  Plan with(Plan plan, int parts, int slack) const;
  /// Makes pieces smaller, step by step, as long as a step may pay. With pieces of a quarter of the size a pipeline is
  /// filled in a quarter of the time, so a step saves a quarter of what the step before did; and there are four times
  /// as many headers.
  void make_finer(Trial& best, int slacks) const;
  /// With pieces of a part of the size, paced with so many times the slack of the synthesis.
  bool improves(Trial& best, int parts, int slacks) const;

  const PackedPlans& plans_;
  const Problem& problem_;
  SecondsOf seconds_of_;
  TimedWaysOf timed_ways_of_;
  std::vector<Trial> starts_;  // the quickest first
};

}  // namespace isthmus
