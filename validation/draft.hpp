// What is known of a record before it is run.
#pragma once

#include <optional>

#include "algorithms/models/parameters.hpp"
#include "validation/record.hpp"
#include "validation/request.hpp"

namespace isthmus {

/// The model whose closed forms a source gives; none for the others.
std::optional<Model> model_of(Source source);

/// Whether the source has an answer: closed forms exist only for some algorithms, and those of one layer (all of
/// Hockney, LogP, LogGP) only where all ranks are in one cluster; every other source answers all.
bool answers(Source source, const RunRequest& request, const RequestedPoint& point);

/// The record of a point but for what only the run can tell: enough for its identity.
Record draft(Source source, const RunRequest& request, const RequestedPoint& point);

}  // namespace isthmus
