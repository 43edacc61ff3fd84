// Where the numbers of a report come from: versions, settings, achieved figures of links.
#pragma once

#include "validation/report/markup.hpp"
#include "validation/report/report.hpp"

namespace isthmus {

/// Tables: the run, each source with its settings and versions, and the achieved figures of the emulated links.
Element provenance_section(const Experiment& experiment, const Outcome& outcome, const ReportContext& context);

}  // namespace isthmus
