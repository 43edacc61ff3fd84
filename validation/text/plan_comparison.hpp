// Plans side by side, with the bound and ratios.
#pragma once

#include <span>
#include <string>

#include "validation/records/record.hpp"
#include "validation/text/terminal.hpp"

namespace isthmus {

/// A block for each source, platform and collective: for each size the time of every plan as asked for, the lower
/// bound, the time over the bound, and the speed-up over the plan that was asked for as `baseline` (without the
/// collective); below it the geometric means of the speed-ups. With repetitions half the 95 % confidence interval of
/// the median too.
std::string plan_comparison(std::span<const Record> records, const std::string& baseline, Look look);

}  // namespace isthmus
