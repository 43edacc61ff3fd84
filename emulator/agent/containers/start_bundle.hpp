// Hosts that are made from an OCI bundle, by crun.
#pragma once

#include <sys/types.h>

#include <string>

#include "emulator/protocol/host_files.hpp"

namespace isthmus {

/// Has crun make a container as the bundle says, but for what an emulated host has of its own: name, network (a
/// namespace's path), /etc/hosts, writable folders; what it writes elsewhere stays in memory. Returns its first
/// process, which waits. Throws Refused with crun's words.
pid_t start_bundle(const HostFiles& files, const std::string& name, const std::string& network,
                   const std::string& hosts_file);

}  // namespace isthmus
