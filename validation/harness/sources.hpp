// Sources: closed forms, replay, SMPI, emulation. Each turns requested points into records.
#pragma once

#include <functional>
#include <vector>

#include "validation/harness/record_template.hpp"
#include "validation/harness/request.hpp"
#include "validation/records/record.hpp"

namespace isthmus {

/// Called with the number of the point and its record as each finishes.
using OnRecord = std::function<void(std::size_t point, const Record&)>;

/// Runs all points of the request from one source and returns their records in order. Throws BadInput for a point that
/// the source cannot answer (see answers()), Refused when a run fails, Missing when the source is not to be had here.
/// Without a substrate by name, the emulated network takes the first there is, and its records name it.
std::vector<Record> run(Source source, const RunRequest& request, const OnRecord& on_record = {});

/// Replaces `auto` by the substrate that this machine would choose, so that records of two substrates have two
/// identities. Throws Missing when there is none.
void settle_substrate(RunRequest& request);

}  // namespace isthmus
