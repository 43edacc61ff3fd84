// A timeline in the Chrome trace event format, which Perfetto (https://ui.perfetto.dev) and chrome://tracing open.
#pragma once

#include <cstdint>
#include <string>

#include "algorithms/schedule/program.hpp"
#include "algorithms/schedule/timeline.hpp"

namespace isthmus {

/// Each rank is a process. Its operations are on threads `sends`, `receives` and `local`, with as many threads of each
/// as operations overlap in time. A receive is shown from the moment at which its message was sent; `issued_us` says
/// when it was posted. Arrows lead from each send to its receive. Times are microseconds in the file. Throws
/// std::out_of_range when the timeline names an operation that the schedule does not have.
std::string export_chrome_trace(const Schedule& schedule, const Timeline& timeline, std::int64_t element_bytes);

}  // namespace isthmus
