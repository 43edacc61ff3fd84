// Settings of MPICH for an emulated network.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace isthmus {

/// Environment of the ranks, added to rank_environment(): messages only over TCP on the emulated network.
inline std::vector<std::pair<std::string, std::string>> mpich_environment() {
  return {{"UCX_TLS", "tcp,self"},
          {"UCX_NET_DEVICES", "eth0"},
          {"UCX_WARN_UNUSED_ENV_VARS", "n"},
          {"MPIR_CVAR_NOLOCAL", "1"},
          {"MPIR_CVAR_POLLS_BEFORE_YIELD", "1"}};
}

}  // namespace isthmus
