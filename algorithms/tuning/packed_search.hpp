// The search among plans along packings: which packing, with pieces of which size, paced how.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "algorithms/collective/algorithm.hpp"
#include "algorithms/collective/problem.hpp"

namespace isthmus {

class PackedSearch {
 public:
  /// The seconds of a plan; infinity if it is too much work to tell.
  using SecondsOf = std::function<double(const Plan&)>;

  /// The arguments must outlive it.
  PackedSearch(const Problem& problem, SecondsOf seconds_of) : problem_(problem), seconds_of_(std::move(seconds_of)) {}

  /// Finds the quickest of several packings, each paced as the synthesis says and not at all, with pieces so many times
  /// as large as those of the synthesis.
  void compare(const std::vector<Plan>& made, int times_as_large);
  /// Tries smaller pieces, more and less patient pacing, and pieces straight inside sites with the packing found.
  void refine();

  double seconds() const { return best_s_; }  ///< of the quickest plan so far

 private:
  bool is_quicker(const Plan& plan);
  /// With pieces of a part of the size, paced with so many times the slack of the synthesis.
  bool improves(int parts, int slacks);

  const Problem& problem_;
  SecondsOf seconds_of_;
  Plan best_;
  int slack_ = 0;  // of the synthesis for the best one
  bool has_drivers_ = false;
  double best_s_ = std::numeric_limits<double>::infinity();
};

}  // namespace isthmus
