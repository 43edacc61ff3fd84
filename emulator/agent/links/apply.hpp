// Sets up a plan in the running kernel.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "emulator/agent/containers/container.hpp"
#include "emulator/agent/links/delay_line.hpp"
#include "emulator/plan/plan.hpp"

namespace isthmus {

/// Settings of every emulated host's network stack; values in the plan's `tcp` replace the emulation's defaults.
std::vector<std::pair<std::string, std::string>> host_settings(const EmulationPlan& plan);

/// Makes the containers, devices, addresses, routes and queues of the plan; returns the containers in the plan's order.
/// `hops`: of the plan's delay line. Needs the rights of the superuser, at least inside a user namespace. Throws
/// Refused when the kernel lacks the plan's congestion control.
std::vector<RunningContainer> apply(const EmulationPlan& plan, const HostFiles& files, const HopTable& hops,
                                    std::uint64_t seed = 1);

}  // namespace isthmus
