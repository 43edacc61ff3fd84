// In real time a frame arrives later than its queue's delay: timers, wake-ups and the system calls of both ends add
// time. The queues release frames early, so that programs see the platform's latency.
#pragma once

#include <vector>

#include "emulator/agent/containers/container.hpp"
#include "emulator/agent/links/delay_line.hpp"
#include "emulator/plan/plan.hpp"

namespace isthmus {

/// Measures how late frames come, in seconds per queue that delays them, and makes all those queues of `plan` release
/// frames earlier by that. Returns that time: the minimum over the probed routes; 0 when none is late.
double compensate_delays(EmulationPlan& plan, const std::vector<RunningContainer>& containers, HopTable& hops);

}  // namespace isthmus
