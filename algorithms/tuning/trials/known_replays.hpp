// The replays of plans for one problem on one network, kept for several searches.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/collective/algorithm.hpp"

namespace isthmus {

/// What a replay with a limit says of a plan; infinite seconds are more than the limit.
struct LimitedReplay {
  double seconds = 0;
  std::int64_t messages = 0;
  std::vector<double> way_end_s = {};  ///< by way of its packing, if that was asked for: when its last piece comes
};

/// A search finds the same with it as without, sooner. Threads may use one at once.
class KnownReplays {
 public:
  enum class Of : std::uint8_t { plan, ways };

  /// What a replay with this limit would say, if an earlier one of the same tells. A replay may end beyond its limit,
  /// so that one which took longer does not tell.
  std::optional<LimitedReplay> find(const Plan& plan, Of what, double limit_s) const;
  void note(const Plan& plan, Of what, double limit_s, const LimitedReplay& replay);

 private:
  struct Known {
    LimitedReplay replay;
    double limit_s = 0;
  };
  mutable std::mutex mutex_;
  std::map<std::pair<Of, std::string>, Known> known_;  // by the text of the plan
};

}  // namespace isthmus
