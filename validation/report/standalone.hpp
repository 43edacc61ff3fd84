// A picture of the report as a file of its own.
#pragma once

#include <string>

#include "validation/report/markup.hpp"

namespace isthmus {

/// An SVG file with the report's colours in it: a picture as draw_network() and its like make it, or one that says that
/// there is nothing to be seen.
std::string standalone_svg(Element picture);

}  // namespace isthmus
