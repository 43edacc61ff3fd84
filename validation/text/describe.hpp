// What is in a network, for people.
#pragma once

#include "algorithms/network/network.hpp"

namespace isthmus {

/// Prints groups, kinds of links and of routes, and the transport.
void print_network(const Network& network);

}  // namespace isthmus
