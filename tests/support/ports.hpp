// Addresses and ports of this machine, for tests that listen.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>
#include <random>

#include "algorithms/process/descriptor.hpp"

namespace isthmus::tests {

inline sockaddr_in address_here(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

/// Another port at each call, which is free now, and which the kernel gives to no connection (those are from 32768 on).
inline std::uint16_t free_port() {
  constexpr int first = 10000, last = 32000;
  static int next = first + static_cast<int>(std::random_device{}() % (last - first));
  for (;;) {
    next = next < last ? next + 1 : first;
    const Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const sockaddr_in address = address_here(static_cast<std::uint16_t>(next));
    if (bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
      return static_cast<std::uint16_t>(next);
  }
}

}  // namespace isthmus::tests
