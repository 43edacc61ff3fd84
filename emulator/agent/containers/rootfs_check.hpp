// Checks that the hosts' own root file system contains what is to run there.
#pragma once

#include <string>

#include "emulator/agent/containers/container.hpp"
#include "emulator/protocol/messages.hpp"

namespace isthmus {

struct NeededProgram {
  std::string path;  ///< in the root, or a name in PATH; empty: none
  std::string name;  ///< as the user knows it
  bool started_by_mpi = false;
};

/// Throws BadInput naming what is missing in `root`, the root of `host`: the MPI, the program, a library of either.
/// Reports the version of the MPI.
void check_rootfs(const std::string& root, const NeededProgram& program, const RunningContainer& host,
                  MessageSender& events);

}  // namespace isthmus
