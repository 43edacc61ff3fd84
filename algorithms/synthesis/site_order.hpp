// An order of sites that follows from the network and the collective, not from the file that lists the sites.
//
// A linear programme may have several best solutions, and which of them is found depends on the order of its rows and
// columns. So sites are sorted before it is solved: first the root's, then by members, rates and bytes, then by their
// routes to the sites that are sorted already (colour refinement, Weisfeiler and Leman 1968). Sites that are alike in
// all this keep their order.
#pragma once

#include <vector>

#include "algorithms/collective/packing.hpp"
#include "algorithms/synthesis/commodities.hpp"
#include "algorithms/synthesis/site_network.hpp"

namespace isthmus {

/// The numbers of the sites, sorted. The sites of a scan keep their order, which has a meaning.
std::vector<int> sorted_sites(const SiteNetwork& network, const Commodities& commodities);

/// The same commodities where site order[i] is number i.
Commodities renumbered(const Commodities& commodities, const std::vector<int>& order);

/// A packing of sites that are numbered so, with their former numbers.
Packing with_former_numbers(const Packing& packing, WayKind kind, const std::vector<int>& order);

}  // namespace isthmus
