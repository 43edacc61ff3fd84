#include "emulator/agent/containers/rootfs_check.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <regex>

#include "algorithms/errors.hpp"
#include "algorithms/process/system.hpp"
#include "emulator/protocol/agent_report.hpp"

namespace isthmus {
namespace {

struct Said {
  int status = 0;
  std::string text;
};

Said run_on(const RunningContainer& host, const std::vector<std::string>& argv) {
  auto [near, far] = make_pipe();
  const Descriptor nothing = open_file("/dev/null", O_RDONLY);
  const pid_t child = host.start(argv, nothing.get(), far.get(), far.get());
  far.close();
  Said said;
  said.text = read_text(near);
  said.status = wait_for(child);
  return said;
}

/// Makes the loader list the program's libraries, without starting the program.
void check_loads(const std::string& root, const NeededProgram& program, const RunningContainer& host) {
  setenv("LD_TRACE_LOADED_OBJECTS", "1", 1);
  const Said said = run_on(host, {program.path});
  unsetenv("LD_TRACE_LOADED_OBJECTS");
  constexpr int not_started = 127 << 8;  // the wait status when there was nothing to execute
  if (said.status == not_started && said.text.empty()) {
    throw BadInput(
        fmt::format("--rootfs {}: no {} in it that can be started (looked for in {}); with all that its "
                    "programs need it would be right",
                    root, program.name, std::getenv("PATH")));
  }
  std::smatch lacking;
  if (std::regex_search(said.text, lacking, std::regex("(\\S+) => not found"))) {
    throw BadInput(fmt::format("--rootfs {}: no {} in it, which {} needs", root, lacking[1].str(), program.name));
  }
}

}  // namespace

void check_rootfs(const std::string& root, const NeededProgram& program, const RunningContainer& host,
                  MessageSender& events) {
  if (program.path.empty()) return;
  if (program.started_by_mpi) {
    check_loads(root, {"mpirun", "mpirun"}, host);
    check_loads(root, {"orted", "orted (of Open MPI)"}, host);
    const Said said = run_on(host, {"mpirun", "--version"});
    const std::string first = said.text.substr(0, said.text.find('\n'));
    if (first.find("Open MPI") == std::string::npos) {
      throw BadInput(fmt::format("--rootfs {}: its mpirun is not Open MPI's: {}", root, first));
    }
    events.send(provenance_event("mpi", first));
  }
  check_loads(root, program, host);
}

}  // namespace isthmus
