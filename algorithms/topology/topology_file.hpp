// A topology from a file, for use without a platform.
#pragma once

#include <string>

#include "algorithms/topology/topology.hpp"

namespace isthmus {

/// Reads JSON: `{"ranks": [["siteA", "node1"], ["siteA", "node2"], ["siteB"], []]}`, the path of each rank in turn,
/// from the outermost group inwards, as Topology::from_paths takes them. Throws BadInput `FILE: what is wrong`, with
/// line and column for text that is not JSON, and with the rank for a value that is not a path.
Topology read_topology(const std::string& file);

}  // namespace isthmus
