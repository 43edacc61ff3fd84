// What a collective costs on links that are paid by the byte.
#pragma once

#include "algorithms/network/placed_network.hpp"
#include "algorithms/schedule/census.hpp"

namespace isthmus {

/// Whether any link has a price.
bool has_prices(const Network& network);

/// The price of all messages that were counted: bytes x price, summed over the links of each message's route; in the
/// currency of Link::price_per_GB. Headers are not counted. Throws BadInput for a pair without a route.
double price_of(const PlacedNetwork& placed, const Census& counted);

}  // namespace isthmus
