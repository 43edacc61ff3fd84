#include "algorithms/tuning/trials/known_packings.hpp"

#include "algorithms/synthesis/commodities.hpp"

namespace isthmus {
namespace {

/// More are forgotten.
constexpr std::size_t max_known = 256;

}  // namespace

Choice KnownPackings::completed(const Plan& plan, const Problem& problem) const {
  if (problem.collective == Collective::barrier) return with_exchanged_sums(plan, problem);
  if (!problem.counts.empty()) return packed_plans_.completed(plan, problem, true);
  return PackedPlans::along(ways_for(problem, false)->synthesis(problem), plan, problem);
}

Choice KnownPackings::with_exchanged_sums(const Plan& plan, const Problem& problem) const {
  Synthesis made = ways_for(problem, true)->synthesis(problem);
  made.packing.drivers.clear();
  return PackedPlans::along(std::move(made), plan, problem);
}

double KnownPackings::min_s(const Problem& problem) const {
  return problem.counts.empty() ? ways_for(problem, false)->least_s(problem) : 0;
}

double KnownPackings::min_exchange_s(const Problem& problem) const { return ways_for(problem, true)->least_s(problem); }

std::shared_ptr<const KnownWays> KnownPackings::ways_for(const Problem& problem, bool exchanges) const {
  const std::lock_guard lock(mutex_);
  const Key key{problem.collective, has_root(problem.collective) ? problem.root : -1, exchanges};
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  if (known_.size() == max_known) known_.clear();
  const auto commodities = exchanges ? sums_of_sites : commodities_of;
  return known_[key] = std::make_shared<const KnownWays>(packed_plans_.sites(), commodities, problem);
}

}  // namespace isthmus
