// Pictures of a schedule for Graphviz's dot.
#pragma once

#include <cstdint>
#include <string>

#include "algorithms/schedule/program.hpp"

namespace isthmus {

/// Every operation: a cluster for each rank with its operations from top to bottom, grey arrows for derived
/// dependencies, coloured arrows for messages. For small schedules.
std::string export_graphviz(const Schedule& schedule);

/// Who sends to whom: one node a rank, an arrow for each pair that exchanges messages, labelled with their number (when
/// more than one) and bytes. A broadcast over a tree appears as that tree.
std::string export_graphviz_ranks(const Schedule& schedule, std::int64_t element_bytes);

}  // namespace isthmus
