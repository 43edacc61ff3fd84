// Bounds between sets of hosts: the links over which their blocks have to leave or enter.
//
// The argument of host_pairs.hpp, with the bytes that S has for R, blocks of n_r bytes for rank r:
// - scatter: S the root, R any set of hosts: the blocks of R. gather: reversed.
// - allgather: S any set, R all others: the blocks of S, each of which has to leave S once.
// - reduce_scatter: S any set, R all others: the blocks of R, to each of which S contributes (a partial sum at least).
// - alltoall: S any set, R all others: the blocks from S to R; also S and R two outermost groups.
//
// Sets are the groups of the topology and one host of each class; and sets of sites, found by the network's links
// alone, so that the bound is the same however the file groups its hosts. Of up to 12 sites all sets are compared, of
// more those that grow by joining the sites with the widest links between them, and single steps from the best of
// these. A set is judged by the slowest link of each route out of it; then the cut is found by maximum flows.
#pragma once

#include "algorithms/bounds/best_bound.hpp"

namespace isthmus::bounds {

/// Between groups or hosts and the root: for gather and scatter.
void consider_groups_and_root(const Demand& demand, BestBound& best);
/// Between groups or hosts and all others: for allgather, reduce_scatter and alltoall.
void consider_groups_and_others(const Demand& demand, BestBound& best);
/// Between two outermost groups: for alltoall.
void consider_pairs_of_groups(const Demand& demand, BestBound& best);

}  // namespace isthmus::bounds
