// The names by which people ask for links.
#pragma once

#include <string>
#include <vector>

#include "algorithms/network/network.hpp"

namespace isthmus {

/// The numbers of the links that match a pattern with `*` and `?` or have it as their name (`wan[1]`), in the order of
/// the network. The name of a split-duplex link stands for both of its directions. Throws BadInput when there is none,
/// with near names and the names that exist.
std::vector<int> links_named(const Network& network, const std::string& pattern);

/// The names that exist: one for both directions of a split-duplex link. First the links between sites (hosts of
/// different outermost zones), the longest latency first; then those between other endpoints; then hosts' own.
std::vector<std::string> link_names(const Network& network);

/// By link number: whether a route between hosts of different outermost zones uses the link, hosts' own links aside.
std::vector<bool> wide_area_links(const Network& network);

/// The name without `_UP` or `_DOWN` if the network has the link of the other direction too; else the name.
std::string name_of_both(const Network& network, const std::string& link);

}  // namespace isthmus
