// isthmus-emulator: the agent of emulate(). `supervise` supervises an emulation; `agent` runs the emulation on the
// running kernel; as process 1 it runs the emulation in its own kernel.
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <string_view>

#include "algorithms/process/sanitizer.hpp"
#include "emulator/agent/agent.hpp"
#include "emulator/agent/supervisor.hpp"

#ifdef ISTHMUS_ADDRESS_SANITIZER
// The search for leaks does not work inside the namespaces.
extern "C" const char* __asan_default_options() { return "detect_leaks=0"; }
#endif

int main(int argc, char** argv) {
  const std::string_view role = argc == 2 ? argv[1] : "";
  try {
    if (role == "supervise") return isthmus::supervise();
    if (role == "agent") {
      isthmus::run_agent_work();
      return 0;
    }
    if (getpid() == 1) isthmus::boot();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "isthmus-emulator: %s\n", error.what());
    return 1;
  }
  std::fputs("isthmus-emulator: started by isthmus only\n", stderr);
  return 2;
}
