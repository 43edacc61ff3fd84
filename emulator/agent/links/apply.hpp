// Making a plan real in the running kernel.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "emulator/agent/containers/container.hpp"
#include "emulator/agent/links/delay_line.hpp"
#include "emulator/plan/plan.hpp"

namespace isthmus {

/// Settings of every emulated host's network stack, with what is asked of TCP in place of what the emulation has.
std::vector<std::pair<std::string, std::string>> host_settings(const TcpSettings& tcp);

/// Containers, devices, addresses, routes and queues of the plan; containers in the plan's command.
/// `hops` is of the plan's delay line. Needs the rights of the superuser, at least those inside a user namespace.
/// Throws Refused when the kernel has not got a congestion control.
std::vector<RunningContainer> apply(const EmulationPlan& plan, const HostFiles& files, const HopTable& hops,
                                    std::uint64_t seed = 1);

}  // namespace isthmus
