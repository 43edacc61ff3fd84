#include "algorithms/tuning/packed_search.hpp"

#include <algorithm>

#include "algorithms/tuning/packed_plans.hpp"
#include "algorithms/tuning/thrift.hpp"

namespace isthmus {
namespace {

constexpr int max_slack = 1000;
constexpr int some = 3, much = 10;  // times the slack of the synthesis
constexpr int finer = 4;

}  // namespace

void PackedSearch::compare(const std::vector<Plan>& made, int times_as_large) {
  for (const Plan& packing : made) {
    Plan plan = packing;
    std::int64_t& segment = plan.parameters.segment_bytes;
    segment = segment * times_as_large < problem_.bytes() ? segment * times_as_large : 0;
    const int slack = plan.parameters.packing.slack;
    for (const int paced : {slack, 0}) {
      plan.parameters.packing.slack = paced;
      const double seconds = seconds_of_(plan);
      if (seconds < best_s_) {
        best_ = plan;
        best_s_ = seconds;
        slack_ = slack;
        has_drivers_ = !packing.parameters.packing.drivers.empty();
      }
      if (slack == 0) break;
    }
  }
}

void PackedSearch::refine() {
  if (best_.algorithm == nullptr) return;
  const auto slacks = [&] { return slack_ > 0 ? best_.parameters.packing.slack / slack_ : 0; };
  if (slack_ > 0) improves(1, some);
  // The forecast does not know in which order pieces of several ways come to a link: many pieces even it out.
  while (best_.parameters.segment_bytes > 0 && improves(finer, slacks())) {
  }
  // Where many ways meet, pieces come much earlier and later than planned.
  if (slack_ > 0 && improves(1, much)) improves(1, much / 2);
  if (has_drivers_ && PackedPlans::has_trees(best_)) {
    // Hosts' own links are the limit; chains of members fill late and in an order that paces badly.
    Plan straight = PackedPlans::straight_inside(best_);
    if (best_.parameters.packing.slack == 0) straight.parameters.packing.slack = std::min(slack_ * much, max_slack);
    is_quicker(straight);
  }
}

bool PackedSearch::is_quicker(const Plan& plan) {
  const double seconds = seconds_of_(plan);
  if (seconds * as_quick >= best_s_) return false;
  best_ = plan;
  best_s_ = seconds;
  return true;
}

bool PackedSearch::improves(int parts, int slacks) {
  Plan other = best_;
  other.parameters.segment_bytes =
      best_.parameters.segment_bytes / parts / problem_.element_bytes * problem_.element_bytes;
  other.parameters.packing.slack = std::min(slack_ * slacks, max_slack);
  if (parts > 1 && other.parameters.segment_bytes < min_segment_bytes) return false;
  return is_quicker(other);
}

}  // namespace isthmus
