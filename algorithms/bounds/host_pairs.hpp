// Bounds between two hosts: their distance, and the links between them.
//
// Bytes have to get from host s to host t. Let F be links of which every way from s to t takes one. A message occupies
// f of F for at least its bytes / B_f. It cannot reach f before a_f, the least latency from s to the entry of f. It
// must have left f by T - b_f, with b_f the least latency from the entry of f to t, because its tail still has to
// travel to t. Hence f carries at most B_f (T - a_f - b_f), and the M different bytes that reach t
//
//   sum over f in F of B_f max(0, T - l_f) >= M,   l_f = a_f + b_f.
//
// The F whose T is greatest is found by minimum cuts (LinkGraph::slowest_cut). With the least l_f for all links this is
// T >= D + M / C, with D the distance of the two and C the maximum flow. The same holds for sets of hosts S and R.
//
// The quickest flow between the two (Ford and Fulkerson 1958) is the bound of all choices of a_f and b_f, not only the
// least ones. It holds where links and the times for which they count prove it (quickest_flow.cpp).
//
// M is m, the bytes of the vector, for
// - broadcast: s the root, t any host; reduce: s any host, t the root. Each element of an operand has to reach the
// root,
//   alone or combined with the same element of others, which takes as many bytes; different elements are never
//   combined.
// - allreduce, scan, exscan, barrier: s any host, t any other (one with a later rank for scans); 0 bytes for a barrier,
//   where distance alone counts.
// For allgather it is the block of s, for reduce_scatter that of t, for alltoall the one that s has for t.
#pragma once

#include "algorithms/bounds/best_bound.hpp"

namespace isthmus::bounds {

/// Between the root and one host of each class. For broadcast and reduce.
void consider_root_and_hosts(const Demand& demand, BestBound& best);

/// Between one host of each class and one of each other: distances for all pairs, links for the most promising.
void consider_host_pairs(const Demand& demand, BestBound& best);

}  // namespace isthmus::bounds
