// Plans as tables show them.
#pragma once

#include <string>
#include <string_view>

namespace isthmus {

/// The text of a plan, or of its parameters, with the number of ways in place of a packing:
/// `packed:segment=64Ki,4 trees`, `packed:segment=none,12 paths`. Drivers, lag and slack are left out. Other texts are
/// unchanged.
std::string short_plan(std::string_view plan);

}  // namespace isthmus
