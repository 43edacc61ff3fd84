#include "emulator/substrates/substrate.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string_view>

#include "algorithms/errors.hpp"
#include "algorithms/process/namespaces.hpp"

namespace isthmus {

bool namespaces_allowed(bool network) {
  const pid_t child = fork();
  if (child == 0) {
    try {
      enter_namespaces(network);
    } catch (const std::exception&) {
      _exit(1);
    }
    _exit(0);
  }
  int status = 1;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return child > 0 && status == 0;
}

Substrate choose_substrate(const std::string& name) {
  struct Kind {
    const char* name;
    Availability (*look)();
  };
  constexpr Kind kinds[] = {{"native", native_substrate},
                            {"virtual", virtual_substrate},
                            {"uml", uml_substrate},
                            {"delay-line", delay_line_substrate}};
  std::string reasons;
  bool known = name == "auto";
  for (const Kind& kind : kinds) {
    const bool may_be_chosen = std::string_view(kind.name) != "delay-line";  // real time, shared with all else
    if (name == "auto" ? !may_be_chosen : name != kind.name) continue;
    known = true;
    Availability found = kind.look();
    if (found.substrate) return *std::move(found.substrate);
    reasons += fmt::format("{}{}: {}", reasons.empty() ? "" : "; ", kind.name, found.reason);
  }
  if (!known)
    throw BadInput(fmt::format("substrate `{}`: unknown; one of auto, native, virtual, uml, delay-line", name));
  throw Missing(fmt::format("no substrate to emulate on: {}", reasons));
}

}  // namespace isthmus
