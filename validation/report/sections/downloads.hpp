// What a reader takes from a report: the results as CSV, the platforms as XML.
#pragma once

#include "validation/harness/harness.hpp"
#include "validation/report/markup.hpp"

namespace isthmus {

/// A link to all records as CSV, which the page carries in itself. Figures have buttons of their own (report.js).
Element csv_download(const Experiment& experiment, const Outcome& outcome);

/// The text of a scene's platform file, folded in; empty text if it cannot be read any more.
Element platform_source(const Scene& scene);

}  // namespace isthmus
