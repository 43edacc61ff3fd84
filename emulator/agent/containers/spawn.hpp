// How Open MPI's daemons get into their containers: a program asks, over a socket, the process that made them.
#pragma once

#include <cstdint>

namespace isthmus {

/// isthmus-enter HOST COMMAND...: takes the place of ssh. Sends its standard descriptors with `HOST\0COMMAND` as one
/// packet, and ends with the exit status that comes back.
inline constexpr const char* spawn_socket = "/run/isthmus/spawn";
inline constexpr int spawn_request_bytes = 65536;
using SpawnAnswer = std::int32_t;

}  // namespace isthmus
