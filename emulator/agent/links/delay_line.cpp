#include "emulator/agent/links/delay_line.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <net/ethernet.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <memory>
#include <optional>
#include <random>

#include "algorithms/errors.hpp"
#include "algorithms/process/control_message.hpp"
#include "emulator/agent/links/packet_socket.hpp"

namespace isthmus {
namespace {

using Nanoseconds = std::int64_t;

Nanoseconds nanoseconds(const timespec& time) { return Nanoseconds{time.tv_sec} * 1'000'000'000 + time.tv_nsec; }

// The clock of the time stamps of incoming frames.
Nanoseconds stamp_clock_ns() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return nanoseconds(now);
}

// PACKET_VNET_HDR puts a struct virtio_net_hdr before each frame; its declaration is not valid C++.
constexpr std::size_t offload_header_bytes = 10;
constexpr std::size_t largest_frame = 2048;  // with that header, without segmentation offload
constexpr int socket_buffer_bytes = 256 << 20;
constexpr int at_once = 64;

struct Frame {
  Nanoseconds due = 0;
  Nanoseconds served = 0;    ///< end of serialisation (cut-through: start); the delay counts from here
  std::uint64_t number = 0;  ///< order of arrival, for frames due at the same time
  int hop = 0;
  std::size_t bytes = 0;
  std::unique_ptr<char[]> data;
};

struct Later {
  bool operator()(const Frame& a, const Frame& b) const { return a.due != b.due ? a.due > b.due : a.number > b.number; }
};

class DelayLine {
 public:
  DelayLine(const std::vector<DelayedHop>& hops, const HopTable& table, std::uint64_t seed)
      : table_(table), random_(seed) {
    for (const DelayedHop& hop : hops) {
      Hop made;
      made.in = socket_of(hop.from);
      made.out = socket_of(hop.to);
      made.cut_through = hop.queue.cut_through;
      made.both_ways = hop.queue.both_ways;
      made.ns_per_byte = table[hops_.size()].ns_per_byte;
      hops_.push_back(made);
      sources_.push_back({sockets_[made.in].second.get(), POLLIN, 0});
    }
  }

  [[noreturn]] void run() {
    for (;;) {
      follow_rates();
      send_due();
      if (wait()) {
        for (std::size_t i = 0; i < hops_.size(); ++i) {
          if (sources_[i].revents != 0) take_in(static_cast<int>(i));
        }
      }
    }
  }

 private:
  struct Hop {
    std::size_t in = 0, out = 0;  ///< sockets
    bool cut_through = false;
    bool both_ways = false;   ///< see Queue
    double ns_per_byte = 0;   ///< with which the waiting frames were timed
    double free_at_ns = 0;    ///< when the last byte so far is serialised, since epoch_
    std::int64_t frames = 0;  ///< that have come in and not left
  };

  std::size_t socket_of(const std::string& device) {
    const auto found = std::find_if(sockets_.begin(), sockets_.end(), [&](const auto& s) { return s.first == device; });
    if (found != sockets_.end()) return static_cast<std::size_t>(found - sockets_.begin());
    sockets_.emplace_back(device, packet_socket(device, {.buffer_bytes = socket_buffer_bytes, .passes_on = true}));
    return sockets_.size() - 1;
  }

  /// If the rate of a hop has changed, its waiting frames continue at the new rate: the remaining time until each
  /// is serialised is scaled by the ratio of the rates.
  void follow_rates() {
    for (std::size_t i = 0; i < hops_.size(); ++i) {
      Hop& hop = hops_[i];
      const double ns_per_byte = table_[i].ns_per_byte;
      if (hop.ns_per_byte == ns_per_byte) continue;
      const Nanoseconds now = stamp_clock_ns();
      const double stretch = hop.ns_per_byte > 0 ? ns_per_byte / hop.ns_per_byte - 1 : 0;
      hop.ns_per_byte = ns_per_byte;
      for (Frame& frame : waiting_) {
        if (frame.hop != static_cast<int>(i) || frame.served <= now) continue;
        const auto later = static_cast<Nanoseconds>(static_cast<double>(frame.served - now) * stretch);
        frame.served += later;
        frame.due += later;
      }
      hop.free_at_ns += std::max(0.0, hop.free_at_ns - static_cast<double>(now - epoch_)) * stretch;
      std::make_heap(waiting_.begin(), waiting_.end(), Later());
    }
  }

  void send_due() {
    while (!waiting_.empty()) {
      const Nanoseconds now = stamp_clock_ns();
      const Frame& first = waiting_.front();
      if (first.due > now) return;
      // The queue of the next device is full only for a moment: try until it has room.
      while (send(sockets_[hops_[first.hop].out].second.get(), first.data.get(), first.bytes, 0) < 0 &&
             (errno == ENOBUFS || errno == EAGAIN || errno == EINTR)) {
        sched_yield();
      }
      --hops_[first.hop].frames;
      std::pop_heap(waiting_.begin(), waiting_.end(), Later());
      spare_.push_back(std::move(waiting_.back().data));
      waiting_.pop_back();
    }
  }

  /// Waits until a frame comes in (true) or one is due. Sleeps end late, each by about as much as those before it: a
  /// sleep is shortened by that time, and the rest is spent reading the clock in a loop.
  bool wait() {
    if (waiting_.empty()) return ppoll(sources_.data(), sources_.size(), nullptr, nullptr) > 0;
    const Nanoseconds due = waiting_.front().due;
    const Nanoseconds sleep = due - stamp_clock_ns() - late_ns_;
    if (sleep <= 0) {
      const timespec none{0, 0};
      if (ppoll(sources_.data(), sources_.size(), &none, nullptr) > 0) return true;
      while (stamp_clock_ns() < due) {
      }
      return false;
    }
    const timespec timeout{sleep / 1'000'000'000, sleep % 1'000'000'000};
    const bool came = ppoll(sources_.data(), sources_.size(), &timeout, nullptr) > 0;
    if (!came) {
      const Nanoseconds late = stamp_clock_ns() - (due - late_ns_);
      constexpr Nanoseconds most = 150'000;  // a longer loop would take the processor from the ranks
      late_ns_ = std::clamp((late_ns_ * 7 + late) / 8, Nanoseconds{0}, most);
    }
    return came;
  }

  void take_in(int number) {
    const Hop& hop = hops_[number];
    for (int i = 0; i < at_once; ++i) {
      Frame frame;
      frame.data = buffer();
      frame.hop = number;
      frame.number = next_number_++;
      const Nanoseconds came = receive(sockets_[hop.in].second.get(), frame);
      if (came < 0) {
        spare_.push_back(std::move(frame.data));
        return;
      }
      pass_on(std::move(frame), came);
    }
  }

  bool by_chance(double chance) {
    return chance > 0 && (chance >= 1 || static_cast<double>(random_() >> 11) * 0x1p-53 < chance);
  }

  void pass_on(Frame frame, Nanoseconds came) {
    Hop& hop = hops_[frame.hop];
    const HopTable::Hop& now = table_[frame.hop];
    const std::int64_t limit = now.queue_frames;
    if (by_chance(now.loss) || (limit > 0 && hop.frames >= limit)) {
      spare_.push_back(std::move(frame.data));
      return;
    }
    const std::size_t bytes = frame.bytes - offload_header_bytes;
    const bool free = hop.both_ways && bytes == ETH_HLEN + acknowledgement_bytes;
    const double came_ns = static_cast<double>(came - epoch_);
    const double start_ns = free ? came_ns : std::max(came_ns, hop.free_at_ns);
    if (!free) hop.free_at_ns = start_ns + static_cast<double>(bytes) * hop.ns_per_byte;
    const double served_ns = hop.cut_through || free ? start_ns : hop.free_at_ns;
    double due_ns = served_ns + now.delay_ns;
    if (now.jitter_ns > 0) {
      due_ns += now.jitter_ns * (static_cast<double>(random_() >> 11) * 0x1p-52 - 1);
    }
    frame.served = epoch_ + static_cast<Nanoseconds>(served_ns);
    frame.due = by_chance(now.reorder) ? came : epoch_ + static_cast<Nanoseconds>(due_ns);
    if (by_chance(now.duplicate)) {
      Frame copy{frame.due, frame.served, next_number_++, frame.hop, frame.bytes, buffer()};
      std::copy_n(frame.data.get(), frame.bytes, copy.data.get());
      push(std::move(copy));
    }
    push(std::move(frame));
  }

  void push(Frame frame) {
    ++hops_[frame.hop].frames;
    waiting_.push_back(std::move(frame));
    std::push_heap(waiting_.begin(), waiting_.end(), Later());
  }

  /// Receives a frame; returns when it came in, negative when there is none.
  static Nanoseconds receive(int socket, Frame& frame) {
    ControlMessage<sizeof(timespec)> message(frame.data.get(), largest_frame);
    const ssize_t count = recvmsg(socket, message.get(), MSG_DONTWAIT);
    if (count < static_cast<ssize_t>(offload_header_bytes)) return -1;
    frame.bytes = static_cast<std::size_t>(count);
    const std::optional<timespec> stamp = message.stamp();
    return stamp ? nanoseconds(*stamp) : stamp_clock_ns();
  }

  std::unique_ptr<char[]> buffer() {
    if (spare_.empty()) return std::make_unique<char[]>(largest_frame);
    std::unique_ptr<char[]> taken = std::move(spare_.back());
    spare_.pop_back();
    return taken;
  }

  const HopTable& table_;
  std::mt19937_64 random_;
  std::vector<std::pair<std::string, Descriptor>> sockets_;
  std::vector<Hop> hops_;
  std::vector<pollfd> sources_;
  std::vector<Frame> waiting_;  ///< a heap, the frame that is due next first
  std::vector<std::unique_ptr<char[]>> spare_;
  std::uint64_t next_number_ = 0;
  Nanoseconds late_ns_ = 0;
  const Nanoseconds epoch_ = stamp_clock_ns();  // times in doubles count from it
};

}  // namespace

HopTable::HopTable(const std::vector<DelayedHop>& hops) : bytes_(std::max<std::size_t>(hops.size(), 1) * sizeof(Hop)) {
  void* const memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw_errno("share memory with the delay line");
  hops_ = static_cast<Hop*>(memory);
  std::uninitialized_default_construct_n(hops_, hops.size());
  for (std::size_t i = 0; i < hops.size(); ++i) set(static_cast<int>(i), hops[i].queue);
}

HopTable::~HopTable() { munmap(hops_, bytes_); }

void HopTable::set(int number, const Queue& queue) {
  Hop& hop = hops_[number];
  const std::int64_t rate_bps = wire_rate_bps(queue.payload_Bps);
  hop.delay_ns = queue.held_s() * 1e9;
  hop.ns_per_byte = rate_bps > 0 ? 8e9 / static_cast<double>(rate_bps) : 0;
  hop.loss = queue.impairment.loss;
  hop.jitter_ns = queue.impairment.jitter_s * 1e9;
  hop.reorder = queue.impairment.reorder;
  hop.duplicate = queue.impairment.duplicate;
  hop.queue_frames = queue.impairment.queue_frames;
}

namespace {

/// Locks the memory, so that no frame waits for a page. Only if the user may remove the limit: with a limit, later
/// allocations would fail.
void lock_memory() {
  const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
  if (setrlimit(RLIMIT_MEMLOCK, &none) == 0) mlockall(MCL_CURRENT | MCL_FUTURE);
}

}  // namespace

void start_delay_line(const std::vector<DelayedHop>& hops, const HopTable& table, std::uint64_t seed,
                      const RunningContainer& container) {
  auto [ready, said] = make_pipe();
  const pid_t child = checked(fork(), "fork");
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    std::string problem = "+";
    try {
      ready.close();
      checked(setns(container.network(), CLONE_NEWNET), "enter container " + container.name());
      DelayLine line(hops, table, seed);
      const sched_param urgent{.sched_priority = 10};
      sched_setscheduler(0, SCHED_FIFO, &urgent);  // if the user may
      lock_memory();
      if (write(said.get(), problem.data(), problem.size()) == 1) said.close();
      line.run();
    } catch (const std::exception& error) {
      problem = error.what();
    }
    if (write(said.get(), problem.data(), problem.size()) < 0) _exit(2);
    _exit(1);
  }
  said.close();
  const std::string answer = read_text(ready);
  if (answer != "+") throw Refused("the delay line: " + (answer.empty() ? "ended at once" : answer));
}

}  // namespace isthmus
