// The lines of a text file, from whatever editor.
#pragma once

#include <string_view>
#include <vector>

namespace isthmus {

/// The lines of a text, without their ends (`\n` or `\r\n`) and without a byte-order mark of UTF-8 at its beginning.
/// The number of a line is its index plus one. An end of line at the very end begins no line of its own.
std::vector<std::string_view> lines_of(std::string_view text);

}  // namespace isthmus
