// Settings of MPICH for an emulated network.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "algorithms/network/network.hpp"

namespace isthmus {

/// Environment of the ranks, added to rank_environment(): messages only over TCP on the emulated network, up to the
/// transport's eager size sent at once.
inline std::vector<std::pair<std::string, std::string>> mpich_environment(const Transport& transport) {
  return {{"UCX_TLS", "tcp,self"},     {"UCX_RNDV_THRESH", std::to_string(transport.eager_bytes + 1)},
          {"UCX_NET_DEVICES", "eth0"}, {"UCX_WARN_UNUSED_ENV_VARS", "n"},
          {"MPIR_CVAR_NOLOCAL", "1"},  {"MPIR_CVAR_POLLS_BEFORE_YIELD", "1"}};
}

}  // namespace isthmus
