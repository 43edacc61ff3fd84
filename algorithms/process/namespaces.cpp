#include "algorithms/process/namespaces.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include "algorithms/process/system.hpp"

namespace isthmus {

void enter_namespaces(bool network) {
  const uid_t user = geteuid();
  const gid_t group = getegid();
  checked(unshare(CLONE_NEWNS | CLONE_NEWPID | (user == 0 ? 0 : CLONE_NEWUSER) |
                  (network ? CLONE_NEWNET | CLONE_NEWUTS | CLONE_NEWIPC : 0)),
          "make namespaces");
  if (user == 0) return;
  write_text("/proc/self/setgroups", "deny");
  write_text("/proc/self/uid_map", fmt::format("0 {} 1", user));
  write_text("/proc/self/gid_map", fmt::format("0 {} 1", group));
}

}  // namespace isthmus
