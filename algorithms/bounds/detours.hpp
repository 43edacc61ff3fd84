// Bound of alltoall by the ways that blocks can take: the dual of the maximum concurrent flow.
//
// Give every link f a price p_f >= 0 a byte. A block from s to t pays at least the price of the cheapest way from s to
// t, however it is relayed and split. And f earns at most p_f B_f (T - l_f), with l_f the least latency of a route over
// f. So for any prices
//
//   sum over f of p_f B_f max(0, T - l_f) >= sum over s, t of (bytes from s to t) * (price of the cheapest way)
//
// A cut is the case of price 1 on its links and 0 elsewhere. The best prices are the dual solution of the concurrent
// flow of blocks between sites (Shahrokhi and Matula 1990), a linear programme with ways made on demand. Its solution
// need not be exact: the bound is computed from the prices alone. Links are the own links of hosts, those of a site
// together, and the shared links of routes between sites; if there are several routes, the cheapest of their slowest
// links.
#pragma once

#include "algorithms/bounds/best_bound.hpp"
#include "algorithms/bounds/site_graph.hpp"

namespace isthmus::bounds {

/// For alltoall, between 3 to 16 sites: two have no detours, more take too long.
void consider_detours(const Demand& demand, const SiteGraph& sites, BestBound& best);

}  // namespace isthmus::bounds
