#include "emulator/agent/links/traffic.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <vector>

#include "emulator/agent/links/clock.hpp"

namespace isthmus {
namespace {

constexpr int discard_port = 9;

}  // namespace

void send_traffic(AmbientTimes times, const RunningContainer& from, const std::string& to_address,
                  const RunningContainer& to) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(discard_port);
  inet_pton(AF_INET, to_address.c_str(), &address.sin_addr);
  const auto* const generic = reinterpret_cast<const sockaddr*>(&address);
  const Descriptor sink = to.open_socket(SOCK_DGRAM);
  static_cast<void>(bind(sink.get(), generic, sizeof address));  // another flow may have bound it already
  const Descriptor source = from.open_socket(SOCK_DGRAM);
  checked(connect(source.get(), generic, sizeof address), "connect ambient traffic");

  const std::vector<char> datagram(datagram_bytes);
  const std::int64_t start_ns = monotonic_ns();
  for (;;) {
    sleep_until_ns(start_ns + times.next_ns());
    // Datagrams that are refused or dropped are not sent again.
    if (send(source.get(), datagram.data(), datagram.size(), MSG_NOSIGNAL) < 0) continue;
  }
}

}  // namespace isthmus
