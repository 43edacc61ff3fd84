// What the search tries with one packing: its shares, pieces of other sizes, other pacing.
#pragma once

#include <optional>
#include <vector>

#include "algorithms/tuning/trials/packed_plans.hpp"
#include "algorithms/tuning/trials/plan_times.hpp"

namespace isthmus {

/// A packing as it was first timed, and the quickest plan along it.
struct PackedTrial {
  Plan plan;
  Plan made;      ///< as it was first timed
  int slack = 0;  ///< as the synthesis has it
  double seconds = infinite;
  std::vector<double> end_s = {};  ///< of its ways; empty if not known
  double saved_s = infinite;       ///< by the last step to smaller pieces
};

/// Whether the plan is an allreduce whose trees in and out fill links together for most of the time, which takes many
/// pieces.
bool fills_both_ways(const Plan& made);

/// The plan with pieces of a part of the size, paced with this slack.
Plan with_pieces(Plan plan, const Problem& problem, int parts, int slack);

/// The plan of an allreduce that fills links both ways with smaller pieces that go straight inside sites, paced with
/// more than this slack. Nothing if it is no such plan, or its pieces are small already.
std::optional<Plan> finer_inside(const Plan& plan, const Problem& problem, int slack);

class PackedRefinement {
 public:
  /// The arguments must outlive it; `best` is set to what is quicker.
  PackedRefinement(const PackedPlans& plans, PlanTimes& times, PackedTrial& best)
      : plans_(plans), times_(times), problem_(times.problem()), best_(best) {}

  /// Times the plan; false if it is no quicker than the best.
  bool is_quicker(const Plan& plan);
  /// Makes the replays of plans that are asked for next side by side, if that is possible. Plans of about as many
  /// messages, since it takes as long as the longest.
  void prepare(const std::vector<Plan>& next);
  /// Sets the best to this plan, and its ends of ways; infinite seconds are more than those that the best had.
  void time_ways(const Plan& plan);

  /// Tries other pacing, orders of pieces, smaller pieces and pieces straight inside sites, one after the other.
  void step_by_step();
  /// Tries what was best for another packing.
  void follow(const PackedTrial& model);
  /// Moves bytes from ways that end late to others that serve the same, as long as that helps.
  void balance();
  /// Times the packing with the larger pieces of the synthesis and no pacing: it may be next to as quick as the best.
  void try_few_messages();

 private:
  /// What is asked for to see whether the plan is quicker.
  PlanTimes::Question question_of(const Plan& plan) const;
  void refine_pieces();
  /// Where sums go out beside operands that come in, pieces keep to their times only if there are many; in some
  /// networks they go straight inside sites then. False if that is no quicker.
  bool refine_both_ways();
  /// Tries pieces in the order in which they have to set out, where the last ones of ways do so at times that differ by
  /// so many thousandths.
  void try_longest_first(int min_difference);
  /// Tries operands that follow the sums of the rank above (Packing::credit). False if that is no quicker.
  bool try_credits();
  /// Tries blocks that wait for those which their site relays.
  void try_pacing();
  /// Makes pieces smaller, step by step, as long as a step may pay. With pieces of a quarter of the size a pipeline is
  /// filled in a quarter of the time, so a step saves a quarter of what the step before did; and there are four times
  /// as many headers.
  void make_finer(int slacks);
  /// How many times the slack of the synthesis the best has.
  int slacks() const;
  /// The best with pieces of a part of the size, paced with so many times the slack of the synthesis.
  Plan in_pieces(int parts, int slacks) const;
  bool improves(int parts, int slacks);

  const PackedPlans& plans_;
  PlanTimes& times_;
  const Problem& problem_;
  PackedTrial& best_;
};

}  // namespace isthmus
