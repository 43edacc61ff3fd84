// The four ways to a number: each turns requested points into records.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "validation/draft.hpp"
#include "validation/record.hpp"
#include "validation/request.hpp"

namespace isthmus {

/// Called with the number of the point as each finishes. What a source learns only at the end of its run (the achieved
/// figures of a probe) stands in the records that run() returns, which are otherwise the same.
using OnRecord = std::function<void(std::size_t point, const Record&)>;

/// Runs all points of the request from one source and returns their records in order. Throws BadInput for a point that
/// the source cannot answer (see answers()), Refused when a run fails, Missing when the source is not to be had here.
std::vector<Record> run(Source source, const RunRequest& request, const OnRecord& on_record = {});

}  // namespace isthmus
