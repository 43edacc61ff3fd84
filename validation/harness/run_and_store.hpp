// Keeping what a source gives as it comes.
#pragma once

#include <functional>
#include <vector>

#include "validation/harness/sources.hpp"
#include "validation/records/store.hpp"

namespace isthmus {

/// How a source is asked; run() unless a test says otherwise.
using RunSource = std::function<std::vector<Record>(Source, const RunRequest&, const OnRecord&)>;

/// Runs the request, and stores every record as it comes, so that a run that is interrupted loses none; once more at
/// the end, with what became known after the last point. When a run is refused after its last point, because the links
/// were not then what they had been, the store is as it was before. `on_kept` is called for each record.
std::vector<Record> run_and_store(Source source, const RunRequest& request, Store& store,
                                  const std::function<void()>& on_kept = {}, const RunSource& run_source = run);

}  // namespace isthmus
