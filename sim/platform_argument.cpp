#include "sim/platform_argument.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "algorithms/errors.hpp"

namespace isthmus {

std::string platform_argument(const std::string& file) {
  if (!std::filesystem::is_regular_file(file) && !file.ends_with(".json"))
    throw BadInput(
        fmt::format("{}: cannot be simulated; a SimGrid platform (.xml) or a network (.json) would be right", file));
  return file.starts_with('-') ? "./" + file : file;
}

}  // namespace isthmus
