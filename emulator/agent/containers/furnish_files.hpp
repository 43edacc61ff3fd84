// The mounts of a host.
#pragma once

#include <string>

#include "emulator/protocol/host_files.hpp"

namespace isthmus {

/// Makes `place`, and mounts there an overlay: `folder` below, a layer in memory above. Returns the path of the whole.
std::string layer_over(const std::string& folder, const std::string& place);

/// Sets up the mounts of a host in the calling process, which needs its own mount namespace.
void furnish_files(const HostFiles& files);

}  // namespace isthmus
