// What an OCI bundle defines for the host that is made from it.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace isthmus {

/// Sets of capabilities, as bits by number.
struct Capabilities {
  std::uint64_t bounding = 0, permitted = 0, effective = 0, inheritable = 0, ambient = 0;
};

/// The user, groups, limits and capabilities of the programs of a bundle.
struct Privileges {
  uid_t user = 0;
  gid_t group = 0;
  std::vector<gid_t> other_groups;
  std::vector<std::pair<int, rlimit>> limits;  ///< RLIMIT_..., and its value
  bool no_new = false;                         ///< set-user-id programs give no more rights
  std::optional<Capabilities> capabilities;    ///< none: those that the user has anyway
  bool makes_devices = true;
};

struct Bundle {
  std::string root;                                              ///< its file system
  std::vector<std::pair<std::string, std::string>> environment;  ///< of its programs
  Privileges privileges;
};

/// Reads the config.json of a bundle. Throws BadInput, also for settings that emulated hosts do not have: seccomp,
/// hooks, profiles of AppArmor and SELinux, kernel settings and limits of resources.
Bundle read_bundle(const std::string& folder);

}  // namespace isthmus
