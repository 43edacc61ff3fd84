// What is known of a record before it is run.
#pragma once

#include <optional>
#include <string>

#include "algorithms/models/parameters.hpp"
#include "validation/harness/request.hpp"
#include "validation/records/record.hpp"

namespace isthmus {

/// The model whose closed forms a source gives; none for the others.
std::optional<Model> model_of(Source source);

/// Why the source has no answer; empty where it has one. Closed forms exist only for some algorithms, and those of one
/// layer (all of Hockney, LogP, LogGP) only where all ranks are in one cluster; schedules for all but the MPI's own,
/// whose selectors each world has of its own. Models know no conditions, and SMPI no loss of frames and the like.
std::string why_unanswerable(Source source, const RunRequest& request, const RequestedPoint& point);
inline bool answers(Source source, const RunRequest& request, const RequestedPoint& point) {
  return why_unanswerable(source, request, point).empty();
}

/// The record of a point but for what only the run can tell: enough for its identity.
Record record_template(Source source, const RunRequest& request, const RequestedPoint& point);

}  // namespace isthmus
