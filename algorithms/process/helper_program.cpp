#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "algorithms/errors.hpp"
#include "algorithms/process/child.hpp"

namespace isthmus {

std::string helper_folder() {
  if (const char* given = std::getenv("ISTHMUS_LIBEXEC"); given != nullptr && *given != '\0') return given;
  std::error_code unreadable;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe", unreadable).parent_path().parent_path();
  return (folder / "libexec/isthmus").string();
}

std::string helper_program(const std::string& name) {
  const std::string program = (std::filesystem::path(helper_folder()) / name).string();
  if (access(program.c_str(), X_OK) != 0) {
    throw Missing(
        fmt::format("{}: no such helper program; install isthmus whole, or set ISTHMUS_LIBEXEC to the folder that "
                    "holds it",
                    program));
  }
  return program;
}

}  // namespace isthmus
