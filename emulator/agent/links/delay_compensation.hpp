// In real time a frame arrives later than its queue's delay: timers, wake-ups and the system calls of both ends come on
// top. The queues are given a lead, so that what a program sees is the platform's latency.
#pragma once

#include <vector>

#include "emulator/agent/containers/container.hpp"
#include "emulator/agent/links/delay_line.hpp"
#include "emulator/plan/plan.hpp"

namespace isthmus {

/// Measures by how much frames come late, in seconds for each queue that delays them, and lets all those queues of
/// `plan` release frames so much sooner. The least of what the probed routes tell; 0 when none is late.
double compensate_delays(EmulationPlan& plan, const std::vector<RunningContainer>& containers, HopTable& hops);

}  // namespace isthmus
