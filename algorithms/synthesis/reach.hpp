// Whether the sites of a network can reach those that a collective has them reach.
#pragma once

#include "algorithms/synthesis/commodities.hpp"

namespace isthmus {

/// Throws BadInput that names a site and those that it cannot reach.
void require_reach(const SiteNetwork& network, const Commodities& commodities);

}  // namespace isthmus
