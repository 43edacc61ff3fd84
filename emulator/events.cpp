#include "emulator/events.hpp"

#include <fcntl.h>
#include <unistd.h>

#include "emulator/system.hpp"

namespace isthmus {

void tell(const nlohmann::json& event) {
  const std::string line = event.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace) + "\n";
  // Opened each time: a file of the machine outside is brought up to date when it is closed.
  const Descriptor file = open_file(events_file, O_WRONLY | O_APPEND | O_CREAT);
  if (checked(write(file.get(), line.data(), line.size()), "tell") != static_cast<ssize_t>(line.size())) {
    throw_errno("tell all");
  }
}

void tell_progress(const std::string& text) { tell({{"progress", text}}); }

}  // namespace isthmus
