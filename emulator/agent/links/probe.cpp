#include "emulator/agent/links/probe.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <ctime>

#include "algorithms/errors.hpp"

namespace isthmus {
namespace {

constexpr std::uint16_t near_port = 7;  // of the first host
constexpr std::uint16_t far_port = 8;   // of the second host, which may be the same
constexpr int batches = 5;
constexpr int max_rounds = 8;  // per batch; reading the clock costs time, in virtual time too
constexpr double longest_batch_s = 0.2;
constexpr int patience_ms = 10000;

std::int64_t now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

double seconds_since(std::int64_t start_ns) { return static_cast<double>(now_ns() - start_ns) * 1e-9; }

/// In virtual time, a measurement that starts at the same phase of the kernel's ticks is the same in each run.
void wait_for_whole_tick() {
  timespec instant{};
  clock_gettime(CLOCK_MONOTONIC, &instant);
  constexpr long tick_ns = 10'000'000;
  instant.tv_nsec = (instant.tv_nsec / tick_ns + 2) * tick_ns;
  if (instant.tv_nsec >= 1'000'000'000) {
    instant.tv_nsec -= 1'000'000'000;
    ++instant.tv_sec;
  }
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &instant, nullptr) == EINTR) {
  }
}

sockaddr_in address_of(const Container& container, std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  inet_pton(AF_INET, container.address.c_str(), &address.sin_addr);
  return address;
}

const sockaddr* generic(const sockaddr_in& address) { return reinterpret_cast<const sockaddr*>(&address); }

/// While it exists, this process has priority over all others except the delay line, if the user may have that: the
/// probe measures the links, not its own waits for a processor.
class Urgent {
 public:
  Urgent() {
    const sched_param urgent{.sched_priority = 5};
    sched_setscheduler(0, SCHED_FIFO, &urgent);
  }
  Urgent(const Urgent&) = delete;
  Urgent& operator=(const Urgent&) = delete;
  ~Urgent() {
    const sched_param usual{.sched_priority = 0};
    sched_setscheduler(0, SCHED_OTHER, &usual);
  }
};

class Prober {
 public:
  Prober(const Container& from, const Container& to, const RunningContainer& inside_from,
         const RunningContainer& inside_to)
      : from_(from), to_(to), inside_from_(inside_from), inside_to_(inside_to) {}

  /// Round trip in seconds, the median of batches; `expected_s`: about what it will be.
  double round_trip_s(double expected_s) const {
    const int rounds = std::clamp(static_cast<int>(longest_batch_s / std::max(expected_s, 1e-9)), 1, max_rounds);
    const Descriptor a = inside_from_.open_socket(SOCK_DGRAM);
    const Descriptor b = inside_to_.open_socket(SOCK_DGRAM);
    const sockaddr_in here = address_of(from_, near_port);
    const sockaddr_in there = address_of(to_, far_port);
    join(a, here, there);
    join(b, there, here);
    std::vector<double> times;
    wait_for_whole_tick();
    for (int batch = 0; batch < batches; ++batch) {
      const std::int64_t start_ns = now_ns();
      for (int round = 0; round < rounds; ++round) {
        pass(a, b);
        pass(b, a);
      }
      times.push_back(seconds_since(start_ns) / rounds);
    }
    std::sort(times.begin(), times.end());
    return times[batches / 2];
  }

  /// Whether a connection starts with a window that is wide enough for all, or opens it as it sends.
  enum class Window : std::uint8_t { wide, opens };

  /// For each of `sizes` (bytes), the seconds from the first byte sent to the last byte received.
  std::vector<double> transfers_s(const std::vector<std::size_t>& sizes, Window opening) const {
    const Descriptor listener = inside_to_.open_socket(SOCK_STREAM);
    const Descriptor a = inside_from_.open_socket(SOCK_STREAM);
    const sockaddr_in address = address_of(to_, far_port);
    const int yes = 1;  // the links are measured more than once
    checked(setsockopt(listener.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes), "use an address again");
    checked(bind(listener.get(), generic(address), sizeof address), "bind");
    checked(listen(listener.get(), 1), "listen");
    checked(connect(a.get(), generic(address), sizeof address), fmt::format("connect {} to {}", from_.name, to_.name));
    const Descriptor b(checked(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC), "accept"));
    for (const int descriptor : {a.get(), b.get()}) {
      checked(fcntl(descriptor, F_SETFL, O_NONBLOCK), "make a socket non-blocking");
    }
    std::vector<double> times;
    const auto transfer = [&](std::size_t size) {
      const double seconds = transfer_s(a.get(), b.get(), size);
      await_answer(b.get(), a.get());
      return seconds;
    };
    if (opening == Window::opens) open_window(transfer, *std::ranges::max_element(sizes));
    for (const std::size_t size : sizes) times.push_back(transfer(size));
    return times;
  }

 private:
  /// Transfers until the window limits them no longer: two in succession then take equally long.
  template <typename Transfer>
  static void open_window(const Transfer& transfer, std::size_t size) {
    constexpr int max_transfers = 16;
    constexpr double same = 0.001;
    double before_s = transfer(size);
    for (int number = 1; number < max_transfers; ++number) {
      const double seconds = transfer(size);
      if (std::abs(seconds / before_s - 1) < same) return;
      before_s = seconds;
    }
  }

  [[noreturn]] void nothing_came() const {
    siginfo_t ended{};
    if (waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid != 0) {
      throw Refused("the emulation broke off: a container, or a process that delays its links, ended");
    }
    throw Refused(
        fmt::format("the probe from {} to {} got nothing through in {} s", from_.name, to_.name, patience_ms / 1000));
  }

  static void join(const Descriptor& socket, const sockaddr_in& here, const sockaddr_in& there) {
    checked(bind(socket.get(), generic(here), sizeof here), "bind");
    checked(connect(socket.get(), generic(there), sizeof there), "connect");
    const timeval patience{patience_ms / 1000, 0};
    checked(setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience), "limit a wait");
  }

  void pass(const Descriptor& from, const Descriptor& to) const {
    const char byte = 1;
    char got = 0;
    checked(send(from.get(), &byte, 1, 0), "send");
    const ssize_t count = recv(to.get(), &got, 1, 0);
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) nothing_came();
    checked(count, "receive");
  }

  /// Waits for an answer, which also acknowledges all data before it. Data sent sooner may wait for that
  /// acknowledgement, on a long line for longer than the transfer takes.
  void await_answer(int from, int to) const {
    char byte = 1;
    checked(send(from, &byte, 1, 0), "send");
    pollfd end{to, POLLIN, 0};
    if (checked(poll(&end, 1, patience_ms), "poll") == 0) nothing_came();
    checked(recv(to, &byte, 1, 0), "receive");
  }

  double transfer_s(int from, int to, std::size_t size) const {
    // Whole frames: TCP would hold back a partial one until the data before it are acknowledged.
    std::vector<char> buffer(std::size_t{45} * frame_payload_bytes);
    std::size_t sent = 0;
    std::size_t received = 0;
    wait_for_whole_tick();
    const std::int64_t start_ns = now_ns();
    while (received < size) {
      pollfd ends[] = {{to, POLLIN, 0}, {sent < size ? from : -1, POLLOUT, 0}};
      if (checked(poll(ends, 2, patience_ms), "poll") == 0) nothing_came();
      if (ends[1].revents != 0) {
        sent += static_cast<std::size_t>(
            checked(send(from, buffer.data(), std::min(buffer.size(), size - sent), 0), "send"));
      }
      if (ends[0].revents != 0) {
        received += static_cast<std::size_t>(checked(recv(to, buffer.data(), buffer.size(), 0), "receive"));
      }
    }
    return seconds_since(start_ns);
  }

  const Urgent urgent_;
  const Container &from_, &to_;
  const RunningContainer &inside_from_, &inside_to_;
};

/// Time to serialise the frame of the probe's datagram on these queues, in seconds.
double own_cost_s(const std::vector<Queue>& queues) {
  constexpr int datagram_frame_bytes = 14 + 20 + 8 + 1;  // Ethernet, IP, UDP, one byte
  double cost = 0;
  for (const Queue& queue : queues) {
    if (queue.payload_Bps > 0 && !queue.cut_through) {
      cost += 8.0 * datagram_frame_bytes / static_cast<double>(wire_rate_bps(queue.payload_Bps));
    }
  }
  return cost;
}

}  // namespace

double probe_latency_s(const ProbePair& pair, const EmulationPlan& plan,
                       const std::vector<RunningContainer>& containers) {
  const Prober prober(plan.containers[pair.from], plan.containers[pair.to], containers[pair.from], containers[pair.to]);
  return (prober.round_trip_s(2 * pair.latency_s) - own_cost_s(pair.forth) - own_cost_s(pair.back)) / 2;
}

Achieved probe(const ProbePair& pair, const EmulationPlan& plan, const std::vector<RunningContainer>& containers) {
  const Container& from = plan.containers[pair.from];
  const Container& to = plan.containers[pair.to];
  const Prober prober(from, to, containers[pair.from], containers[pair.to]);
  // Whole frames; the difference of two sizes excludes the latency and the start of the connection.
  const auto frames_in = [&](double seconds, double least) {
    constexpr double most = 3000;  // frames that fit into the receive buffer
    const double frames = std::clamp(pair.bandwidth_Bps * seconds / frame_payload_bytes, least, most);
    return static_cast<std::size_t>(frames) * frame_payload_bytes;
  };
  const std::size_t small = frames_in(0.05, 20);
  const std::size_t large = small + frames_in(0.3, 60);
  const double latency_s = probe_latency_s(pair, plan, containers);
  const std::vector<double> times =
      prober.transfers_s({small, small, large}, plan.lossless ? Prober::Window::wide : Prober::Window::opens);
  return {.from = from.name,
          .to = to.name,
          .asked_latency_s = pair.latency_s,
          .latency_s = latency_s,
          .asked_bandwidth_Bps = pair.bandwidth_Bps,
          .bandwidth_Bps = static_cast<double>(large - small) / (times[2] - times[1])};
}

}  // namespace isthmus
