/* Preloaded into the ranks: one TCP connection of Open MPI becomes several (Sivakumar, Bailey, Grossman: PSockets,
 * SC 2000). Where frames are lost, a connection over a long distance reaches a small part of the link's rate; several
 * share the losses (see algorithms/models/tcp_throughput.hpp).
 *
 * ISTHMUS_STREAMS is the number of connections. Those of which the first one took less than 1 ms to establish stay
 * single: local ones. All ranks need this library and the same number, because the two ends use a protocol of their
 * own.
 *
 * Open MPI gets one end of a local pair of sockets. A thread takes the bytes from the other end, cuts them into
 * numbered frames, and gives each frame to a connection that can send; the thread at the other side puts them in order
 * again. So a connection that has lost a frame takes fewer than the others. */
#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace {

constexpr std::size_t frame_bytes = 16384;     // a stream that stalls delays at most a few of them
constexpr std::size_t unsent_bytes = 16384;    // more wait in no connection: another may be quicker
constexpr std::size_t max_waiting = 1U << 24;  // of complete frames, for a program that does not read
constexpr double local_s = 1e-3;
constexpr std::uint32_t max_streams = 1024;
constexpr std::uint64_t magic = 0x69737468'6d757331;

/// The first bytes of a connection.
struct Hello {
  std::uint64_t magic, group;
  std::uint32_t index, count;
};

struct FrameHeader {
  std::uint64_t number, bytes;
};

template <typename Function>
Function* of_libc(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

std::uint32_t streams_wanted() {
  static const std::uint32_t wanted = [] {
    const char* const text = std::getenv("ISTHMUS_STREAMS");
    const long number = text == nullptr ? 1 : std::strtol(text, nullptr, 10);
    return static_cast<std::uint32_t>(std::clamp(number, 1L, static_cast<long>(max_streams)));
  }();
  return wanted;
}

/// Other sockets (of daemons, of the program itself) are left as they are.
bool is_transport(void* caller) {
  Dl_info about;
  return streams_wanted() > 1 && dladdr(caller, &about) != 0 && about.dli_fname != nullptr &&
         std::strstr(about.dli_fname, "mca_btl_tcp.so") != nullptr;
}

double now_s() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void set_nonblocking(int socket) { fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK); }

/// One TCP connection: the frame that leaves, and the frame that arrives.
struct Stream {
  explicit Stream(int connection) : socket(connection) {
    const int on = 1, unsent = unsent_bytes;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(socket, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent, sizeof unsent);
    set_nonblocking(socket);
  }
  int socket;
  bool connected = true, ended = false;
  std::vector<char> out;
  std::size_t sent = 0;
  std::vector<char> in;
};

/// The connections of one pair of processes, and the thread between them and the program's socket.
class Group {
 public:
  Group(int program, std::uint32_t count) : program_(program), count_(count) {
    set_nonblocking(program);
    if (pipe2(wake_, O_CLOEXEC | O_NONBLOCK) != 0) wake_[0] = wake_[1] = -1;
  }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  /// From another thread: a further connection that the peer has made.
  void add(int socket) {
    const std::lock_guard lock(mutex_);
    arrived_.push_back(socket);
    [[maybe_unused]] const ssize_t written = write(wake_[1], "", 1);
  }

  void connect_first(const sockaddr_in& to, std::uint64_t id) {
    const int first = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const double start_s = now_s();
    static auto* const connect_there = of_libc<int(int, const sockaddr*, socklen_t)>("connect");
    const auto* const address = reinterpret_cast<const sockaddr*>(&to);
    if (first < 0 || connect_there(first, address, sizeof to) != 0) {
      if (first >= 0) close(first);
      count_ = 0;
      return;
    }
    if (now_s() - start_s < local_s) count_ = 1;
    streams_.emplace_back(first);
    for (std::uint32_t i = 1; i < count_; ++i) {
      Stream next(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
      next.connected = false;
      if (next.socket >= 0 && (connect_there(next.socket, address, sizeof to) == 0 || errno == EINPROGRESS)) {
        streams_.push_back(std::move(next));
      }
    }
    for (std::uint32_t i = 0; i < streams_.size(); ++i) {
      const Hello hello{magic, id, i, static_cast<std::uint32_t>(streams_.size())};
      const char* const bytes = reinterpret_cast<const char*>(&hello);
      streams_[i].out.assign(bytes, bytes + sizeof hello);
    }
    count_ = static_cast<std::uint32_t>(streams_.size());
  }

  void run() {
    while (step()) {
    }
    for (const Stream& stream : streams_) close(stream.socket);
    if (program_ >= 0) close(program_);
    // The pipe stays: another thread may still add a connection that has come late.
  }

 private:
  bool step() {
    if (count_ == 0) return false;
    const bool may_send = !held_.empty();
    const bool deliverable = !waiting_.empty() && waiting_.begin()->first == next_in_;
    const bool may_take = !(deliverable && waiting_bytes_ > max_waiting);
    std::vector<pollfd> set;
    const bool reads = held_.empty() && !program_ended_;
    set.push_back({wake_[0], POLLIN, 0});
    set.push_back({reads || deliverable ? program_ : -1,
                   static_cast<short>((reads ? POLLIN : 0) | (deliverable ? POLLOUT : 0)), 0});
    for (const Stream& stream : streams_) {
      const bool sends = !stream.out.empty() || (may_send && stream.connected);
      const bool takes = may_take && !stream.ended && stream.connected;
      set.push_back(
          {sends || takes ? stream.socket : -1, static_cast<short>((sends ? POLLOUT : 0) | (takes ? POLLIN : 0)), 0});
    }
    // Not poll(), which idle.c would report to the program's thread as work.
    if (ppoll(set.data(), set.size(), nullptr, nullptr) < 0) return errno == EINTR;
    if (set[0].revents != 0) take_arrived();
    if (set[1].revents != 0) {
      if (deliverable && !deliver()) return false;
      if (reads && !hold()) return false;
    }
    for (std::size_t k = 2; k < set.size(); ++k) {  // the next one first, so that all are used in turn
      const std::size_t i = (turn_ + k - 2) % (set.size() - 2);
      if ((set[i + 2].revents & (POLLIN | POLLHUP | POLLERR)) != 0 && !take(streams_[i])) return false;
      if ((set[i + 2].revents & POLLOUT) != 0 && !give(streams_[i], i)) return false;
    }
    if (!waiting_.empty() && waiting_.begin()->first == next_in_ && !deliver()) return false;
    return !is_over();
  }

  bool is_over() {
    const bool nothing_leaves =
        std::all_of(streams_.begin(), streams_.end(), [](const Stream& stream) { return stream.out.empty(); });
    if (program_ended_ && held_.empty() && nothing_leaves) return true;
    const bool all_ended = streams_.size() >= count_ &&
                           std::all_of(streams_.begin(), streams_.end(), [](const Stream& s) { return s.ended; });
    return all_ended && waiting_.empty();
  }

  void take_arrived() {
    char bytes[64];
    while (read(wake_[0], bytes, sizeof bytes) > 0) {
    }
    const std::lock_guard lock(mutex_);
    for (const int socket : arrived_) streams_.emplace_back(socket);
    arrived_.clear();
  }

  /// Reads the next frame of the program; false when the thread is to end.
  bool hold() {
    char bytes[frame_bytes];
    const ssize_t got = read(program_, bytes, sizeof bytes);
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    if (got == 0) {
      program_ended_ = true;
      return true;
    }
    const FrameHeader header{next_out_++, static_cast<std::uint64_t>(got)};
    const char* const head = reinterpret_cast<const char*>(&header);
    held_.assign(head, head + sizeof header);
    held_.insert(held_.end(), bytes, bytes + got);
    return true;
  }

  /// Sends what the stream has, then further frames, as long as it accepts them.
  bool give(Stream& stream, std::size_t index) {
    stream.connected = true;
    while (true) {
      if (stream.out.empty()) {
        if (held_.empty() && (program_ended_ || !hold())) return program_ended_;
        if (held_.empty()) return true;
        stream.out.swap(held_);
        held_.clear();
        stream.sent = 0;
        turn_ = index + 1;
      }
      const ssize_t count =
          send(stream.socket, stream.out.data() + stream.sent, stream.out.size() - stream.sent, MSG_NOSIGNAL);
      if (count < 0) return errno == EAGAIN || errno == EINTR;
      stream.sent += static_cast<std::size_t>(count);
      if (stream.sent < stream.out.size()) return true;
      stream.out.clear();
      stream.sent = 0;
    }
  }

  bool take(Stream& stream) {
    char bytes[65536];
    const ssize_t got = read(stream.socket, bytes, sizeof bytes);
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    if (got == 0) {
      stream.ended = true;
      return true;
    }
    stream.in.insert(stream.in.end(), bytes, bytes + got);
    std::size_t at = 0;
    FrameHeader header{};
    while (stream.in.size() - at >= sizeof header) {
      std::memcpy(&header, stream.in.data() + at, sizeof header);
      if (header.bytes > frame_bytes) return false;
      if (stream.in.size() - at < sizeof header + header.bytes) break;
      const auto first = stream.in.begin() + static_cast<std::ptrdiff_t>(at + sizeof header);
      waiting_[header.number].assign(first, first + static_cast<std::ptrdiff_t>(header.bytes));
      waiting_bytes_ += header.bytes;
      at += sizeof header + header.bytes;
    }
    stream.in.erase(stream.in.begin(), stream.in.begin() + static_cast<std::ptrdiff_t>(at));
    return true;
  }

  /// Writes the frames that are next to the program; false when it has closed its socket.
  bool deliver() {
    while (!waiting_.empty() && waiting_.begin()->first == next_in_) {
      const std::vector<char>& frame = waiting_.begin()->second;
      const ssize_t count = send(program_, frame.data() + delivered_, frame.size() - delivered_, MSG_NOSIGNAL);
      if (count < 0) return errno == EAGAIN || errno == EINTR;
      delivered_ += static_cast<std::size_t>(count);
      if (delivered_ < frame.size()) return true;
      waiting_bytes_ -= frame.size();
      waiting_.erase(waiting_.begin());
      delivered_ = 0;
      ++next_in_;
    }
    return true;
  }

  int program_;
  std::uint32_t count_;
  int wake_[2] = {-1, -1};
  std::mutex mutex_;
  std::vector<int> arrived_;
  std::vector<Stream> streams_;
  std::vector<char> held_;  // the frame that leaves next
  std::uint64_t next_out_ = 0, next_in_ = 0;
  bool program_ended_ = false;
  std::map<std::uint64_t, std::vector<char>> waiting_;
  std::size_t waiting_bytes_ = 0, delivered_ = 0, turn_ = 0;
};

/// Groups that peers have begun and whose connections have not all come; by address and number of the peer's process.
std::map<std::pair<std::uint32_t, std::uint64_t>, std::pair<Group*, std::uint32_t>>& begun() {
  static auto* const groups = new std::map<std::pair<std::uint32_t, std::uint64_t>, std::pair<Group*, std::uint32_t>>;
  return *groups;
}

/// Peers of the program's sockets.
constexpr int sockets_known = 65536;
sockaddr_in peer_of[sockets_known];

std::optional<sockaddr_in> striped_peer(int socket) {
  int domain = 0;
  socklen_t size = sizeof domain;
  if (socket < 0 || socket >= sockets_known || peer_of[socket].sin_family != AF_INET) return std::nullopt;
  if (getsockopt(socket, SOL_SOCKET, SO_DOMAIN, &domain, &size) != 0 || domain != AF_UNIX) return std::nullopt;
  return peer_of[socket];
}

/// Signals remain the program's.
template <typename Work>
void start_thread(Work work) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread(std::move(work)).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

bool make_pair(int (&pair)[2]) { return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0; }

}  // namespace

extern "C" {

int listen(int socket, int backlog) noexcept {
  static auto* const listen_there = of_libc<int(int, int)>("listen");
  if (is_transport(__builtin_return_address(0))) {
    const int wait_s = 10;  // a connection is reported with its first bytes
    setsockopt(socket, IPPROTO_TCP, TCP_DEFER_ACCEPT, &wait_s, sizeof wait_s);
    backlog = std::max(backlog, 4096);
  }
  return listen_there(socket, backlog);
}

int connect(int socket, const sockaddr* to, socklen_t size) {
  static auto* const connect_there = of_libc<int(int, const sockaddr*, socklen_t)>("connect");
  int pair[2];
  if (!is_transport(__builtin_return_address(0)) || to->sa_family != AF_INET || socket >= sockets_known ||
      !make_pair(pair)) {
    return connect_there(socket, to, size);
  }
  static std::uint64_t made = 0;
  const std::uint64_t id = (static_cast<std::uint64_t>(getpid()) << 32U) + made++;
  sockaddr_in address{};
  std::memcpy(&address, to, sizeof address);
  fcntl(pair[0], F_SETFL, fcntl(socket, F_GETFL));
  fcntl(pair[0], F_SETFD, fcntl(socket, F_GETFD));
  dup2(pair[0], socket);
  close(pair[0]);
  peer_of[socket] = address;
  start_thread([program = pair[1], address, id] {
    Group group(program, streams_wanted());
    group.connect_first(address, id);
    group.run();
  });
  return 0;
}

int accept(int socket, sockaddr* from, socklen_t* size) {
  static auto* const accept_there = of_libc<int(int, sockaddr*, socklen_t*)>("accept");
  if (!is_transport(__builtin_return_address(0))) return accept_there(socket, from, size);
  while (true) {
    sockaddr_in peer{};
    socklen_t peer_size = sizeof peer;
    const int taken = accept_there(socket, reinterpret_cast<sockaddr*>(&peer), &peer_size);
    if (taken < 0) return taken;
    const timeval patience{10, 0};
    setsockopt(taken, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    Hello hello{};
    if (recv(taken, &hello, sizeof hello, MSG_WAITALL) != sizeof hello || hello.magic != magic || hello.count == 0 ||
        hello.count > max_streams) {
      close(taken);
      continue;
    }
    const auto key = std::pair(peer.sin_addr.s_addr, hello.group);
    auto at = begun().find(key);
    int pair[2] = {-1, -1};
    if (at == begun().end()) {
      if (!make_pair(pair)) {
        close(taken);
        return -1;
      }
      auto* const group = new Group(pair[1], hello.count);  // it lives as long as the process
      at = begun().emplace(key, std::pair(group, hello.count)).first;
      start_thread([group] { group->run(); });
    }
    at->second.first->add(taken);
    if (--at->second.second == 0) begun().erase(at);
    if (pair[0] < 0) continue;  // a further connection of a known group
    if (pair[0] < sockets_known) peer_of[pair[0]] = peer;
    if (from != nullptr && size != nullptr) {
      std::memcpy(from, &peer, std::min(static_cast<std::size_t>(*size), sizeof peer));
      *size = sizeof peer;
    }
    return pair[0];
  }
}

int getpeername(int socket, sockaddr* to, socklen_t* size) noexcept {
  static auto* const of_system = of_libc<int(int, sockaddr*, socklen_t*)>("getpeername");
  const std::optional<sockaddr_in> peer = striped_peer(socket);
  if (!peer) return of_system(socket, to, size);
  std::memcpy(to, &*peer, std::min(static_cast<std::size_t>(*size), sizeof *peer));
  *size = sizeof *peer;
  return 0;
}

int setsockopt(int socket, int level, int name, const void* value, socklen_t size) noexcept {
  static auto* const of_system = of_libc<int(int, int, int, const void*, socklen_t)>("setsockopt");
  if (level == IPPROTO_TCP && striped_peer(socket)) return 0;  // the connections have their own settings
  return of_system(socket, level, name, value, size);
}

}  // extern "C"
