// Plans as tables show them.
#pragma once

#include <string>
#include <string_view>

namespace isthmus {

/// What pieces of a packing are timed by, which short texts leave out.
inline constexpr std::string_view timing_of_packings[] = {"drivers", "lag", "slack", "credit", "lines"};

/// The text of a plan, or of its parameters, with the number of ways in place of a packing:
/// `packed:segment=64Ki,4 trees`, `packed:segment=none,12 paths`. What its pieces are timed by is left out. Other texts
/// are unchanged.
std::string short_plan(std::string_view plan);

}  // namespace isthmus
