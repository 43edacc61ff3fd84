// Latency and rate by a small program, for kernels without netem: it takes the frames of each hop from one device and
// puts them out of another when they are due.
#pragma once

#include <vector>

#include "emulator/container.hpp"
#include "emulator/plan.hpp"

namespace isthmus {

/// Starts a process that passes on the frames of `hops`, whose devices are in `container`. It ends with the caller.
/// Throws Refused when it cannot take hold of a device.
void start_delay_line(const std::vector<DelayedHop>& hops, const RunningContainer& container);

}  // namespace isthmus
