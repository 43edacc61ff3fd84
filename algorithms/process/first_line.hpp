// The first line that a program prints, as of `mpirun --version`.
#pragma once

#include <string>
#include <vector>

namespace isthmus {

/// Runs `argv` as run_child() does, which throws Missing. Empty if the program prints nothing.
std::string first_line_of(const std::vector<std::string>& argv);

}  // namespace isthmus
