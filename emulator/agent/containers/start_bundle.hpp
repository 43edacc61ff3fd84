// Makes hosts from an OCI bundle, with crun.
#pragma once

#include <sys/types.h>

#include <string>

#include "emulator/protocol/host_files.hpp"

namespace isthmus {

/// Makes a container from the bundle with crun. These come from the emulated host instead: name, network (a namespace's
/// path), /etc/hosts, writable folders; what is written elsewhere stays in memory. Returns the first process, which
/// only waits. Throws Refused with crun's message.
pid_t start_bundle(const HostFiles& files, const std::string& name, const std::string& network,
                   const std::string& hosts_file);

}  // namespace isthmus
