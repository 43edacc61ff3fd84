#include "algorithms/mpi/drop_in/forwarding.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "algorithms/errors.hpp"
#include "algorithms/forwarding/forwarder.hpp"
#include "algorithms/forwarding/frame.hpp"
#include "algorithms/mpi/drop_in/lost_peers.hpp"
#include "algorithms/mpi/library/default_floating_point.hpp"
#include "algorithms/network/network_json.hpp"
#include "algorithms/process/descriptor.hpp"
#include "algorithms/process/system.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace drop_in {
namespace {

std::unique_ptr<const Forwarding>& current_forwarding() {
  static auto* const forwarding = new std::unique_ptr<const Forwarding>;  // connections outlive static objects
  return *forwarding;
}

// Address and port that forwarded connections come from, by the port of the forwarder's end.
std::array<std::atomic<std::uint64_t>, 65536> sources;

std::string text_of(const char* variable) {
  const char* const value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

std::string own_host_name() {
  if (std::string given = text_of("ISTHMUS_HOST"); !given.empty()) return given;
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

// Beside this library, as it is installed.
std::string forwarder_program() {
  std::string folder = text_of("ISTHMUS_LIBEXEC");
  if (Dl_info about; folder.empty() && dladdr(reinterpret_cast<const void*>(&begin_forwarding), &about) != 0) {
    const std::string library = about.dli_fname;
    folder = library.substr(0, library.rfind('/') + 1) + ISTHMUS_HELPERS_FROM_LIBRARIES;
  }
  std::string program = folder + "/isthmus-forwarder";
  if (access(program.c_str(), X_OK) != 0)
    throw Missing(program + ": no such helper program; install isthmus whole, or set ISTHMUS_LIBEXEC to its folder");
  return program;
}

// Not a child of the rank: it may have to stay longer than the rank. Returns a pipe that ends with its errors.
Descriptor start_forwarder(const std::string& network, const std::string& setting, const std::string& host) {
  const std::string program = forwarder_program();
  std::vector<std::string> arguments = {program, network, setting, host};
  if (const std::string file = text_of("ISTHMUS_FORWARD_STATISTICS"); !file.empty())
    arguments.insert(arguments.end(), {"--statistics", file});
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  std::vector<char*> environment;
  for (char** each = environ; *each != nullptr; ++each)
    if (std::strncmp(*each, "LD_PRELOAD=", 11) != 0) environment.push_back(*each);
  environment.push_back(nullptr);
  auto [errors, errors_of_forwarder] = make_pipe();
  const pid_t child = checked(fork(), "start a forwarder");
  if (child > 0) {
    // A program that ignores SIGCHLD, or waits for any child, gets its status first: ECHILD.
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
    return std::move(errors);
  }
  setsid();
  if (fork() != 0) _exit(0);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nothing = open("/dev/null", O_RDWR);
  for (const int standard : {0, 1}) dup2(nothing, standard);
  dup2(errors_of_forwarder.get(), 2);
  close_range(3, ~0U, 0);
  execve(program.c_str(), argv.data(), environment.data());
  _exit(127);
}

// What a forwarder has written so far.
std::string text_so_far(const Descriptor& errors) {
  std::array<char, 1024> text{};
  fcntl(errors.get(), F_SETFL, O_NONBLOCK);
  const ssize_t size = read(errors.get(), text.data(), text.size());
  return {text.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
}

sockaddr_in socket_address(std::uint32_t address, std::uint16_t port) {
  sockaddr_in result{};
  result.sin_family = AF_INET;
  result.sin_addr.s_addr = htonl(address);
  result.sin_port = htons(port);
  return result;
}

// Signals remain the program's.
template <typename Work>
void start_thread(Work work) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread(std::move(work)).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

// With its end; what has come so far if the other end says no more within this time, or too much for an answer.
std::string first_line(int socket, double patience_s) {
  const auto whole_s = static_cast<time_t>(patience_s);
  const timeval patience{whole_s, static_cast<suseconds_t>((patience_s - static_cast<double>(whole_s)) * 1e6)};
  const timeval for_ever{0, 0};
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  constexpr std::size_t longest = 64;
  std::string line;
  for (char next = 0; !line.ends_with('\n') && line.size() < longest;) {
    const ssize_t got = recv(socket, &next, 1, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    line += next;
  }
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &for_ever, sizeof for_ever);
  return line;
}

bool greet(int socket, const Greeting& greeting) {
  return send(socket, &greeting, sizeof greeting, MSG_NOSIGNAL) == sizeof greeting;
}

}  // namespace

Forwarding::Forwarding(ForwardingMap map, int own_host, const std::string& network, const std::string& setting)
    : map_(std::move(map)), own_(own_host), lost_(map_.hosts.size()) {
  const ForwardingHost& own = map_.hosts[static_cast<std::size_t>(own_)];
  if (own.addresses.empty())
    throw BadInput("host " + own.name + " has no address; a name that the system knows, or ISTHMUS_FORWARD=FILE with " +
                   "its addresses, would be right");
  const sockaddr_in to = socket_address(own.addresses.front(), own.port);
  constexpr useconds_t between_tries_us = 10000;
  const std::chrono::duration<double> patience(map_.limits.start_s);
  const auto begun = std::chrono::steady_clock::now();
  Descriptor errors;
  for (;;) {
    Descriptor connection(checked(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket"));
    if (connect(connection.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0 &&
        is_taken(connection.get())) {
      watcher_ = std::move(connection);
      break;
    }
    if (!errors.is_open()) errors = start_forwarder(network, setting, own.name);
    if (std::chrono::steady_clock::now() - begun >= patience) {
      const std::string says = text_so_far(errors);
      throw Refused("the forwarder of host " + own.name + " does not start; " +
                    (says.empty() ? "`" + forwarder_program() + " " + network + " " + setting + " " + own.name +
                                        "` started by hand may say why"
                                  : "it says: " + says));
    }
    usleep(between_tries_us);
  }
  start_thread([this] { watch(); });
}

bool Forwarding::is_taken(int connection) const {
  Greeting greeting;
  greeting.key = map_.key;
  greeting.host = own_;
  if (!greet(connection, greeting)) return false;
  const std::string answer = first_line(connection, map_.limits.start_s);
  const ForwardingHost& own = map_.hosts[static_cast<std::size_t>(own_)];
  if (answer == refused_line)
    throw Refused("the forwarder of host " + own.name + " on port " + std::to_string(own.port) +
                  " serves another job: its network or key differ; another port would be right");
  return answer == welcome_line;
}

// Lines `lost HOST`.
void Forwarding::watch() {
  std::string text;
  std::array<char, 256> bytes{};
  for (;;) {
    const ssize_t got = recv(watcher_.get(), bytes.data(), bytes.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    text.append(bytes.data(), static_cast<std::size_t>(got));
    for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n')) {
      const std::string line = text.substr(0, end);
      text.erase(0, end + 1);
      const int host = line.starts_with("lost ") ? std::atoi(line.c_str() + 5) : -1;
      if (host < 0 || host >= static_cast<int>(lost_.size())) continue;
      lost_[static_cast<std::size_t>(host)].store(true);
      if (!any_lost_.exchange(true)) start_thread([this] { end_where_no_error_returns(*this); });
    }
  }
  forwarder_ended_.store(true);
  for (std::size_t host = 0; host < lost_.size(); ++host)
    if (!map_.has_route(own_, static_cast<int>(host))) lost_[host].store(true);
  any_lost_.store(true);
  end_where_no_error_returns(*this);
}

void Forwarding::need(const std::vector<int>& hosts) const {
  std::string lines;
  for (const int host : std::set<int>(hosts.begin(), hosts.end()))
    if (!map_.has_route(own_, host)) lines += need_line(host);
  for (std::size_t sent = 0; sent < lines.size();) {
    const ssize_t count = send(watcher_.get(), lines.data() + sent, lines.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno != EINTR) return;  // watch() finds that the forwarder has ended
    sent += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
  }
}

std::string Forwarding::why_lost() const {
  const std::string& own = map_.hosts[static_cast<std::size_t>(own_)].name;
  if (forwarder_ended_.load()) return "the forwarder of host " + own + " has ended, and forwards no more messages";
  std::string hosts;
  for (std::size_t host = 0; host < lost_.size(); ++host)
    if (is_lost(static_cast<int>(host))) hosts += (hosts.empty() ? "" : ", ") + map_.hosts[host].name;
  return "no gateway is left from host " + own + " to " + hosts;
}

bool Forwarding::forwards(const sockaddr* to) const {
  if (to == nullptr || to->sa_family != AF_INET) return false;
  sockaddr_in address{};
  std::memcpy(&address, to, sizeof address);
  const int host = map_.host_at(ntohl(address.sin_addr.s_addr), ntohs(address.sin_port));
  return host >= 0 && !map_.has_route(own_, host);
}

int Forwarding::connect_there(int socket, const sockaddr_in& to) const {
  const ForwardingHost& own = map_.hosts[static_cast<std::size_t>(own_)];
  const sockaddr_in forwarder = socket_address(own.addresses.front(), own.port);
  const int flags = fcntl(socket, F_GETFL);
  fcntl(socket, F_SETFL, flags & ~O_NONBLOCK);
  Greeting greeting;
  greeting.key = map_.key;
  greeting.kind = Greeting::Kind::stream;
  greeting.address = ntohl(to.sin_addr.s_addr);
  greeting.port = ntohs(to.sin_port);
  greeting.host = map_.host_at(greeting.address, greeting.port);
  int result = connect(socket, reinterpret_cast<const sockaddr*>(&forwarder), sizeof forwarder);
  if (result == 0) {
    sockaddr_in source{};
    socklen_t size = sizeof source;
    getsockname(socket, reinterpret_cast<sockaddr*>(&source), &size);
    greeting.source_address = ntohl(source.sin_addr.s_addr);
    greeting.source_port = ntohs(source.sin_port);
    if (!greet(socket, greeting)) result = -1;
  }
  const int error = errno;
  fcntl(socket, F_SETFL, flags);
  errno = error;
  return result;
}

namespace {

#ifdef MPICH_VERSION
constexpr const char* eager_limit = "UCX_RNDV_THRESH";
constexpr const char* eager_variable = eager_limit;

// UCX accepts a connection, which waits for the forwarder, with its lock held: others should sleep, not spin.
void prepare_mpi(std::int64_t eager_bytes) {
  setenv("UCX_USE_MT_MUTEX", "y", 0);
  setenv(eager_variable, std::to_string(eager_bytes + 1).c_str(), 0);
}
#else
constexpr const char* eager_limit = "btl_tcp_eager_limit";
constexpr const char* eager_variable = "OMPI_MCA_btl_tcp_eager_limit";

// Open MPI's threshold, of what this rank sends over TCP, unless the user has set it. It counts its own header.
void prepare_mpi(std::int64_t eager_bytes) {
  constexpr std::int64_t header_bytes = 256;
  const std::string limit = std::to_string(eager_bytes + header_bytes);
  for (const char* variable :
       {"OMPI_MCA_btl_tcp_eager_limit", "OMPI_MCA_btl_tcp_rndv_eager_limit", "OMPI_MCA_btl_tcp_max_send_size"}) {
    if (std::string(variable).ends_with("max_send_size") && eager_bytes < 131072) continue;  // its default
    setenv(variable, limit.c_str(), 0);
  }
}
#endif

}  // namespace

const Forwarding* forwarding() { return current_forwarding().get(); }

#ifdef MPICH_VERSION
extern "C" int drop_in_has_lost_ranks() {  // for mpich_end.c
  return static_cast<int>(forwarding() != nullptr && forwarding()->any_lost());
}
#endif

std::string transfer_modes() { return std::string(eager_limit) + " " + text_of(eager_variable); }

void begin_forwarding() {
  const DefaultFloatingPoint of_isthmus;
  static std::mutex one_at_a_time;  // sessions may begin in several threads
  const std::lock_guard lock(one_at_a_time);
  const std::string setting = text_of("ISTHMUS_FORWARD");
  if (setting.empty() || setting == "0" || current_forwarding() != nullptr) return;
  const std::string network = text_of("ISTHMUS_NETWORK");
  const std::string name = own_host_name();
  try {
    if (network.empty())
      throw BadInput("ISTHMUS_FORWARD: needs ISTHMUS_NETWORK, a network that says who has a route to whom");
    const Network described = read_network(network);
    ForwardingMap map = forwarding_map(described, setting);
    const std::size_t hosts = map.hosts.size();
    bool complete = true;
    for (const std::vector<int>& near : map.neighbours) complete &= near.size() + 1 == hosts;
    if (complete) return;
    const int own = map.number_of(name);
    if (own < 0) throw BadInput(network + ": no host is called " + name + "; ISTHMUS_HOST names this process's host");
    const std::int64_t eager_bytes = eager_bytes_of(map, described, own);
    map.hosts[static_cast<std::size_t>(own)].eager_bytes = eager_bytes;
    prepare_mpi(eager_bytes);
    current_forwarding() = std::make_unique<const Forwarding>(std::move(map), own, network, setting);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "isthmus: %s\n", error.what());
    std::_Exit(2);
  }
}

namespace {

std::optional<sockaddr_in> forwarders_address(const sockaddr* address, socklen_t size) {
  if (address == nullptr || address->sa_family != AF_INET || size < sizeof(sockaddr_in)) return std::nullopt;
  sockaddr_in internet{};
  std::memcpy(&internet, address, sizeof internet);
  if (ntohl(internet.sin_addr.s_addr) != address_of_forwarders) return std::nullopt;
  return internet;
}

}  // namespace

bool learn_source(int socket) {
  sockaddr_in peer{};
  socklen_t size = sizeof peer;
  using GetPeerName = int(int, sockaddr*, socklen_t*);
  static auto* const of_system = reinterpret_cast<GetPeerName*>(dlsym(RTLD_NEXT, "getpeername"));
  if (of_system(socket, reinterpret_cast<sockaddr*>(&peer), &size) != 0) return true;
  if (!forwarders_address(reinterpret_cast<const sockaddr*>(&peer), size)) return true;
  const timeval patience{10, 0};
  const timeval for_ever{0, 0};
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  StreamEnds ends;
  const ssize_t got = recv(socket, &ends, sizeof ends, MSG_WAITALL);
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &for_ever, sizeof for_ever);
  if (got != sizeof ends) return false;
  sources[ntohs(peer.sin_port)].store(static_cast<std::uint64_t>(ends.source_address) << 16U | ends.source_port);
  return true;
}

void show_source(sockaddr* address, socklen_t size) {
  const std::optional<sockaddr_in> forwarder = forwarders_address(address, size);
  if (!forwarder) return;
  const std::uint64_t source = sources[ntohs(forwarder->sin_port)].load();
  const sockaddr_in shown =
      socket_address(static_cast<std::uint32_t>(source >> 16U), static_cast<std::uint16_t>(source & 0xffffU));
  std::memcpy(address, &shown, sizeof shown);
}

}  // namespace drop_in
}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
