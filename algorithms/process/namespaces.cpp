#include "algorithms/process/namespaces.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include "algorithms/process/system.hpp"

namespace isthmus {

void enter_namespaces(bool network) {
  const uid_t user = geteuid();
  const gid_t group = getegid();
  const int wanted = CLONE_NEWNS | CLONE_NEWPID | (network ? CLONE_NEWNET | CLONE_NEWUTS | CLONE_NEWIPC : 0);
  if (user == 0 && unshare(wanted) == 0) return;
  checked(unshare(wanted | CLONE_NEWUSER), "make namespaces");
  write_text("/proc/self/setgroups", "deny");
  write_text("/proc/self/uid_map", fmt::format("0 {} 1", user));
  write_text("/proc/self/gid_map", fmt::format("0 {} 1", group));
}

}  // namespace isthmus
