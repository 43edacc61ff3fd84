// isthmus discover: the network that ranks find between their hosts, in one of the worlds.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "algorithms/measuring/discovery.hpp"
#include "algorithms/network/placed_network.hpp"
#include "emulator/protocol/options.hpp"
#include "validation/records/record.hpp"

namespace isthmus {

struct DiscoveryRequest {
  std::string platform_file;  ///< what the network was read from
  PlacedNetwork placed;
  Source world = Source::smpi;  ///< or emulated
  DiscoverySettings settings = {};
  EmulationOptions emulation = {};  ///< its timeout holds for SMPI too
  std::function<void(const std::string&)> progress = {};
};

/// As ranks on a platform find it. Throws BadInput, Refused and Missing as the worlds do.
Network discover(const DiscoveryRequest& request);

/// As the ranks find it that a command starts on machines of one's own: `mpirun --hostfile hosts`. The program and its
/// settings are added to its end. Throws BadInput when there is no such command, Refused when it fails.
Network discover_here(const std::vector<std::string>& launcher, const DiscoverySettings& settings, double timeout_s);

}  // namespace isthmus
