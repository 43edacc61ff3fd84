// How late a link can begin to serve a collective, and how early it has to end: the latencies around it.
#pragma once

#include <vector>

#include "algorithms/bounds/demand.hpp"

namespace isthmus::bounds {

/// By link: the least latency of its routes before it, its own, and the least behind it. The link is unused for this
/// long at least, at the beginning and at the end together. The two least may be of different routes: a link that
/// messages of both directions share can serve first those that start beside it, and last those that end beside it.
/// Infinite for links without a route. Goes through all routes of the network.
std::vector<double> latencies_around_links(const Demand& demand);

}  // namespace isthmus::bounds
