// Datagrams between hosts, over UDP and IPv4: numbered frames of the size that fills an Ethernet frame.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "algorithms/process/descriptor.hpp"

namespace isthmus {

/// Where the datagrams of a socket go. Addresses and ports are in the byte order of the network.
struct DatagramAddress {
  std::uint32_t host = 0;
  std::uint16_t port = 0;
};

/// What a datagram says. Datagrams of other numbers are not for the receiver.
struct DatagramLabel {
  std::uint64_t receiver = 0;  ///< number that the receiver chose
  std::uint32_t series = 0;    ///< what it belongs to
  std::uint32_t number = 0;    ///< within its series
};

struct ArrivedDatagram {
  std::uint32_t series = 0, number = 0;
  double age_s = 0;  ///< since the kernel received it
};

/// Payload of a full datagram. On an Ethernet it fills a frame, as a frame of TCP that carries 1448 bytes.
inline constexpr int full_datagram_bytes = 1472;
inline constexpr int tcp_bytes_in_frame = 1448;

class DatagramSocket {
 public:
  /// Throws Refused when the kernel lets the user have none.
  DatagramSocket();

  /// A random whole number by which senders name this receiver; a double holds it exactly.
  std::uint64_t receiver() const { return receiver_; }
  std::uint16_t port() const { return port_; }
  /// The IPv4 addresses of this host without those of its loopback.
  static std::vector<std::uint32_t> own_addresses();

  /// A full datagram; waits for room. False when the kernel does not send it.
  bool send(const DatagramAddress& to, const DatagramLabel& label);
  /// The same, but without room for it the datagram is lost.
  void send_or_lose(const DatagramAddress& to, const DatagramLabel& label);
  /// The next datagram for this receiver; waits for at most so many seconds.
  std::optional<ArrivedDatagram> receive(double patience_s);

 private:
  bool send(const DatagramAddress& to, const DatagramLabel& label, int flags);

  Descriptor socket_;
  std::uint64_t receiver_ = 0;
  std::uint16_t port_ = 0;
  std::vector<char> buffer_;
};

}  // namespace isthmus
