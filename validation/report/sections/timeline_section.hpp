// One schedule of the experiment: its replay as a timeline, and who sends to whom.
#pragma once

#include "validation/harness/experiment.hpp"
#include "validation/harness/harness.hpp"
#include "validation/report/markup.hpp"

namespace isthmus {

/// Adds both pictures of the plan that the experiment asks for, on the ranks of the scene. Throws BadInput if the plan
/// does not fit them.
void add_timeline(Element& section, const TimelineRequest& request, const Experiment& experiment, const Scene& scene);

}  // namespace isthmus
