// Lower bounds on the time of a collective on a network: latency by distance, bandwidth by minimum cut.
#pragma once

#include <cstdint>

#include "algorithms/collective/problem.hpp"
#include "algorithms/network/placed_network.hpp"

namespace isthmus {

/// Lower bound on the completion time of the collective, in seconds; 0 for one rank, or if no data is to be moved.
///
/// Between two sets of hosts S and R. If M different bytes have to reach R from S,
///
///   T >= D(S, R) + M / C(S, R)
///
/// D is the least latency from one of S to one of R, C the maximum flow from S to R (link_graph.hpp). Why the two add
/// up: let F be the links of a minimum cut, C = sum over f in F of B_f. Every byte crosses some f in F, since messages
/// follow routes. A message occupies f for at least its bytes / B_f. It cannot reach f before a_f, the least latency
/// from S to the entry of f. It must have left f by T - b_f, with b_f the least latency from the entry of f to R,
/// because its tail still has to travel to R. a_f + b_f is the latency of a path from S to R and so at least D. Hence f
/// carries at most B_f (T - D) bytes and F at most C (T - D), and this must be at least M. Headers and overheads are
/// left out, since a schedule may send any number of messages.
///
/// The M that each collective asks for, with n_r bytes in the block of rank r, m bytes in a vector:
/// - broadcast: S the root, R any host: m.
/// - reduce: S any host, R the root: m. Each element of an operand has to reach the root, alone or combined with the
///   same element of others, which takes as many bytes; different elements are never combined.
/// - scatter: S the root, R any group or host: the blocks of R; also R all other hosts together. gather: reversed.
/// - allreduce, scan, exscan, barrier: S any host, R any other (behind it in the order of ranks for scans): m; 0 bytes
///   for a barrier, where distance alone counts.
/// - allgather: S all hosts outside R, with R a group or a host: the blocks of S.
/// - alltoall: S a group or host, R all others, and the reverse; S, R two outermost groups: the blocks between them.
/// - reduce_scatter: as alltoall with S: the blocks of all others; R: its own blocks (partial sums of them, at least).
///
/// Between all parts together. Let the ranks be divided into k parts (the outermost groups; the hosts), and let F
/// contain for every pair of parts the slowest shared link that all messages between them take. If W bytes have to go
/// from part to part, summed over all crossings, then F carries W, each f for at most T less its own latency l_f:
///
///   sum over F of B_f max(0, T - l_f) >= W
///
/// W is (k - 1) m for broadcast and reduce; 2 (k - 1) m for allreduce: before the first part knows the result of an
/// element, k - 1 contributions of other parts have crossed to it, and k - 1 crossings to the other parts follow.
/// (k - 1) m for scans, whose results depend on other parts in every part except that of rank 0; (k - 1) times all
/// blocks for allgather and reduce_scatter.
///
/// If all ranks are on one host the bound is the time over its loopback for the least data that the collective moves.
/// In very large networks only some S and R are used: each of them gives a valid bound. Throws BadInput for a problem
/// that check_problem() refuses, and for a host that another cannot reach.
double lower_bound(const PlacedNetwork& placed, const Problem& problem);

/// The number of bounds computed in this process. For tests that check that one request computes one.
std::int64_t bounds_worked_out();

}  // namespace isthmus
