#include "algorithms/tuning/trials/known_replays.hpp"

#include <cmath>
#include <utility>

namespace isthmus {

std::optional<LimitedReplay> KnownReplays::find(const Plan& plan, Of what, double limit_s) const {
  const std::pair key(what, to_string(plan));
  const std::scoped_lock lock(mutex_);
  const auto found = known_.find(key);
  if (found == known_.end()) return std::nullopt;
  const Known& known = found->second;
  const bool tells = std::isfinite(known.replay.seconds) ? known.replay.seconds <= limit_s : known.limit_s >= limit_s;
  return tells ? std::optional(known.replay) : std::nullopt;
}

void KnownReplays::note(const Plan& plan, Of what, double limit_s, const LimitedReplay& replay) {
  std::pair key(what, to_string(plan));
  const std::scoped_lock lock(mutex_);
  const auto [known, is_new] = known_.try_emplace(std::move(key), Known{replay, limit_s});
  if (!is_new && (std::isfinite(replay.seconds) || limit_s > known->second.limit_s)) known->second = {replay, limit_s};
}

}  // namespace isthmus
