// Pictures of networks as values, for other libraries to draw.
#pragma once

#include <pybind11/pybind11.h>

#include "algorithms/network/network.hpp"

namespace isthmus::python {

/// Sites, crossings and lines of site_map(). The ends of a line are indices: sites first, then crossings.
pybind11::dict site_map_of(const Network& network);

/// The picture of draw_network() as boxes, dots, lines and texts.
pybind11::dict drawing_of(const Network& network);

}  // namespace isthmus::python
