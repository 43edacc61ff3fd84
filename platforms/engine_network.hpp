// Makes a network from a platform that SimGrid has loaded.
#pragma once

#include <simgrid/s4u/Engine.hpp>
#include <string>
#include <vector>

#include "algorithms/network/name_range.hpp"
#include "algorithms/network/network.hpp"
#include "platforms/source_file.hpp"

namespace isthmus {

/// `engine` has loaded and sealed the platform of `source`. Hosts of a star cluster share an endpoint if this gives
/// exactly SimGrid's routes; every other host is an endpoint of its own. Clusters whose hosts are known to be alike,
/// since the file names none of them elsewhere, are checked by two of them. Throws BadInput for a platform that a
/// network cannot represent.
Network network_of(const simgrid::s4u::Engine& engine, const SourceFile& source, const std::string& name,
                   const std::vector<NameRange>& alike);

}  // namespace isthmus
