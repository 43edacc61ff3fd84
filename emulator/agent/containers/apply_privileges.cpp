#include "emulator/agent/containers/apply_privileges.hpp"

#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "algorithms/process/system.hpp"

namespace isthmus {
namespace {

/// Applies those capabilities of `sets` that are in `possible`.
void apply_capabilities(const Capabilities& sets, std::uint64_t possible) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
  for (int word = 0; word < _LINUX_CAPABILITY_U32S_3; ++word) {
    const auto part = [&](std::uint64_t set) { return static_cast<std::uint32_t>((set & possible) >> (32 * word)); };
    data[word] = {part(sets.effective), part(sets.permitted), part(sets.inheritable)};
  }
  checked(syscall(SYS_capset, &header, data), "take on the bundle's capabilities");
  for (int number = 0; number < 64; ++number) {
    if (((sets.ambient & possible) >> number & 1) == 0) continue;
    checked(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, number, 0, 0), "keep a capability in every program");
  }
}

}  // namespace

void apply_privileges(const Privileges& privileges) {
  for (const auto& [resource, limit] : privileges.limits) {
    checked(setrlimit(static_cast<__rlimit_resource_t>(resource), &limit),
            "limit what a program of the bundle may use");
  }
  constexpr std::uint64_t every = ~std::uint64_t{0}, of_devices = std::uint64_t{1} << CAP_MKNOD;
  const std::uint64_t possible = privileges.makes_devices ? every : ~of_devices;
  const std::uint64_t bounding = possible & (privileges.capabilities ? privileges.capabilities->bounding : every);
  for (int number = 0; number < 64 && prctl(PR_CAPBSET_READ, number) >= 0; ++number) {
    if ((bounding >> number & 1) == 0) checked(prctl(PR_CAPBSET_DROP, number), "drop a capability");
  }
  if (privileges.capabilities) checked(prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0), "keep capabilities");
  if (privileges.user != 0 || privileges.group != 0 || !privileges.other_groups.empty()) {
    checked(setgroups(privileges.other_groups.size(), privileges.other_groups.data()), "take on the bundle's groups");
    checked(setgid(privileges.group), "take on the bundle's group");
    checked(setuid(privileges.user), "become the bundle's user");
  }
  if (privileges.capabilities) apply_capabilities(*privileges.capabilities, possible);
  if (privileges.no_new) checked(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "ask for no new privileges");
}

}  // namespace isthmus
