// Routes over hosts without ranks: a forwarder on such a host passes messages on between hosts that no route joins.
//
// Where ranks can pass messages on, they do (relays/relays.hpp). Between ranks that neither routes nor other ranks
// join, an MPI's own connections are carried by forwarders (algorithms/forwarding), in pieces. For a model such a pair
// has a route over the links of all hops, and what passes the pieces on is a rank without a part in the collective.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "algorithms/network/network.hpp"

namespace isthmus {

/// Forwarders pass messages on in pieces of at most this size: the next one arrives while one leaves. It is what the
/// slowest shared link carries in 40 us, between 4 and 32 KiB: a forwarder takes some microseconds for a piece, which
/// count where links are fast.
std::int64_t forwarded_piece_bytes(const Network& network);

/// The same with a trunk (Trunk::forwarders) for each two endpoints of ranks that neither routes nor ranks join, but
/// other hosts, with routes in both directions. Ways have the fewest hops. Endpoints that nothing joins stay apart.
Network with_forwarded_routes(Network network, const Placement& placement);

/// The routes of the platform alone.
Network without_forwarded_routes(Network network);
bool has_forwarded_routes(const Network& network);
/// Whether messages of one route take several ways in turn, so that no link of it carries all of them.
bool has_parallel_routes(const Network& network);

/// Throws BadInput with the names of two of the hosts, and the number of such pairs, unless each has a route to all
/// others. One over forwarders is none. `would_be_right` ends the message.
void require_routes(const Network& network, std::span<const int> hosts, std::string_view would_be_right);

/// The ranks, followed by one on each host that forwards between them; unchanged where none has to.
Placement with_forwarders(const Network& network, const Placement& placement);

}  // namespace isthmus
