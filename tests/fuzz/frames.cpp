// What comes to a forwarder over a connection: a greeting, then frames. The first byte says which of three hosts in a
// row has the forwarder, and whether the greeting of another one is sent before the input.
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstring>

#include "algorithms/forwarding/forwarder.hpp"
#include "tests/fuzz/input.hpp"
#include "tests/support/ports.hpp"

namespace isthmus {
namespace {

constexpr std::uint64_t key = 42;
constexpr int gateway = 1, hosts = 3;

using tests::address_here;
using tests::free_port;

/// Hosts without addresses: the forwarder connects to nobody.
ForwardingMap map_of(std::uint16_t port) {
  ForwardingMap map;
  map.key = key;
  for (int host = 0; host < hosts; ++host) map.hosts.push_back({"host" + std::to_string(host), {}, port});
  map.neighbours = {{gateway}, {0, 2}, {gateway}};
  return map;
}

/// A connection to the forwarder; reset in the end, so that its port is free at once.
class Peer {
 public:
  explicit Peer(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
    const linger at_once{1, 0};
    setsockopt(socket_.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    const sockaddr_in to = address_here(port);
    connect(socket_.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to);
  }

  void greet_as(int host) const {
    Greeting greeting;
    greeting.key = key;
    greeting.kind = Greeting::Kind::neighbour;
    greeting.host = host;
    give({reinterpret_cast<const char*>(&greeting), sizeof greeting});
  }
  void give(std::string_view bytes) const { (void)!send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL); }

 private:
  Descriptor socket_;
};

void run(Forwarder& forwarder) {
  constexpr int rounds = 4;  // to accept, to read the greeting, to read frames, to answer
  for (int round = 0; round < rounds; ++round) forwarder.step(0);
}

}  // namespace
}  // namespace isthmus

ISTHMUS_HARNESS(frames) {
  using namespace isthmus;
  static const std::uint16_t port = free_port();
  if (size == 0) return 0;
  const bool is_greeted = (data[0] & 1U) != 0;
  const int own = (data[0] & 2U) != 0 ? 0 : gateway;
  fuzz::answered([&] {
    Forwarder forwarder(map_of(port), own, {.stays = true, .statistics = {}});
    {
      const Peer other(port), sender(port);
      if (own == gateway) other.greet_as(2);
      if (is_greeted) sender.greet_as(own == gateway ? 0 : gateway);
      sender.give({reinterpret_cast<const char*>(data) + 1, size - 1});
      run(forwarder);
    }
    run(forwarder);
    fuzz::require(forwarder.statistics().forwarded_bytes <= size);
  });
  return 0;
}
