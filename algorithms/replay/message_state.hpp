// How far a message has come in a replay by events.
#pragma once

#include <cstdint>
#include <span>

#include "algorithms/replay/compiled_schedule.hpp"

namespace isthmus {

/// Flags of Message::done.
struct MessageState {
  enum Flag : std::uint8_t {
    issued = 1,
    posted = 2,
    taken_in_ = 4,
    received_ = 8,
    sent_ = 16,
    arrived = 32,
    noticed = 64,
    awaited_ = 128  ///< a lane waits for it, or will; only with overheads and several lanes
  };
};

/// Whether a rank that has these steps left only posts receives and waits for a message that has not arrived yet, which
/// is sent without waiting for the receive.
inline bool is_about_to_wait(const CompiledSchedule& schedule, std::span<const Step> left, std::int64_t eager_bytes) {
  for (const Step step : left) {
    if (step.kind() != Step::receive && step.kind() != Step::wait_received) return false;
    const Message& awaited = schedule.messages[step.message()];
    if ((awaited.done & MessageState::arrived) || schedule.kind_of(awaited).bytes > eager_bytes) return false;
    if (step.kind() == Step::wait_received) return true;
  }
  return true;
}

}  // namespace isthmus
