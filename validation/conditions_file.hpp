// The conditions of an emulated network, as people write them down.
#pragma once

#include <string>

#include "emulator/conditions.hpp"

namespace isthmus {

/// Reads a JSON file: `seed`, `links`, `changes`, `traffic` (emulator/README.md). Throws BadInput, `FILE: KEY: ...`.
Conditions read_conditions(const std::string& file);

}  // namespace isthmus
