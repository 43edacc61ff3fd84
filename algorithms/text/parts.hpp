// A text cut where a character stands.
#pragma once

#include <string_view>
#include <vector>

namespace isthmus {

/// What lies between the separators, empty parts too: one part more than there are separators.
std::vector<std::string_view> parts_of(std::string_view text, char separator);

}  // namespace isthmus
