// How MPICH has to be set for an emulated network.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace isthmus {

/// Environment of the ranks, beside that of any MPI: messages over TCP on the emulated network, and no other way.
inline std::vector<std::pair<std::string, std::string>> mpich_environment() {
  return {{"UCX_TLS", "tcp,self"},
          {"UCX_NET_DEVICES", "eth0"},
          {"UCX_WARN_UNUSED_ENV_VARS", "n"},
          {"MPIR_CVAR_NOLOCAL", "1"},
          {"MPIR_CVAR_POLLS_BEFORE_YIELD", "1"}};
}

}  // namespace isthmus
