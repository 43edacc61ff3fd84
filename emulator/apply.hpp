// Making a plan real in the running kernel.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "emulator/container.hpp"
#include "emulator/delay_line.hpp"
#include "emulator/plan.hpp"

namespace isthmus {

/// Settings of every emulated host's network stack.
std::vector<std::pair<std::string, std::string>> host_settings();

/// Containers, devices, addresses, routes and queues of the plan; containers in the plan's order.
/// `hops` is of the plan's delay line. Needs the rights of
/// the superuser, at least those inside a user namespace.
std::vector<RunningContainer> apply(const EmulationPlan& plan, const HostFiles& files, const HopTable& hops,
                                    std::uint64_t seed = 1);

}  // namespace isthmus
