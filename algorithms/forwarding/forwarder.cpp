#include "algorithms/forwarding/forwarder.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <utility>

#include "algorithms/process/system.hpp"

namespace isthmus {
namespace {

constexpr double longest_wait_s = 3600;
constexpr double linger_s = 0.3;  // before a forwarder that nobody needs ends
constexpr double acknowledgement_delay_s = 5e-3;

std::uint64_t random_number() {
  std::random_device random;
  return std::uint64_t{random()} << 32U | random();
}

}  // namespace

double forwarding_clock_s() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

Forwarder::Forwarder(ForwardingMap map, int own_host, ForwarderOptions options)
    : map_(std::move(map)),
      own_(own_host),
      options_(std::move(options)),
      relay_paths_(map_.neighbours),
      epoll_(checked(epoll_create1(EPOLL_CLOEXEC), "epoll_create1")),
      neighbours_(map_.hosts.size()),
      under_way_(map_.hosts.size()),
      next_stream_(random_number()),
      started_s_(forwarding_clock_s()) {
  map_.limits.segment_bytes = std::min(map_.limits.segment_bytes, map_.share_bytes());
  listener_ = Descriptor(checked(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), "socket"));
  const int on = 1;
  setsockopt(listener_.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(map_.hosts[static_cast<std::size_t>(own_)].port);
  const std::string what =
      "listen on port " + std::to_string(map_.hosts[static_cast<std::size_t>(own_)].port) + " for forwarding";
  checked(bind(listener_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), what);
  checked(listen(listener_.get(), 4096), what);
  watch(listener_.get(), {Watched::Kind::listener, 0}, EPOLLIN);
}

Forwarder::~Forwarder() { write_statistics(); }

void Forwarder::say_goodbye() {
  for (const auto& [id, link] : links_) {
    if (!link->up) continue;
    link->put(make_frame(FrameKind::goodbye, {}));
    link->send(forwarding_clock_s());
  }
}

bool Forwarder::step(double wait_s) {
  const double wait = std::min(wait_s, until_next_task_s(forwarding_clock_s()));
  std::array<epoll_event, 256> events{};
  const int count = epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()),
                               static_cast<int>(std::max(0.0, wait) * 1e3 + 0.999));
  for (int i = 0; i < count; ++i) {
    handle(events[static_cast<std::size_t>(i)].data.fd, events[static_cast<std::size_t>(i)].events);
    flush_all();
  }
  do_timed_tasks();
  flush_all();
  if (is_needed()) return true;
  say_goodbye();
  return false;
}

// ---- the loop

void Forwarder::watch(int socket, Watched what, std::uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.fd = socket;
  const bool known = !watched_.insert_or_assign(socket, what).second;
  checked(epoll_ctl(epoll_.get(), known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, &event), "watch a connection");
}

void Forwarder::unwatch(int socket) {
  if (watched_.erase(socket) > 0) epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, socket, nullptr);
}

void Forwarder::forget(Descriptor& socket) {
  if (!socket.is_open()) return;
  unwatch(socket.get());
  socket.close();
}

// An event may be of a connection that has been closed since, or of a new one with its number: all handlers find out
// by themselves whether there is something to do, since no socket blocks.
void Forwarder::handle(int socket, std::uint32_t events) {
  const auto found = watched_.find(socket);
  if (found == watched_.end()) return;
  const Watched what = found->second;
  switch (what.kind) {
    case Watched::Kind::listener:
      take_connections();
      break;
    case Watched::Kind::greeting:
      read_greeting(socket);
      break;
    case Watched::Kind::watcher:
      hear_watcher(socket);
      break;
    case Watched::Kind::link:
      link_event(what.id, events);
      break;
    case Watched::Kind::program:
      program_event(what.id, events);
      break;
  }
}

void Forwarder::take_connections() {
  for (;;) {
    Descriptor socket(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!socket.is_open()) return;
    const int number = socket.get();
    watch(number, {Watched::Kind::greeting, 0}, EPOLLIN);
    greeted_[number] = {std::move(socket), {}};
  }
}

void Forwarder::read_greeting(int socket) {
  Greeted& greeted = greeted_[socket];
  std::array<char, sizeof(Greeting)> bytes{};
  const ssize_t got = recv(socket, bytes.data(), bytes.size() - greeted.bytes.size(), 0);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got > 0) greeted.bytes.append(bytes.data(), static_cast<std::size_t>(got));
  if (got > 0 && greeted.bytes.size() < sizeof(Greeting)) return;
  Greeting greeting;
  greeting.magic = 0;
  if (greeted.bytes.size() == sizeof greeting) std::memcpy(&greeting, greeted.bytes.data(), sizeof greeting);
  Descriptor taken = std::move(greeted.socket);
  greeted_.erase(socket);
  const bool of_a_host = greeting.host >= 0 && greeting.host < static_cast<int>(map_.hosts.size());
  if (greeting.magic == Greeting::right_magic && greeting.key == map_.key && of_a_host)
    return welcome(std::move(taken), greeting);
  if (greeting.magic == Greeting::right_magic && greeting.kind == Greeting::Kind::watcher) refuse_watcher(taken);
  forget(taken);
}

void Forwarder::welcome(Descriptor socket, const Greeting& greeting) {
  const int on = 1;
  setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  switch (greeting.kind) {
    case Greeting::Kind::watcher:
      welcome_watcher(std::move(socket));
      break;
    case Greeting::Kind::stream:
      open_stream(std::move(socket), greeting);
      break;
    case Greeting::Kind::neighbour:
      link_is_up(add_link(std::move(socket), greeting.host, {}));
      break;
    default:
      forget(socket);
  }
}

double Forwarder::until_next_task_s(double now) const {
  double wait = longest_wait_s;
  const double silence_s = map_.limits.timeout_s / 4;
  for (const auto& [id, link] : links_)
    if (link->up) wait = std::min(wait, link->last_sent_s() + silence_s - now);
  for (const Neighbour& neighbour : neighbours_)
    if (neighbour.first_tried_s >= 0 && neighbour.links.empty() && neighbour.connecting == nullptr)
      wait = std::min(wait, neighbour.next_try_s - now);
  if (!owing_.empty()) wait = std::min(wait, acknowledgement_delay_s);
  if (unneeded_since_s_ >= 0) wait = std::min(wait, linger_s);
  if (!had_programs_ && !options_.stays) wait = std::min(wait, 1.0);
  return std::max(wait, 1e-3);
}

void Forwarder::do_timed_tasks() {
  const double now = forwarding_clock_s();
  std::vector<std::uint64_t> silent;
  for (const auto& [id, link] : links_) {
    if (now - link->last_heard_s() > map_.limits.timeout_s) {
      silent.push_back(id);
    } else if (link->up && now - link->last_sent_s() >= map_.limits.timeout_s / 4) {
      link->put(make_frame(FrameKind::heartbeat, {}));
      to_flush_.insert(id);
    }
  }
  for (const std::uint64_t id : silent)
    if (const auto link = links_.find(id); link != links_.end()) end_link(*link->second);
  for (std::size_t host = 0; host < neighbours_.size(); ++host) {
    Neighbour& neighbour = neighbours_[host];
    if (neighbour.first_tried_s >= 0 && neighbour.links.empty() && neighbour.connecting == nullptr &&
        now >= neighbour.next_try_s)
      try_link(static_cast<int>(host));
  }
  const std::set<std::uint64_t> owing = owing_;
  for (const std::uint64_t id : owing) {
    const auto program = programs_.find(id);
    if (program == programs_.end() || !program->second->stream.owes_acknowledgement())
      owing_.erase(id);
    else if (now - program->second->stream.owed_since_s >= acknowledgement_delay_s)
      acknowledge(*program->second);
  }
  if (programs_need_forwarding() != told_need_) tell_programs();
  const bool is_gateway =
      std::any_of(links_.begin(), links_.end(), [](const auto& link) { return link.second->peer_needs_us; });
  const bool may_begin = !had_programs_ && now - started_s_ < 2 * map_.limits.start_s;
  const bool needed = options_.stays || programs_need_forwarding() || !greeted_.empty() || is_gateway || may_begin;
  if (needed)
    unneeded_since_s_ = -1;
  else if (unneeded_since_s_ < 0)
    unneeded_since_s_ = now;
}

bool Forwarder::programs_need_forwarding() const {
  return !watchers_.empty() || std::any_of(programs_.begin(), programs_.end(), [&](const auto& program) {
    return !lost_hosts_.contains(program.second->stream.peer_host());
  });
}

bool Forwarder::is_needed() const {
  return unneeded_since_s_ < 0 || forwarding_clock_s() - unneeded_since_s_ < linger_s;
}

void Forwarder::write_statistics() const {
  if (options_.statistics.empty()) return;
  const nlohmann::json line = {{"host", map_.hosts[static_cast<std::size_t>(own_)].name},
                               {"forwarded_segments", statistics_.forwarded_segments},
                               {"forwarded_bytes", statistics_.forwarded_bytes},
                               {"sent_segments", statistics_.sent_segments},
                               {"sent_bytes", statistics_.sent_bytes},
                               {"sent_again", statistics_.sent_again},
                               {"most_held_bytes", statistics_.most_held_bytes}};
  std::ofstream(options_.statistics, std::ios::app) << line.dump() + "\n";
}

}  // namespace isthmus
