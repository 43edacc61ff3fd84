// What is known of a record before it is run.
#pragma once

#include "validation/record.hpp"
#include "validation/request.hpp"

namespace isthmus {

/// Whether the source has an answer: closed forms exist only for some algorithms; every other source answers all.
bool answers(Source source, const RequestedPoint& point);

/// The record of a point but for what only the run can tell: enough for its identity.
Record draft(Source source, const RunRequest& request, const RequestedPoint& point);

}  // namespace isthmus
