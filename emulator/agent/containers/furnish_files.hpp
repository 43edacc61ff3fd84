// The mounts of a host.
#pragma once

#include <string>

#include "emulator/protocol/host_files.hpp"

namespace isthmus {

/// Mounts a layer in memory over a folder, below `place`, which it makes. Returns where both are seen as one.
std::string layer_over(const std::string& folder, const std::string& place);

/// Turns the mounts of the calling process, which must be its own, into those of a host.
void furnish_files(const HostFiles& files);

}  // namespace isthmus
