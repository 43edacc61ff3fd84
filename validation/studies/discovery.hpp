// isthmus discover: the network that ranks measure between their hosts, under SMPI, emulated or on real machines.
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

/// The network as ranks on a platform measure it. Throws BadInput when hosts of ranks have no route to each other, and
/// BadInput, Refused and Missing as simulation and emulation do.
Discovered discover(const DiscoveryRequest& request);

/// The network as ranks on real machines measure it. A command such as `mpirun --hostfile hosts` starts them; the
/// measuring program and its settings are appended to it. Throws BadInput when there is no such command, Refused when
/// it fails.
Discovered discover_here(const std::vector<std::string>& launcher, const DiscoverySettings& settings, double timeout_s);

}  // namespace isthmus
