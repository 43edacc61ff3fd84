// What the standard output is, for tables that suit it.
#pragma once

#include <cstddef>
#include <string>

namespace isthmus {

/// How text is shown: with ANSI colours or without, in at most so many columns (0: no limit), with symbols beyond ASCII
/// or without.
struct Look {
  Look(bool has_colour = false, std::size_t max_width = 0, bool has_symbols = true)
      : colour(has_colour), width(max_width), symbols(has_symbols) {}
  bool colour;
  std::size_t width;
  bool symbols;
};

/// Of the standard output: a terminal has colours, its own width, and symbols if the locale's characters are UTF-8;
/// else there are no colours, the width is that of the variable COLUMNS, or 80, and there are symbols.
Look look_of_output();

/// The text, whose bars and arrows are characters of ASCII where the look has no symbols.
std::string with_symbols_of(Look look, std::string text);

}  // namespace isthmus
