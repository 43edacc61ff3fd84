// Datagrams between two sockets of this machine.
#include "algorithms/process/datagram_socket.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>

namespace isthmus {
namespace {

DatagramAddress on_this_machine(const DatagramSocket& socket) { return {htonl(INADDR_LOOPBACK), socket.port()}; }

TEST(DatagramSocket, ReceivesWhatIsSentToItWithSeriesNumberAndAge) {
  DatagramSocket one, other;
  for (std::uint32_t number = 0; number < 3; ++number)
    ASSERT_TRUE(one.send(on_this_machine(other), {other.receiver(), 7, number}));
  for (std::uint32_t number = 0; number < 3; ++number) {
    const auto datagram = other.receive(5);
    ASSERT_TRUE(datagram);
    EXPECT_EQ(datagram->series, 7U);
    EXPECT_EQ(datagram->number, number);
    EXPECT_GE(datagram->age_s, 0);
    EXPECT_LT(datagram->age_s, 60);
  }
}

TEST(DatagramSocket, PassesOverWhatIsForAnotherReceiverAndWaitsNoLongerThanTold) {
  DatagramSocket one, other;
  EXPECT_NE(one.receiver(), other.receiver());
  one.send_or_lose(on_this_machine(other), {one.receiver(), 1, 1});
  EXPECT_FALSE(other.receive(0.05));
  one.send_or_lose(on_this_machine(other), {one.receiver(), 1, 1});
  one.send_or_lose(on_this_machine(other), {other.receiver(), 2, 2});
  const auto datagram = other.receive(5);
  ASSERT_TRUE(datagram);
  EXPECT_EQ(datagram->series, 2U);
}

TEST(DatagramSocket, AddressesOfThisHostAreNotThoseOfItsLoopback) {
  for (const std::uint32_t address : DatagramSocket::own_addresses()) EXPECT_NE(ntohl(address) >> 24U, 127U);
}

TEST(DatagramSocket, SaysWhatTheKernelDoesNotSend) {
  DatagramSocket one;
  EXPECT_FALSE(one.send({htonl(INADDR_BROADCAST), one.port()}, {}));  // a broadcast needs permission
}

}  // namespace
}  // namespace isthmus
