// What an OCI bundle says of a host that is made from it.
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

/// As whom, and within which limits, the programs of a bundle run.
struct Privileges {
  uid_t user = 0;
  gid_t group = 0;
  std::vector<gid_t> other_groups;
  std::vector<std::pair<int, rlimit>> limits;  ///< RLIMIT_..., and what it is
  bool no_new = false;                         ///< programs that give more rights give none
  std::optional<Capabilities> capabilities;    ///< nothing: those that the user has anyway
  bool makes_devices = true;
};

struct Bundle {
  std::string root;                                              ///< its file system
  std::vector<std::pair<std::string, std::string>> environment;  ///< of what runs there
  Privileges privileges;
};

/// What the config.json of a bundle says. Throws BadInput, also for what would be left out: seccomp, hooks, profiles of
/// AppArmor and SELinux, kernel settings and limits of resources.
Bundle read_bundle(const std::string& folder);

}  // namespace isthmus
