// Bound of allreduce by prices: what the messages that make one sum known to all hosts pay at least.
//
// Prices and links are those of priced_links.hpp. For one byte of the vector let r be the first host that knows the
// sum. Until then a contribution of every other host has reached r: the messages before hold a tree in to r, of all
// hosts. Every other host knows the sum later, after one more message to it. So the messages pay at least
//
//   min over r of   (cheapest tree of all hosts in to r)   +   sum over hosts h but r of (cheapest message to h)
//
// Reversed in time: let q be the last host whose contribution leaves it. The messages after hold a tree out of q, and
// every other host has sent a message before. Partitions (partitions.hpp) are the case in which all prices are 0 or 1
// and every message pays the same.
#pragma once

#include "algorithms/bounds/best_bound.hpp"
#include "algorithms/bounds/site_graph.hpp"

namespace isthmus::bounds {

/// For allreduce, between 2 and 16 sites.
void consider_sums(const Demand& demand, const SiteGraph& sites, BestBound& best);

}  // namespace isthmus::bounds
