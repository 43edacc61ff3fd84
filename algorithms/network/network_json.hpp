// A network as JSON, so that a run needs no SimGrid.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "algorithms/network/network.hpp"
#include "algorithms/text/note.hpp"

namespace isthmus {

/// What is measured stands in `classes`, from the innermost outwards: `name`, and as arrays of [bytes, seconds] `gap`,
/// `send_overhead`, `receive_overhead`; `gap_factors` ([destinations, factor]) may be left out. A link of a class names
/// it in `class`. Keys that are not known are ignored.
nlohmann::json to_json(const Network& network);
/// Throws BadInput naming the JSON path and the value: missing keys, wrong types, bandwidth <= 0, negative latency,
/// link numbers out of range; classes that are not there, functions of less than two points, or that fall, or that are
/// quicker than their links' bandwidth.
Network network_from_json(const nlohmann::json& json);

/// What is allowed and hardly meant, a note for each kind with the first of it and how many there are: latencies of a
/// second or more, bandwidths below a byte in a millisecond, as when milliseconds are given for seconds or megabytes
/// for bytes.
std::vector<Note> warnings_about(const Network& network);

void write_network(const Network& network, const std::string& file);
/// Throws BadInput with `file:line:`.
Network read_network(const std::string& file);

}  // namespace isthmus
