// The file format of conditions.
#pragma once

#include <string>

#include "algorithms/network/conditions.hpp"

namespace isthmus {

/// Reads a JSON file: `seed`, `links`, `changes`, `traffic`, `tcp` (emulator/README.md). Throws BadInput.
Conditions read_conditions(const std::string& file);

}  // namespace isthmus
