// A network as JSON, which can be used without SimGrid.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "algorithms/network/network.hpp"
#include "algorithms/text/note.hpp"

namespace isthmus {

/// Measured costs are in `classes`, from the innermost outwards: `name`, and as arrays of [bytes, seconds] `gap`,
/// `send_overhead`, `receive_overhead`; `gap_factors` ([destinations, factor]) is optional. A link names its class in
/// `class`. What the discovery, the calibration and the drop-in keep in `discovery`, `calibration` and `settings` is
/// not looked at here.
nlohmann::json to_json(const Network& network);
/// Throws BadInput naming the JSON path and the value: missing and unknown keys, wrong types, two links or hosts of one
/// name, bandwidth <= 0, negative latency, link numbers out of range, trunks beyond the last endpoint of a host,
/// unknown classes, functions with fewer than two points, functions that decrease or that are quicker than their links'
/// bandwidth.
Network network_from_json(const nlohmann::json& json);

/// Notes on figures that are allowed but probably wrong, one note for each kind with the first case and the number of
/// cases: latencies of a second or more, bandwidths below a byte per millisecond. They suggest milliseconds given as
/// seconds, or megabytes as bytes.
std::vector<Note> warnings_about(const Network& network);

void write_network(const Network& network, const std::string& file);
/// Throws BadInput with `file:line:`.
Network read_network(const std::string& file);

}  // namespace isthmus
