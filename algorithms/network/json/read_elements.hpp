// Links, hosts and trunks out of the JSON of a network. An entry may stand for many, whose names and links differ in
// numbers alone.
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "algorithms/json/json_reader.hpp"
#include "algorithms/network/network.hpp"

namespace isthmus {

/// Append what the entry stands for. Throw BadInput with the place; before any memory is taken, where there would be
/// too many. `links`: how many links the network has.
void add_links(const JsonReader& entry, std::vector<Link>& links);
void add_hosts(const JsonReader& entry, std::size_t links, std::vector<Host>& hosts);
/// Between endpoints up to the last one.
void add_trunks(const JsonReader& entry, std::size_t links, int last_endpoint,
                std::map<std::pair<int, int>, Trunk>& trunks);

/// Throw BadInput where two elements have one name. `first_of_entry`: the number of the first element of each entry.
void check_names(const JsonReader& entries, const std::vector<Link>& links,
                 const std::vector<std::size_t>& first_of_entry);
void check_names(const JsonReader& entries, const std::vector<Host>& hosts,
                 const std::vector<std::size_t>& first_of_entry);

}  // namespace isthmus
