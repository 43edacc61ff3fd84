// Bounds for few bytes: how many hosts can have been reached by a time.
//
// What rank r has at the start has to reach other hosts, alone or combined with other data. A host has received
// something that depends on it only after a message, of at least one element (nothing for a barrier), from a host that
// had. On the own link of a host such messages have a gap g of at least (element + header) / bandwidth; where it has
// one rank, also of the send overhead. The k-th that a host sends after it has heard is received no earlier than k g +
// latency later. With the least g and latency, N(t) hosts at most have heard by t (postal.hpp), so T is not below the t
// at which N(t) is the number of all hosts. So it is for the hosts of one endpoint alone, where messages from outside
// come in no earlier than the distance from r, and cross the links of routes to the endpoint one after the other.
//
// In a broadcast all m bytes have to leave the root's host. Consider the element whose first copy leaves last: its k-th
// copy has left no earlier than m / bandwidth + (k - 1) g. So everything is m / bandwidth - g later.
//
// Reversed in time the same holds for what has to reach one rank from all others: the k-th last message that a host
// takes in has begun to enter its own link k g before the end, with g the gap of this link or the receive overhead.
//
// Forwards from the root for broadcast and scatter, backwards to it for reduce and gather; forwards from rank 0 and
// backwards to the last rank for scans; from and to every rank for the others.
#pragma once

#include "algorithms/bounds/best_bound.hpp"

namespace isthmus::bounds {

void consider_spreading(const Demand& demand, BestBound& best);

}  // namespace isthmus::bounds
