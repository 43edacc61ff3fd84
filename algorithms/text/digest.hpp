// A short name for a long text.
#pragma once

#include <string>
#include <string_view>

namespace isthmus {

/// FNV-1a, 64 bits, hexadecimal: identifies a text; not cryptographic.
std::string digest(std::string_view text);

}  // namespace isthmus
