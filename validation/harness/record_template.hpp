// The fields of a record that are known before the run.
#pragma once

#include <optional>
#include <string>

#include "algorithms/models/parameters.hpp"
#include "validation/harness/request.hpp"
#include "validation/records/record.hpp"

namespace isthmus {

/// The model of a source that evaluates closed forms; none for other sources.
std::optional<Model> model_of(Source source);

/// Why the source has no answer; empty if it has one.
/// - Closed forms exist for some algorithms only. Those of one layer (all of Hockney, LogP, LogGP) need all ranks in
///   one cluster.
/// - The replay has no schedule of the MPI's own collectives; SMPI and the emulated MPI have different selectors.
/// - Models take no conditions; SMPI takes those that need no frames (no loss, reordering, duplication).
std::string why_unanswerable(Source source, const RunRequest& request, const RequestedPoint& point);
inline bool answers(Source source, const RunRequest& request, const RequestedPoint& point) {
  return why_unanswerable(source, request, point).empty();
}

/// The record of a point without results: all that its identity needs.
Record record_template(Source source, const RunRequest& request, const RequestedPoint& point);

}  // namespace isthmus
