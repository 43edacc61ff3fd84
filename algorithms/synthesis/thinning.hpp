// Dense networks of many sites: only the best links of each site are kept, and what that may cost is computed.
#pragma once

#include "algorithms/synthesis/commodities.hpp"
#include "algorithms/synthesis/site_network.hpp"

namespace isthmus {

/// Whether a network has so many sites and edges that a packing of all takes too long.
bool needs_thinning(const SiteNetwork& network);

/// Keeps of each site the edges of the greatest rates and of the least latencies, out and in, and shortest paths to and
/// from `root_site`, so that what was connected stays so.
SiteNetwork thinned(const SiteNetwork& network, int root_site);

/// How often in a second the collective could be done if nothing but what leaves and enters single sites had a limit.
double cut_rate_per_s(const SiteNetwork& network, const Commodities& commodities);

}  // namespace isthmus
