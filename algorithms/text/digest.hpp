// A short name for a long text.
#pragma once

#include <string>
#include <string_view>

namespace isthmus {

/// FNV-1a, 64 bits, hexadecimal: it tells texts apart, and is no protection against malice.
std::string digest(std::string_view text);

}  // namespace isthmus
