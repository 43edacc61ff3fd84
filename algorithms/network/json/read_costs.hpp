// What messages cost, out of the JSON of a network: classes of links, their changes over time, the transport.
#pragma once

#include <vector>

#include "algorithms/json/json_reader.hpp"
#include "algorithms/network/network.hpp"

namespace isthmus {

/// Throw BadInput with the place.
LinkClass class_from(const JsonReader& value);
std::vector<LinkStep> profile_from(const JsonReader& list);
Transport transport_from(const JsonReader& value);

/// Throws BadInput, at `at`, where a message takes less than the link's bandwidth lets it: bounds rely on that, and it
/// is what units mixed up look like.
void check_against_bandwidth(const LinkClass& one, const Link& link, const JsonReader& at);

}  // namespace isthmus
