// The files of the machine that an emulated host sees.
#pragma once

#include <string>
#include <vector>

namespace isthmus {

/// Everything is visible, read-only; /tmp, /var/tmp and /dev/shm are the host's own, in memory. With a `root`, a host
/// sees that folder as its whole file system, and its writes there stay in memory; of the machine's files it sees the
/// writable folders and /run.
struct HostFiles {
  std::string root = {};
  std::string bundle = {};                 ///< the OCI bundle of that root, or empty: see bundle.hpp
  std::vector<std::string> writable = {};  ///< folders of the machine that hosts may write to
  std::vector<std::string> shown = {};     ///< files and folders that are visible even below /tmp or /var/tmp
};

}  // namespace isthmus
