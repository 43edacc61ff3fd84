// What a host of the emulation sees of the machine's files.
#pragma once

#include <string>
#include <vector>

namespace isthmus {

/// Everything is there, read-only; /tmp, /var/tmp and /dev/shm are the host's own, in memory. With a `root` of its own
/// a host sees that folder as its whole file system, and what it writes there stays in its memory; of the machine's it
/// sees the writable folders and /run.
struct HostFiles {
  std::string root = {};
  std::string bundle = {};                 ///< an OCI bundle, whose root that is: see bundle.hpp
  std::vector<std::string> writable = {};  ///< folders that are the machine's own, to be written to
  std::vector<std::string> shown = {};     ///< files and folders to be seen even where they lie below /tmp or /var/tmp
};

}  // namespace isthmus
