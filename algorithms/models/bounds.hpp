// The time that no schedule can beat on a network: latency by distance, bandwidth by minimum cut.
#pragma once

#include "algorithms/collective/problem.hpp"
#include "algorithms/models/network.hpp"

namespace isthmus {

/// Lower bound on the completion time of the collective, in seconds; 0 for one rank or no bytes. For broadcast of M
/// bytes:
///
///   T >= max over hosts t of  D(t) + M / C(t)
///
/// D(t) is the least latency and C(t) the maximum flow from the root's host to t in the graph whose nodes are the hosts
/// that run ranks (all may relay) and the links, and whose edges join what follows each other on some route. Only
/// shared links limit the flow: a fatpipe link slows no two messages down, however many there are. Headers and
/// overheads are left out, since a schedule may send any number of messages.
///
/// Why the two add up: let F be the links of a minimum cut, C(t) = sum over f in F of B_f. Every byte that t receives
/// came from the root over links that follow each other on routes, so it crossed some f in F. A message occupies f for
/// at least its bytes / B_f. It cannot be there before a_f, the least latency from the root to the entry of f, nor may
/// f be done with it after T - b_f, with b_f the least latency from the entry of f to t, because its tail still has to
/// go there. a_f + b_f is the length of a way from the root to t and so at least D(t). Hence f carries at most B_f (T -
/// D(t)) bytes, all of F at most C(t) (T - D(t)), and that must be M or more.
///
/// Ranks on the root's host count only if all ranks are there (then the route of that host to itself is the bound).
/// Hosts of one endpoint with equal links are taken together, so that large clusters cost no more than small ones.
/// Throws BadInput for a collective whose bound is not known, a root out of range, or a host that nothing can reach.
double lower_bound(const Network& network, const Placement& placement, const Problem& problem);

}  // namespace isthmus
