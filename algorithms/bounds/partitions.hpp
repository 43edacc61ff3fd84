// Bounds between all parts of a partition together.
//
// Let the ranks be divided into k parts, and let F contain for every route from one part to another its slowest shared
// link. If W bytes have to go from part to part, summed over all crossings, then F carries W. A message that crosses f
// is on one of these routes, so that f is not busy with it for l_f, the least latency of the routes:
//
//   sum over f in F of B_f max(0, T - l_f) >= W
//
// W is (k - 1) m for broadcast and reduce; 2 (k - 1) m for allreduce: before the first part knows the result of an
// element, k - 1 contributions of other parts have crossed to it, and k - 1 crossings to the other parts follow.
// (k - 1) m for scans, whose results depend on other parts in every part except that of rank 0; (k - 1) times all
// blocks for allgather and reduce_scatter.
//
// Parts are the outermost groups, the hosts, and sites (site_graph.hpp) joined in all ways, of more than 9 sites those
// that come about by always joining the two parts with the widest links between them.
#pragma once

#include "algorithms/bounds/best_bound.hpp"
#include "algorithms/bounds/site_graph.hpp"

namespace isthmus::bounds {

/// `bytes` cross from part to part (k - 1) times.
void consider_partitions(const Demand& demand, const SiteGraph& sites, double bytes, BestBound& best);

}  // namespace isthmus::bounds
