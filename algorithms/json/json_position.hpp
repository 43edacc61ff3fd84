// Where a value stands in the text of a JSON file, for error messages.
#pragma once

#include <string>
#include <string_view>

namespace isthmus {

/// The line (from 1) on which the value of a JSON pointer (RFC 6901, keys without `~` and `/`) begins in valid JSON
/// text; where the value is absent, the line of the innermost enclosing one that is there.
int line_of_json_pointer(std::string_view text, std::string_view pointer);

}  // namespace isthmus
