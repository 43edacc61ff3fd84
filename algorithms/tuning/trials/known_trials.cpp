#include "algorithms/tuning/trials/known_trials.hpp"

#include <algorithm>

namespace isthmus {

std::vector<Plan> KnownTrials::made(const Plan& plan, Kind kind) {
  {
    const std::scoped_lock lock(mutex_);
    const auto known = std::ranges::find_if(made_, [&](const Made& one) {
      return one.kind == kind && one.plan.algorithm == plan.algorithm && one.plan.parameters == plan.parameters;
    });
    if (known != made_.end()) return known->plans;
  }
  std::vector<Plan> plans =
      kind == Kind::packings ? packed_plans_.several(plan, problem_) : packed_plans_.several_exchanges(plan, problem_);
  const std::scoped_lock lock(mutex_);
  made_.push_back({plan, kind, plans});
  return plans;
}

}  // namespace isthmus
