// Plans along packings for messages of all sizes on one network, each in a fraction of the time of a synthesis.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <tuple>

#include "algorithms/collective/algorithm.hpp"
#include "algorithms/synthesis/known_ways.hpp"
#include "algorithms/tuning/trials/candidate.hpp"
#include "algorithms/tuning/trials/packed_plans.hpp"

namespace isthmus {

/// For a collective and its root ways are found once (synthesis/known_ways.hpp); a problem takes of these what is best
/// for its size. Problems with counts of their own are left to PackedPlans. Equal problems have equal plans, whatever
/// was asked before. May be used from several threads.
class KnownPackings {
 public:
  /// `packed_plans` must outlive it.
  explicit KnownPackings(const PackedPlans& packed_plans) : packed_plans_(packed_plans) {}

  /// Like PackedPlans::completed() with an open segment; the same errors.
  Choice completed(const Plan& plan, const Problem& problem) const;
  /// Like PackedPlans::with_exchanged_sums(); the same errors.
  Choice with_exchanged_sums(const Plan& plan, const Problem& problem) const;

  /// No forecast of these is shorter, nor any of PackedPlans::along_one_tree(). 0 for problems with counts of their
  /// own.
  double min_s(const Problem& problem) const;
  double min_exchange_s(const Problem& problem) const;
  /// No forecast of with_exchanged_sums() is shorter unless all sums go straight.
  double min_relayed_exchange_s(const Problem& problem) const { return ways_for(problem, true)->least_relayed_s(); }

 private:
  using Key = std::tuple<Collective, int, bool>;  // the root; whether sums are exchanged

  std::shared_ptr<const KnownWays> ways_for(const Problem& problem, bool exchanges) const;

  const PackedPlans& packed_plans_;
  mutable std::mutex mutex_;
  mutable std::map<Key, std::shared_ptr<const KnownWays>> known_;
};

}  // namespace isthmus
