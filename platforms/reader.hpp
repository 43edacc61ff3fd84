// Reads a SimGrid platform file into a network.
#pragma once

#include <string>

#include "algorithms/network/network.hpp"

namespace isthmus {

/// Reads SimGrid XML through SimGrid itself, in a child process, or a network JSON when the name ends in `.json`.
/// Throws BadInput, one line that begins with `file:line:` if the line is known; Missing when the helper program is not
/// found.
Network read_platform(const std::string& file);

}  // namespace isthmus
