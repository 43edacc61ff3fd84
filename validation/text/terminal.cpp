#include "validation/text/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace isthmus {

Look look_of_output() {
  constexpr std::size_t usual_width = 80, min_width = 40;
  Look look{isatty(STDOUT_FILENO) != 0, usual_width};
  winsize size{};
  if (look.colour && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    look.width = size.ws_col;
  } else if (const char* columns = std::getenv("COLUMNS"); columns != nullptr && std::atoi(columns) > 0) {
    look.width = static_cast<std::size_t>(std::atoi(columns));
  }
  if (look.width < min_width) look.width = min_width;
  return look;
}

}  // namespace isthmus
