// The search among the shapes of an algorithm, and for the segments into which its messages are cut.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/tuning/trials/plan_times.hpp"

namespace isthmus {

/// The longest message of a plan: a block of every rank, or the vector.
std::int64_t longest_bytes(const Problem& problem, int ranks);

class SegmentSearch {
 public:
  /// `times` must outlive it.
  explicit SegmentSearch(PlanTimes& times);

  /// First all shapes without segments; then the best of them, and shapes suited to pipelines, with segments. `plans`
  /// are of one algorithm.
  void try_shapes(const std::vector<Plan>& plans);

  /// Tries to save messages by segments longer than that of a plan as good as the best, both below and above twice its
  /// length: the time is not monotonic in the length, since the last segment may be short. Some plan of the current
  /// algorithm has to have been tried.
  void try_longer_segments();

 private:
  /// Segments of powers of two elements, from the largest downwards, until several in a row are no quicker.
  void try_segments(Plan plan, double unsegmented_s);
  /// Whether neither this plan nor one with shorter segments can be the choice, although nothing but the busiest link
  /// may hold it up: not if it takes too long, nor if it saves next to nothing with more messages.
  bool is_hopeless(const Plan& plan) const;
  /// How long the busiest link is busy with the messages of the plan; infinite if it does not serve the problem.
  double busy_s(const Plan& plan) const;
  /// Whether segments could make the shape as quick as the best plan of all: not if a link is busy for longer.
  bool may_be_as_quick(const Candidate& shape, double busy_s) const;
  /// Sets the longest of some longer segments, or none, with which the plan is within the limit; false if there is no
  /// such. `cheap`: more lengths may be tried.
  bool lengthen(Plan& plan, double limit_s, bool cheap);
  /// Whether the same plan with segments that are shorter, but longer than `good_bytes`, takes longer than the limit:
  /// clearly, or with much shorter ones, as a short last segment makes some difference.
  bool is_known_to_be_too_long(const Plan& plan, std::int64_t good_bytes, double limit_s) const;

  PlanTimes& times_;
  const Problem& problem_;
  const bool leaves_out_plans_;
  const std::int64_t longest_bytes_;
};

}  // namespace isthmus
