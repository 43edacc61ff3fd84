#include "algorithms/process/datagram_socket.hpp"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <ctime>
#include <memory>
#include <random>

#include "algorithms/process/control_message.hpp"
#include "algorithms/process/system.hpp"

namespace isthmus {
namespace {

constexpr int buffer_bytes = 8 << 20;  // asked for; the kernel may give less

sockaddr_in socket_address(const DatagramAddress& to) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = to.host;
  address.sin_port = to.port;
  return address;
}

double seconds(const timespec& time) {
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// How long ago the kernel received a message; 0 where it does not say.
double age_s(const std::optional<timespec>& stamp) {
  if (!stamp) return 0;
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return std::max(0.0, seconds(now) - seconds(*stamp));
}

}  // namespace

DatagramSocket::DatagramSocket()
    : socket_(checked(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), "open a socket for datagrams")),
      buffer_(full_datagram_bytes) {
  sockaddr_in any = socket_address({htonl(INADDR_ANY), 0});
  checked(bind(socket_.get(), reinterpret_cast<const sockaddr*>(&any), sizeof any), "bind a socket for datagrams");
  socklen_t size = sizeof any;
  checked(getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&any), &size), "read a socket's port");
  port_ = any.sin_port;
  const int yes = 1;
  checked(setsockopt(socket_.get(), SOL_SOCKET, SO_TIMESTAMPNS, &yes, sizeof yes), "have datagrams time-stamped");
  for (const int option : {SO_RCVBUF, SO_SNDBUF})
    setsockopt(socket_.get(), SOL_SOCKET, option, &buffer_bytes, sizeof buffer_bytes);
  std::random_device random;
  constexpr std::uint64_t exact_in_double = (std::uint64_t{1} << 53U) - 1;
  receiver_ = (std::uint64_t{random()} << 32U | random()) & exact_in_double;
}

std::vector<std::uint32_t> DatagramSocket::own_addresses() {
  ifaddrs* first = nullptr;
  checked(getifaddrs(&first), "read the host's addresses");
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> all(first, &freeifaddrs);
  std::vector<std::uint32_t> addresses;
  for (const ifaddrs* one = first; one != nullptr; one = one->ifa_next) {
    const bool is_usable = (one->ifa_flags & IFF_UP) != 0 && (one->ifa_flags & IFF_LOOPBACK) == 0;
    if (one->ifa_addr == nullptr || one->ifa_addr->sa_family != AF_INET || !is_usable) continue;
    sockaddr_in address{};
    std::memcpy(&address, one->ifa_addr, sizeof address);
    addresses.push_back(address.sin_addr.s_addr);
  }
  return addresses;
}

bool DatagramSocket::send(const DatagramAddress& to, const DatagramLabel& label) { return send(to, label, 0); }

void DatagramSocket::send_or_lose(const DatagramAddress& to, const DatagramLabel& label) {
  static_cast<void>(send(to, label, MSG_DONTWAIT));
}

bool DatagramSocket::send(const DatagramAddress& to, const DatagramLabel& label, int flags) {
  const sockaddr_in address = socket_address(to);
  std::memcpy(buffer_.data(), &label, sizeof label);
  for (;;) {
    const ssize_t sent = sendto(socket_.get(), buffer_.data(), buffer_.size(), flags,
                                reinterpret_cast<const sockaddr*>(&address), sizeof address);
    if (sent >= 0 || errno != EINTR) return sent >= 0;
  }
}

std::optional<ArrivedDatagram> DatagramSocket::receive(double patience_s) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  for (;;) {
    pollfd arriving{socket_.get(), POLLIN, 0};
    const double waited_s = std::chrono::duration<double>(Clock::now() - start).count();
    const double left_s = std::max(0.0, patience_s - waited_s);
    const timespec patience{static_cast<time_t>(left_s), static_cast<long>(1e9 * (left_s - std::floor(left_s)))};
    if (ppoll(&arriving, 1, &patience, nullptr) <= 0) return std::nullopt;
    DatagramLabel label;
    ControlMessage<sizeof(timespec)> message(&label, sizeof label);
    const ssize_t size = recvmsg(socket_.get(), message.get(), MSG_DONTWAIT);
    if (size < static_cast<ssize_t>(sizeof label) || label.receiver != receiver_) continue;
    return ArrivedDatagram{label.series, label.number, age_s(message.stamp())};
  }
}

}  // namespace isthmus
