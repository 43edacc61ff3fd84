// Runs a source and stores each record when it is complete.
#pragma once

#include <functional>
#include <vector>

#include "validation/harness/sources.hpp"
#include "validation/records/store.hpp"

namespace isthmus {

/// The function that runs a request; tests replace run() by another.
using RunSource = std::function<std::vector<Record>(Source, const RunRequest&, const OnRecord&)>;

/// Runs the request and stores every record as it comes: an interrupted run loses none. All are stored again at the
/// end, with what became known after the last point. If the links fail their second measurement the run is refused, and
/// the store is as it was before. `on_kept` is called for each record.
std::vector<Record> run_and_store(Source source, const RunRequest& request, Store& store,
                                  const std::function<void()>& on_kept = {}, const RunSource& run_source = run);

}  // namespace isthmus
