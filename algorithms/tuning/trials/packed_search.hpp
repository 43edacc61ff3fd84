// The search among plans along packings: which packing, with which shares, pieces of which size,
// paced how.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "algorithms/tuning/trials/packed_refinement.hpp"

namespace isthmus {

class PackedSearch {
 public:
  /// The arguments must outlive it. All plans that it times are of the current algorithm of `times`. `effort_messages`:
  /// so many messages of plans along one packing are replayed in a step at most, twice as many of those that need the
  /// most pieces.
  PackedSearch(const PackedPlans& plans, PlanTimes& times, std::int64_t effort_messages)
      : plans_(plans), times_(times), effort_messages_(effort_messages) {}

  /// Times several packings with pieces so many times as large as those of the synthesis: the first paced as the
  /// synthesis says and not at all, the others as was better.
  void compare(const std::vector<Plan>& made, int times_as_large);
  /// Tries other pacing, smaller pieces and pieces straight inside sites with the best packings; the smallest pieces
  /// with the best one alone.
  void refine();

  /// Of the quickest packing; infinity if none was timed.
  double seconds() const { return starts_.empty() ? PackedTrial{}.seconds : starts_.front().seconds; }

 private:
  enum class Form { paced, unpaced, straight };

  PackedTrial as_made(const Plan& packing, int times_as_large) const;
  /// Times the first; its quickest form, and the quickest with pieces of the first size.
  std::pair<Form, Form> forms_of_first();
  std::int64_t messages_of_first(Form form) const;
  /// Times all but the first, and puts the quickest first among them; infinity for those that take longer than the
  /// limit.
  void time_others(Form form, double limit_s);
  /// Times those along trees whose pieces pass lines by what they have left to go, where that may matter.
  void compare_by_lines();
  /// Nothing if the packing has no such form.
  std::optional<Plan> in_form(const PackedTrial& trial, Form form) const;
  /// Those to refine: where sites are alike packings are too, and of those that take equally long one is.
  std::vector<PackedTrial*> worth_refining();
  /// Side by side (PlanTimes::in_branches).
  void in_branches(const std::vector<PackedTrial*>& trials,
                   const std::function<void(PackedTrial&, PackedRefinement&)>& task);

  const PackedPlans& plans_;
  PlanTimes& times_;
  const std::int64_t effort_messages_;
  std::vector<PackedTrial> starts_;    // the quickest first
  std::vector<PackedTrial> by_lines_;  // the same, of those whose pieces pass lines by what they have left to go
};

}  // namespace isthmus
