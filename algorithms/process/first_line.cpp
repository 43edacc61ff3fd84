#include "algorithms/process/first_line.hpp"

#include "algorithms/process/child.hpp"

namespace isthmus {

std::string first_line_of(const std::vector<std::string>& argv) {
  std::string first;
  ChildOptions listening;
  listening.on_line = [&](const std::string& line) {
    if (first.empty()) first = line;
  };
  run_child(argv, listening);
  return first;
}

}  // namespace isthmus
