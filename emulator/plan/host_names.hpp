// The names that hosts have inside an emulation.
#pragma once

#include <string>
#include <vector>

#include "algorithms/network/conditions.hpp"
#include "algorithms/network/network.hpp"

namespace isthmus {

/// What each host of the network is called inside: its name; where that has letters beyond ASCII, which MPIs and name
/// services do not take, `host-N` with its number N in the network.
std::vector<std::string> emulated_names(const Network& network);

/// The network whose hosts have these names.
Network with_emulated_names(Network network);

/// Conditions whose traffic names the hosts of `network` so.
Conditions with_emulated_names(Conditions conditions, const Network& network);

/// The name inside of the host of this name; other texts are unchanged.
std::string emulated_name(const std::string& host, const Network& network);

}  // namespace isthmus
