// Search for the sets of sites whose blocks have the narrowest way out (host_sets.hpp).
#pragma once

#include "algorithms/bounds/best_bound.hpp"
#include "algorithms/bounds/site_graph.hpp"

namespace isthmus::bounds {

/// For gather, scatter, allgather, reduce_scatter and alltoall.
void consider_site_sets(const Demand& demand, const SiteGraph& sites, BestBound& best);

}  // namespace isthmus::bounds
