// The watchers: this host's programs, which say what they need and are told what is lost.
#include <sys/epoll.h>
#include <sys/socket.h>

#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "algorithms/forwarding/forwarder.hpp"
#include "algorithms/process/system.hpp"

namespace isthmus {
namespace {

void tell(int socket, std::string_view line) {
  (void)!send(socket, line.data(), line.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

constexpr std::size_t longest_line = 64;

std::optional<int> needed_host(std::string_view line) {
  constexpr std::string_view need = "need ";
  if (!line.starts_with(need)) return std::nullopt;
  line.remove_prefix(need.size());
  int host = -1;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), host);
  return error == std::errc() && end == line.data() + line.size() ? std::optional(host) : std::nullopt;
}

}  // namespace

void Forwarder::welcome_watcher(Descriptor socket) {
  const int number = socket.get();
  watch(number, {Watched::Kind::watcher, 0}, EPOLLIN);
  watchers_[number] = {std::move(socket), {}};
  had_programs_ = true;
  tell(number, welcome_line);
  for (const int host : lost_hosts_) tell(number, lost_line(host));
}

void Forwarder::refuse_watcher(const Descriptor& socket) { tell(socket.get(), refused_line); }

void Forwarder::hear_watcher(int socket) {
  Watcher& watcher = watchers_[socket];
  std::array<char, 1024> bytes{};
  const ssize_t got = recv(socket, bytes.data(), bytes.size(), 0);
  if (only_later(got)) return;
  if (got <= 0) {
    forget(watcher.socket);
    watchers_.erase(socket);
    return;
  }
  watcher.bytes.append(bytes.data(), static_cast<std::size_t>(got));
  std::vector<int> needed;
  for (std::size_t end = watcher.bytes.find('\n'); end != std::string::npos; end = watcher.bytes.find('\n')) {
    if (const std::optional<int> host = needed_host(std::string_view(watcher.bytes).substr(0, end)))
      needed.push_back(*host);
    watcher.bytes.erase(0, end + 1);
  }
  if (watcher.bytes.size() > longest_line) watcher.bytes.clear();  // no line of a program
  for (const int host : needed) need(host);
}

// The gateways to a host that is needed are connected to before there is anything to send: else nothing would tell that
// they are lost.
void Forwarder::need(int host) {
  if (host < 0 || host >= static_cast<int>(map_.hosts.size()) || map_.has_route(own_, host)) return;
  needed_hosts_.insert(host);
  const std::vector<std::vector<int>> paths = paths_to(host);  // a copy: an attempt to connect may lose an edge
  for (const std::vector<int>& path : paths) want_link(path[1]);
  tell_lost_of_needed();
}

// Neighbours are told whether this host's programs still need forwarding: gateways stay as long.
void Forwarder::tell_programs() {
  told_need_ = programs_need_forwarding();
  for (const auto& [id, link] : links_) {
    if (!link->up) continue;
    Frame frame = make_frame(FrameKind::programs, {});
    frame.header.number = told_need_ ? 1 : 0;
    link->put(std::move(frame));
    to_flush_.insert(id);
  }
}

void Forwarder::tell_lost(int host) {
  if (!lost_hosts_.insert(host).second) return;
  for (const auto& [number, watcher] : watchers_) tell(number, lost_line(host));
}

void Forwarder::tell_lost_of_needed() {
  for (const int host : needed_hosts_)
    if (paths_to(host).empty()) tell_lost(host);
}

}  // namespace isthmus
