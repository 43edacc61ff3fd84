// What a host of the emulation sees of the machine's files.
#pragma once

#include <string>
#include <vector>

namespace isthmus {

/// Everything is there, read-only; /tmp, /var/tmp and /dev/shm are the host's own, in memory.
struct HostFiles {
  std::vector<std::string> writable = {};  ///< folders that are the machine's own, to be written to
  std::vector<std::string> shown = {};     ///< files and folders to be seen even where they lie below /tmp or /var/tmp
};

/// Turns the mounts of the calling process, which must be its own, into those of a host.
void furnish_files(const HostFiles& files);

}  // namespace isthmus
