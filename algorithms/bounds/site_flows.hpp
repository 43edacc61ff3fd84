// Bounds by quickest flows between some sites and one.
//
// What all hosts of some sites S have for a host h elsewhere, or it for them, crosses every set of links between them,
// each with the latency of its own ways: host_pairs.hpp has this for two hosts, quickest_flow.cpp the proof. For each
// site S are single sites, and the two, three ... farthest from it.
//
//   allgather       all blocks of S to a host     reduce_scatter   a host's operands of all blocks of S
//   gather          all blocks of S to the root   scatter          the root's blocks for S
//   alltoall        all blocks of S for a site, or of a site for S
#pragma once

#include "algorithms/bounds/best_bound.hpp"
#include "algorithms/bounds/site_graph.hpp"

namespace isthmus::bounds {

void consider_site_flows(const Demand& demand, const SiteGraph& sites, BestBound& best);

}  // namespace isthmus::bounds
