#include "emulator/agent/links/packet_socket.hpp"

#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <sys/socket.h>

#include <utility>

#include "algorithms/process/system.hpp"

namespace isthmus {

int device_index(const std::string& device) {
  const unsigned index = if_nametoindex(device.c_str());
  if (index == 0) throw_errno("find device " + device);
  return static_cast<int>(index);
}

Descriptor packet_socket(const std::string& device, const PacketSocketOptions& options) {
  Descriptor made(checked(socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), "socket of " + device));
  const int yes = 1;
  if (options.passes_on) {
    checked(setsockopt(made.get(), SOL_PACKET, PACKET_VNET_HDR, &yes, sizeof yes), "keep checksums of " + device);
    setsockopt(made.get(), SOL_PACKET, PACKET_QDISC_BYPASS, &yes, sizeof yes);
  }
  checked(setsockopt(made.get(), SOL_PACKET, PACKET_IGNORE_OUTGOING, &yes, sizeof yes), "ignore own frames");
  checked(setsockopt(made.get(), SOL_SOCKET, SO_TIMESTAMPNS, &yes, sizeof yes), "stamp frames of " + device);
  for (const auto& [forced, plain] : {std::pair{SO_RCVBUFFORCE, SO_RCVBUF}, {SO_SNDBUFFORCE, SO_SNDBUF}}) {
    const int bytes = options.buffer_bytes;
    if (setsockopt(made.get(), SOL_SOCKET, forced, &bytes, sizeof bytes) != 0)
      setsockopt(made.get(), SOL_SOCKET, plain, &bytes, sizeof bytes);
  }
  sockaddr_ll address{};
  address.sll_family = AF_PACKET;
  address.sll_protocol = htons(ETH_P_ALL);
  address.sll_ifindex = device_index(device);
  checked(bind(made.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), "bind to " + device);
  return made;
}

}  // namespace isthmus
