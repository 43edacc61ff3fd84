// A schedule as JSON: everything that is in it, and the dependencies derived from it.
#pragma once

#include <string>

#include "algorithms/schedule/program.hpp"

namespace isthmus {

/// One object:
/// `{"ranks": 2, "programs": [{"rank": 0, "scratch": 0, "lanes": [{"one_send_at_a_time": false}], "operations": [
///   {"kind": "send", "lane": 0, "peer": 1, "from": {"buffer": "output", "offset": 0, "count": 7}, "after": []}]},
///   ...]}`
/// Offsets and counts are in elements. Of `peer`, `to`, `from`, `right` an operation has the members that its kind
/// uses. `after` lists, by index, the operations of the same program that must have completed before it.
std::string export_json(const Schedule& schedule);

}  // namespace isthmus
