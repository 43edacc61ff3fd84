// Forwarders of several hosts in one process, with programs at their ends.
#include "algorithms/forwarding/forwarder.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <string>

#include "algorithms/errors.hpp"
#include "tests/support/ports.hpp"

namespace isthmus {
namespace {

constexpr std::uint32_t this_machine = 0x7f000001;

using tests::address_here;
using tests::free_port;

Descriptor listening_socket(std::uint16_t& port) {
  Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_in address = address_here(0);
  socklen_t size = sizeof address;
  EXPECT_EQ(bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), size), 0);
  EXPECT_EQ(listen(socket.get(), 100), 0);
  getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size);
  port = ntohs(address.sin_port);
  return socket;
}

// Position-dependent, so that a byte out of place shows.
char expected_byte(std::size_t place) { return static_cast<char>((place * 2654435761U) >> 13U); }

// foo0, then the gateways, then goo0: foo0 and goo0 have no route to each other.
class Forwarders : public testing::Test {
 protected:
  void start(int gateways, ForwardingLimits limits = {}) {
    const int count = gateways + 2;
    map_.limits = limits;
    map_.key = 42;
    goo_ = count - 1;
    for (int host = 0; host < count; ++host) {
      map_.hosts.push_back({"host" + std::to_string(host), {this_machine}, free_port()});
      map_.neighbours.emplace_back();
      for (int other = 0; other < count; ++other)
        if (other != host && (host % (count - 1) != 0 || other % (count - 1) != 0))
          map_.neighbours[host].push_back(other);
    }
    for (int host = 0; host < count; ++host) hosts_.push_back(std::make_unique<Forwarder>(map_, host));
    listener_ = listening_socket(port_);
  }

  void step() {
    for (const auto& host : hosts_)
      if (host) host->step(0);
  }

  Descriptor greet(Greeting greeting, int host = 0) {
    Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const sockaddr_in to = address_here(map_.hosts[host].port);
    EXPECT_EQ(connect(socket.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to), 0);
    EXPECT_EQ(send(socket.get(), &greeting, sizeof greeting, MSG_NOSIGNAL), static_cast<ssize_t>(sizeof greeting));
    return socket;
  }

  // A connection from foo0 to the program that listens on goo0.
  Descriptor open_to_goo() {
    Greeting greeting;
    greeting.key = map_.key;
    greeting.kind = Greeting::Kind::stream;
    greeting.host = goo_;
    greeting.address = this_machine;
    greeting.port = port_;
    greeting.source_address = 0x0a000001;
    greeting.source_port = 1234;
    return greet(greeting);
  }

  Descriptor watch(int host) {
    Greeting greeting;
    greeting.key = map_.key;
    greeting.host = host;
    Descriptor watcher = greet(greeting, host);
    EXPECT_EQ(told(watcher, 5), welcome_line);
    return watcher;
  }

  Descriptor accept_at_goo() {
    for (int turn = 0; turn < 10000; ++turn) {
      step();
      Descriptor socket(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (!socket.is_open()) continue;
      StreamEnds ends;
      EXPECT_EQ(recv(socket.get(), &ends, sizeof ends, MSG_WAITALL), static_cast<ssize_t>(sizeof ends));
      EXPECT_EQ(ends.source_address, 0x0a000001U);
      EXPECT_EQ(ends.source_port, 1234);
      return socket;
    }
    ADD_FAILURE() << "nobody connects";
    return Descriptor();
  }

  // Sends `bytes` from one end to the other; `halfway` is called once.
  template <typename Halfway>
  void transfer(const Descriptor& from, const Descriptor& to, std::size_t bytes, Halfway halfway) {
    std::string out;
    std::size_t sent = 0;
    std::size_t got = 0;
    bool was_halfway = false;
    const double end_s = forwarding_clock_s() + 20;
    while (got < bytes && forwarding_clock_s() < end_s) {
      out.clear();
      for (std::size_t i = sent; i < std::min(bytes, sent + 60000); ++i) out += expected_byte(i);
      const ssize_t count = send(from.get(), out.data(), out.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
      if (count > 0) sent += static_cast<std::size_t>(count);
      step();
      char in[65536];
      const ssize_t taken = recv(to.get(), in, sizeof in, MSG_DONTWAIT);
      for (ssize_t i = 0; i < taken; ++i) ASSERT_EQ(in[i], expected_byte(got + static_cast<std::size_t>(i)));
      if (taken > 0) got += static_cast<std::size_t>(taken);
      if (!was_halfway && got > bytes / 2) {
        was_halfway = true;
        halfway();
      }
    }
    EXPECT_EQ(got, bytes);
  }
  void transfer(const Descriptor& from, const Descriptor& to, std::size_t bytes) {
    transfer(from, to, bytes, [] {});
  }

  // What a watcher is told within a while.
  std::string told(const Descriptor& watcher, double seconds) {
    const double end_s = forwarding_clock_s() + seconds;
    while (forwarding_clock_s() < end_s) {
      step();
      char text[100];
      const ssize_t count = recv(watcher.get(), text, sizeof text, MSG_DONTWAIT);
      if (count > 0) return {text, static_cast<std::size_t>(count)};
    }
    return "";
  }

  ForwardingMap map_;
  std::vector<std::unique_ptr<Forwarder>> hosts_;
  int goo_ = 0;
  std::uint16_t port_ = 0;
  Descriptor listener_;
};

TEST_F(Forwarders, PassBytesOnInBothDirections) {
  start(1);
  const Descriptor foo = open_to_goo();
  const Descriptor goo = accept_at_goo();
  const auto segment = static_cast<int>(map_.limits.segment_bytes);
  for (const int bytes : {1, 16, 17, segment - 1, segment, segment + 1, 2 * segment, 65536, 1000003}) {
    transfer(foo, goo, bytes);
    transfer(goo, foo, bytes);
  }
  EXPECT_GE(hosts_[1]->statistics().forwarded_bytes, 2U * 1065000);
}

TEST_F(Forwarders, SpreadSegmentsOverTwoGateways) {
  start(2);
  const Descriptor foo = open_to_goo();
  const Descriptor goo = accept_at_goo();
  transfer(foo, goo, 4000000);
  for (const int gateway : {1, 2}) EXPECT_GT(hosts_[gateway]->statistics().forwarded_bytes, 1000000U);
}

TEST_F(Forwarders, TakeAnotherGatewayWhenOneDies) {
  start(2);
  const Descriptor foo = open_to_goo();
  const Descriptor goo = accept_at_goo();
  transfer(foo, goo, 4000000, [&] { hosts_[1].reset(); });
  transfer(goo, foo, 1000000);
}

TEST_F(Forwarders, TellBothEndsWhenTheLastGatewayDies) {
  start(1);
  const Descriptor here_watcher = watch(0);
  const Descriptor there_watcher = watch(goo_);
  const Descriptor foo = open_to_goo();
  const Descriptor goo = accept_at_goo();
  transfer(foo, goo, 1000);
  hosts_[1].reset();
  EXPECT_EQ(told(here_watcher, 5), "lost " + std::to_string(goo_) + "\n");
  EXPECT_EQ(told(there_watcher, 5), "lost 0\n");
  char byte = 0;
  EXPECT_LT(recv(foo.get(), &byte, 1, MSG_DONTWAIT), 0) << "the connection stays open, and silent";
}

TEST_F(Forwarders, TellWhoIsLostWhenNoGatewayStarts) {
  ForwardingLimits limits;
  limits.start_s = 0.2;
  start(1, limits);
  hosts_[1].reset();
  const Descriptor watcher = watch(0);
  const Descriptor foo = open_to_goo();
  EXPECT_EQ(told(watcher, 5), "lost " + std::to_string(goo_) + "\n");
}

// A program that waits for a message has no connection to the program that is to send it.
TEST_F(Forwarders, TellWatchersThatAHostTheyNeedIsLost) {
  start(1);
  const Descriptor watcher = watch(0);
  const std::string needs = need_line(goo_);
  ASSERT_GT(send(watcher.get(), needs.data(), needs.size(), MSG_NOSIGNAL), 0);
  EXPECT_EQ(told(watcher, 0.2), "");
  hosts_[1].reset();
  EXPECT_EQ(told(watcher, 5), lost_line(goo_));
}

TEST_F(Forwarders, TellNothingOfAHostThatAnotherGatewayReaches) {
  start(2);
  const Descriptor watcher = watch(0);
  std::string needs = need_line(goo_);
  needs += need_line(1) + need_line(100) + need_line(-1);
  ASSERT_GT(send(watcher.get(), needs.data(), needs.size(), MSG_NOSIGNAL), 0);
  EXPECT_EQ(told(watcher, 0.2), "");
  hosts_[1].reset();
  EXPECT_EQ(told(watcher, 0.5), "");
  hosts_[2].reset();
  EXPECT_EQ(told(watcher, 5), lost_line(goo_));
}

TEST_F(Forwarders, HoldNoMoreThanTheirBoundForReceiversThatSleep) {
  ForwardingLimits limits;
  limits.segment_bytes = 4096;
  limits.gateway_bytes = 65536;
  limits.window_bytes = 32768;
  start(1, limits);
  std::vector<Descriptor> sources;
  std::vector<Descriptor> targets;
  for (int i = 0; i < 16; ++i) {
    sources.push_back(open_to_goo());
    targets.push_back(accept_at_goo());
  }
  const std::string much(1U << 16U, 'x');
  for (int turn = 0; turn < 2000; ++turn) {
    for (const Descriptor& source : sources)
      (void)!send(source.get(), much.data(), much.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    step();
  }
  EXPECT_LE(hosts_[1]->statistics().most_held_bytes, limits.gateway_bytes);
  EXPECT_LE(hosts_[1]->statistics().forwarded_bytes, 16 * (limits.window_bytes + (1U << 23U)));
}

TEST_F(Forwarders, PassEndsAndResetsOn) {
  start(1);
  Descriptor foo = open_to_goo();
  Descriptor goo = accept_at_goo();
  transfer(foo, goo, 1000);
  shutdown(foo.get(), SHUT_WR);
  char byte = 0;
  ssize_t got = -1;
  for (int turn = 0; turn < 10000 && got != 0; ++turn) {
    step();
    got = recv(goo.get(), &byte, 1, MSG_DONTWAIT);
  }
  EXPECT_EQ(got, 0);
  transfer(goo, foo, 1000);
  goo.close();
  got = -1;
  for (int turn = 0; turn < 10000 && got != 0; ++turn) {
    step();
    got = recv(foo.get(), &byte, 1, MSG_DONTWAIT);
  }
  EXPECT_EQ(got, 0);
}

TEST_F(Forwarders, PassOverFramesThatAreWrong) {
  start(1);
  const Descriptor foo = open_to_goo();
  const Descriptor goo = accept_at_goo();
  Greeting greeting;
  greeting.key = map_.key;
  greeting.kind = Greeting::Kind::neighbour;
  greeting.host = 0;
  const Descriptor neighbour = greet(greeting, 1);
  for (const FrameKind kind : {FrameKind::segment, FrameKind::acknowledgement, FrameKind::edge_lost})
    for (const int hosts : {0, 1, 2, static_cast<int>(max_path_hosts)})
      for (const int position : {0, 1, 7, 8, 255}) {
        FrameHeader header;
        header.kind = kind;
        header.hosts = static_cast<std::uint8_t>(hosts);
        header.position = static_cast<std::uint8_t>(position);
        header.path = {1, 0, 65535};
        ASSERT_GT(send(neighbour.get(), &header, sizeof header, MSG_NOSIGNAL | MSG_DONTWAIT), 0);
        step();
      }
  transfer(foo, goo, 1000);
}

TEST_F(Forwarders, TellWatchersWithAnotherKeyThatTheyAreRefused) {
  start(1);
  Greeting greeting;
  greeting.key = 43;
  greeting.host = 0;
  EXPECT_EQ(told(greet(greeting), 5), refused_line);
}

TEST_F(Forwarders, RefuseConnectionsWithAnotherKey) {
  start(1);
  Greeting greeting;
  greeting.key = 43;
  greeting.host = goo_;
  greeting.kind = Greeting::Kind::stream;
  const Descriptor foo = greet(greeting);
  char byte = 0;
  ssize_t got = -1;
  for (int turn = 0; turn < 1000 && got < 0; ++turn) {
    step();
    got = recv(foo.get(), &byte, 1, MSG_DONTWAIT);
  }
  EXPECT_EQ(got, 0);
}

TEST_F(Forwarders, EndWhenNoProgramNeedsThem) {
  start(1);
  {
    const Descriptor here_watcher = watch(0);
    const Descriptor foo = open_to_goo();
    const Descriptor goo = accept_at_goo();
    transfer(foo, goo, 1000);
    EXPECT_TRUE(hosts_[1]->step(0));
  }
  const double end_s = forwarding_clock_s() + 5;
  bool ended[3] = {false, false, false};
  while (forwarding_clock_s() < end_s && !(ended[0] && ended[1] && ended[2]))
    for (int host = 0; host < 3; ++host)
      if (!ended[host]) ended[host] = !hosts_[host]->step(0);
  EXPECT_TRUE(ended[0] && ended[1] && ended[2]);
}

// Its programs may have ended and taken their watchers with them.
TEST_F(Forwarders, StayForAStreamThatNobodyWatches) {
  start(1);
  const Descriptor foo = open_to_goo();
  const Descriptor goo = accept_at_goo();
  const double end_s = forwarding_clock_s() + 0.5;  // an unneeded one ends after 0.3 s
  while (forwarding_clock_s() < end_s)
    for (const auto& host : hosts_) ASSERT_TRUE(host->step(0.01));
  transfer(foo, goo, 1000);
}

TEST_F(Forwarders, RefuseAPortThatIsTaken) {
  start(1);
  EXPECT_THROW(Forwarder(map_, 0), Refused);
}

}  // namespace
}  // namespace isthmus
