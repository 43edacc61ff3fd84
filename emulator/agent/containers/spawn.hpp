// How an MPI's daemons are started in containers: isthmus-enter asks, over a socket, the process that made them.
#pragma once

#include <cstdint>

namespace isthmus {

/// isthmus-enter HOST COMMAND... replaces ssh: it sends its standard descriptors with `HOST\0COMMAND` as one packet,
/// and ends with the exit status in the answer.
inline constexpr const char* spawn_socket = "/run/isthmus/spawn";
inline constexpr int spawn_request_bytes = 65536;
using SpawnAnswer = std::int32_t;

}  // namespace isthmus
