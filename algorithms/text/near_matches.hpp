// What somebody may have meant by a name that is none.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace isthmus {

/// The least number of letters to insert, drop, change or swap with their neighbour that makes one text of the other.
int edit_distance(std::string_view a, std::string_view b);

/// "; did you mean `kielmann`?" for the known names nearest to `name`, if any is near; then, or else, all known names:
/// " (known: ...)". For the end of an error message.
std::string near_matches(std::string_view name, std::span<const std::string_view> known);

}  // namespace isthmus
