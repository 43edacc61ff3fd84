// How well a network that was found explains what was measured between its hosts: the network's map above two matrices.
#pragma once

#include "algorithms/measuring/discovery.hpp"
#include "validation/report/markup.hpp"

namespace isthmus {

/// The map of draw_network(), and for latency and rate a cell for each pair of hosts, from its row to its column: how
/// much more or less the network gives than was measured. Hosts are ordered by their outermost zones, which are
/// outlined. Pairs that were not measured have no cell. With more than 16 hosts only the zones have names.
Element draw_discovery(const Discovered& discovered);

}  // namespace isthmus
