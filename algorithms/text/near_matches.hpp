// Suggestions for an unknown name.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace isthmus {

/// The edit distance of two texts: the least number of letters to insert, remove, replace or swap with their neighbour.
int edit_distance(std::string_view a, std::string_view b);

/// The end of an error message: "; did you mean `kielmann`?" with the known names nearest to `name`, if any is near;
/// then in any case " (known: ...)" with all known names, or the first `max_listed` of them, or as many as make a long
/// line, and how many more there are. Names are excerpts (printable.hpp).
std::string near_matches(std::string_view name, std::span<const std::string_view> known,
                         std::size_t max_listed = static_cast<std::size_t>(-1));

}  // namespace isthmus
