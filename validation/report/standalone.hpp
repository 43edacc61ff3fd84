// A picture of the report as a standalone SVG file.
#pragma once

#include <string>

#include "validation/report/markup.hpp"

namespace isthmus {

/// An SVG file with the report's colours: a picture from draw_network() or another draw_ function; if that is empty,
/// one that says that there is nothing to draw.
std::string standalone_svg(Element picture);

}  // namespace isthmus
