// A network as JSON, so that a run needs no SimGrid.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "algorithms/models/network.hpp"

namespace isthmus {

nlohmann::json to_json(const Network& network);
/// Throws BadInput naming the JSON path and the value: missing keys, wrong types, bandwidth <= 0, negative latency,
/// link numbers out of range.
Network network_from_json(const nlohmann::json& json);

void write_network(const Network& network, const std::string& file);
/// Throws BadInput with `file:line:`.
Network read_network(const std::string& file);

}  // namespace isthmus
