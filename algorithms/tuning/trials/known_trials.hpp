// What several searches for one problem on one network share: packings and replays.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "algorithms/tuning/trials/known_replays.hpp"
#include "algorithms/tuning/trials/packed_plans.hpp"

namespace isthmus {

/// A search finds the same with it as without, sooner. Threads may use one at once.
class KnownTrials {
 public:
  /// The arguments must outlive it.
  KnownTrials(const PlacedNetwork& placed, const Problem& problem)
      : problem_(problem), packed_plans_(placed), replays_(placed, problem) {}

  const PackedPlans& packed_plans() const { return packed_plans_; }
  KnownReplays& replays() { return replays_; }

  /// PackedPlans::several() and PackedPlans::several_exchanges() for the problem. Throw the same.
  std::vector<Plan> packings(const Plan& plan) { return made(plan, Kind::packings); }
  std::vector<Plan> exchanges(const Plan& plan) { return made(plan, Kind::exchanges); }

 private:
  enum class Kind : std::uint8_t { packings, exchanges };
  struct Made {
    Plan plan;
    Kind kind = Kind::packings;
    std::vector<Plan> plans;
  };

  std::vector<Plan> made(const Plan& plan, Kind kind);

  const Problem& problem_;
  const PackedPlans packed_plans_;
  KnownReplays replays_;
  std::mutex mutex_;
  std::vector<Made> made_;
};

}  // namespace isthmus
