// What the standard output is, for tables that suit it.
#pragma once

#include <cstddef>

namespace isthmus {

/// How text is shown: with ANSI colours or without, in at most so many columns (0: no limit).
struct Look {
  Look(bool has_colour = false, std::size_t max_width = 0) : colour(has_colour), width(max_width) {}
  bool colour;
  std::size_t width;
};

/// Of the standard output: a terminal has colours and its own width; else there are no colours, and the width is that
/// of the variable COLUMNS, or 80.
Look look_of_output();

}  // namespace isthmus
