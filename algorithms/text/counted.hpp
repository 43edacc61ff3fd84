// A number of things as it is written: `1 rank`, `2 ranks`.
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <string>
#include <string_view>

namespace isthmus {

/// `noun` in the singular; its plural ends in s.
template <std::integral Number>
std::string counted(Number number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

}  // namespace isthmus
