// The time that no schedule can beat on a network: latency by distance, bandwidth by minimum cut.
#pragma once

#include <cstdint>

#include "algorithms/collective/problem.hpp"
#include "algorithms/network/placed_network.hpp"

namespace isthmus {

/// Lower bound on the completion time of the collective, in seconds; 0 for one rank, or where no data is to be moved.
///
/// What has to go from some hosts S to others R. Where M bytes, all different, have to reach R from S,
///
///   T >= D(S, R) + M / C(S, R)
///
/// D is the least latency from one of S to one of R, C the maximum flow from S to R (link_graph.hpp). Why the two add
/// up: let F be the links of a minimum cut, C = sum over f in F of B_f. Every byte crosses some f in F, since messages
/// go over links that follow each other on routes. A message occupies f for at least its bytes / B_f. It cannot be
/// there before a_f, the least latency from S to the entry of f, nor may f be done with it after T - b_f, with b_f the
/// least latency from the entry of f to R, because its tail still has to go there. a_f + b_f is the length of a way
/// from S to R and so at least D. Hence f carries at most B_f (T - D) bytes, all of F at most C (T - D), and that must
/// be M or more. Headers and overheads are left out, since a schedule may send any number of messages.
///
/// The M that each collective asks for, with n_r bytes in the block of rank r, m bytes in a vector:
///   broadcast: S the root, R any host: m.
///   reduce: S any host, R the root: m. Each element of an operand has to get there in a message of its own or combined
///     with those of others, which takes as many bytes; elements do not combine with each other.
///   scatter: S the root, R any group or host: its blocks, and so for all other hosts together. gather: reversed.
///   allreduce, scan, exscan, barrier: S any host, R any other (behind it in the order of ranks for scans): m; 0 bytes
///     for a barrier, where distance alone counts.
///   allgather: S all outside a group or host R: their blocks. R is one host as well as one group, as what enters it.
///   alltoall: S a group or host, R all others, and the reverse; S, R two outermost groups: the blocks between them.
///   reduce_scatter: as alltoall with S: the blocks of all others; R: its own blocks (partial sums of them, at least).
///
/// What has to cross boundaries altogether. Let the ranks be cut in k parts (the outermost groups; the hosts), and let
/// F have for every pair of parts the tightest shared link that all messages between them take. If W bytes have to go
/// from part to part, summed over all crossings, then F carries W, each f for at most T less its own latency l_f:
///
///   sum over F of B_f max(0, T - l_f) >= W
///
/// W is (k - 1) m for broadcast and reduce; 2 (k - 1) m for allreduce: when the first part knows an element's result
/// k - 1 messages have told it of the others, and k - 1 more have to tell the others. (k - 1) m for scans, whose result
/// every part but that of rank 0 has to hear of; (k - 1) times the blocks of all for allgather and reduce_scatter.
///
/// Where all ranks are on one host the bound is what that host needs to itself for the least that the collective moves.
/// In very large networks not all S and R are looked at: any of them give a bound. Throws BadInput for what
/// check_problem() refuses, and for a host that another cannot reach.
double lower_bound(const PlacedNetwork& placed, const Problem& problem);

/// How many bounds were worked out in this process. For tests that see to it that one question needs one.
std::int64_t bounds_worked_out();

}  // namespace isthmus
