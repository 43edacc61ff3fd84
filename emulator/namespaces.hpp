// The namespaces around a whole emulation: when their first process ends, so does everything in them.
#pragma once

#include <sched.h>
#include <unistd.h>

namespace isthmus {

/// For unshare(): mounts and processes, for anybody but the superuser inside a user namespace; `network` adds what an
/// emulation on the running kernel changes.
inline int containing_namespaces(bool network) {
  return CLONE_NEWNS | CLONE_NEWPID | (geteuid() == 0 ? 0 : CLONE_NEWUSER) |
         (network ? CLONE_NEWNET | CLONE_NEWUTS | CLONE_NEWIPC : 0);
}

}  // namespace isthmus
