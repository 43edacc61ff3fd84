// Connections between neighbouring forwarders, and the frames that come over them.
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "algorithms/forwarding/forwarder.hpp"

namespace isthmus {
namespace {

constexpr double between_tries_s = 0.05;

std::size_t max_payload(const ForwardingLimits& limits) {
  constexpr std::size_t acknowledgements = std::size_t{1}
                                           << 20U;  // the numbers of as many segments as can be under way
  return std::max(limits.segment_bytes, acknowledgements);
}

std::string bytes_of(const Greeting& greeting) { return {reinterpret_cast<const char*>(&greeting), sizeof greeting}; }

}  // namespace

ForwarderLink& Forwarder::add_link(Descriptor socket, int host, std::string greeting) {
  const int on = 1;
  setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  const std::uint64_t id = links_made_++;
  auto link = std::make_unique<ForwarderLink>(id, std::move(socket), host, forwarding_clock_s(), std::move(greeting));
  return *links_.emplace(id, std::move(link)).first->second;
}

void Forwarder::want_link(int host) {
  Neighbour& neighbour = neighbours_[static_cast<std::size_t>(host)];
  if (!neighbour.links.empty() || neighbour.first_tried_s >= 0) return;
  neighbour.first_tried_s = forwarding_clock_s();
  try_link(host);
}

void Forwarder::try_link(int host) {
  Neighbour& neighbour = neighbours_[static_cast<std::size_t>(host)];
  const ForwardingHost& to = map_.hosts[static_cast<std::size_t>(host)];
  const double now = forwarding_clock_s();
  if (now - neighbour.first_tried_s > map_.limits.start_s || to.addresses.empty()) return lose_edge(own_, host);
  neighbour.next_try_s = now + between_tries_s;
  Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(to.port);
  address.sin_addr.s_addr = htonl(to.addresses[neighbour.next_address++ % to.addresses.size()]);
  if (connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 && errno != EINPROGRESS)
    return;
  Greeting greeting;
  greeting.key = map_.key;
  greeting.kind = Greeting::Kind::neighbour;
  greeting.host = own_;
  ForwarderLink& link = add_link(std::move(socket), host, bytes_of(greeting));
  neighbour.connecting = &link;
  link.watched_to_send = true;
  watch(link.socket(), {Watched::Kind::link, link.id()}, EPOLLIN | EPOLLOUT);
}

void Forwarder::link_is_up(ForwarderLink& link) {
  Neighbour& neighbour = neighbours_[static_cast<std::size_t>(link.host())];
  if (neighbour.connecting == &link) neighbour.connecting = nullptr;
  link.up = true;
  neighbour.links.push_back(&link);
  neighbour.was_up = true;
  neighbour.first_tried_s = -1;
  had_programs_ = true;
  watch(link.socket(), {Watched::Kind::link, link.id()}, EPOLLIN);
  link.watched_to_send = false;
  relay_paths_.restore(link.host());
  paths_.clear();
  Frame programs = make_frame(FrameKind::programs, {});
  programs.header.number = told_need_ ? 1 : 0;
  link.put(std::move(programs));
  for (Frame& frame : neighbour.waiting) {
    held_bytes_ -= frame.header.position > 1 ? frame.payload_bytes() : 0;
    put(link.host(), std::move(frame));
  }
  neighbour.waiting.clear();
  to_flush_.insert(link.id());
  continue_blocked();
}

void Forwarder::link_event(std::uint64_t id, std::uint32_t events) {
  const auto found = links_.find(id);
  if (found == links_.end()) return;
  ForwarderLink& link = *found->second;
  if (!link.up) {
    int error = 0;
    socklen_t size = sizeof error;
    getsockopt(link.socket(), SOL_SOCKET, SO_ERROR, &error, &size);
    if (error != 0 || (events & (EPOLLERR | EPOLLHUP)) != 0) return end_link(link);
    if ((events & EPOLLOUT) == 0) return;
    link_is_up(link);
  }
  if ((events & EPOLLOUT) != 0) flush(link);
  if ((events & (EPOLLIN | EPOLLHUP | EPOLLERR)) == 0 || !links_.contains(id)) return;
  bool said_goodbye = false;
  const bool alive = link.receive(forwarding_clock_s(), max_payload(map_.limits), [&](Frame&& frame) {
    if (frame.header.kind == FrameKind::goodbye) said_goodbye = true;
    if (frame.header.kind == FrameKind::programs) link.peer_needs_us = frame.header.number != 0;
    receive(std::move(frame));
  });
  link.said_goodbye |= said_goodbye;
  if (!alive || link.said_goodbye) end_link(link);
}

void Forwarder::flush(ForwarderLink& link) {
  held_bytes_ -= link.held_bytes();
  const bool alive = link.send(forwarding_clock_s());
  held_bytes_ += link.held_bytes();
  if (!alive) return end_link(link);
  if (link.has_to_send() == link.watched_to_send) return;
  link.watched_to_send = link.has_to_send();
  watch(link.socket(), {Watched::Kind::link, link.id()}, link.watched_to_send ? EPOLLIN | EPOLLOUT : EPOLLIN);
}

void Forwarder::flush_all() {
  while (!to_flush_.empty()) {
    const std::uint64_t id = *to_flush_.begin();
    to_flush_.erase(to_flush_.begin());
    const auto found = links_.find(id);
    if (found != links_.end() && found->second->up) flush(*found->second);
  }
}

void Forwarder::end_link(ForwarderLink& link) {
  const int host = link.host();
  const bool was_up = link.up;
  const bool lost = link.up && !link.said_goodbye;
  Neighbour& neighbour = neighbours_[static_cast<std::size_t>(host)];
  std::erase(neighbour.links, &link);
  if (neighbour.connecting == &link) neighbour.connecting = nullptr;
  held_bytes_ -= link.held_bytes();
  unwatch(link.socket());
  links_.erase(link.id());
  if (!neighbour.links.empty()) return;
  if (lost) return lose_edge(own_, host);
  if (was_up) send_again_after(host);
}

void Forwarder::lose_edge(int a, int b) {
  if (a == own_ || b == own_) {
    Neighbour& neighbour = neighbours_[static_cast<std::size_t>(a == own_ ? b : a)];
    neighbour.first_tried_s = -1;
    for (const Frame& frame : neighbour.waiting) held_bytes_ -= frame.header.position > 1 ? frame.payload_bytes() : 0;
    neighbour.waiting.clear();
  }
  if (!relay_paths_.lose(a, b)) return;
  paths_.clear();
  for (const auto& [id, link] : links_) {
    if (!link->up) continue;
    link->put(make_frame(FrameKind::edge_lost, {a, b}));
    to_flush_.insert(id);
  }
  reroute();
  tell_lost_of_needed();
}

void Forwarder::put(int host, Frame frame) {
  Neighbour& neighbour = neighbours_[static_cast<std::size_t>(host)];
  held_bytes_ += frame.header.position > 1 ? frame.payload_bytes() : 0;
  statistics_.most_held_bytes = std::max(statistics_.most_held_bytes, held_bytes_);
  if (neighbour.links.empty()) {
    neighbour.waiting.push_back(std::move(frame));
    want_link(host);
    return;
  }
  neighbour.links.front()->put(std::move(frame));
  to_flush_.insert(neighbour.links.front()->id());
}

void Forwarder::receive(Frame frame) {
  const FrameHeader& header = frame.header;
  const auto is_host = [&](int host) { return host < static_cast<int>(map_.hosts.size()); };
  switch (header.kind) {
    case FrameKind::edge_lost:
      if (header.hosts == 2 && is_host(header.path[0]) && is_host(header.path[1]) && header.path[0] != own_ &&
          header.path[1] != own_)
        lose_edge(header.path[0], header.path[1]);
      break;
    case FrameKind::segment:
    case FrameKind::acknowledgement: {
      const bool for_here = header.position >= 1 && header.position < header.hosts &&
                            header.path[header.position] == own_ &&
                            std::all_of(header.path.begin(), header.path.begin() + header.hosts, is_host);
      if (!for_here) break;
      if (header.position + 1 < header.hosts)
        pass_on(std::move(frame));
      else if (header.kind == FrameKind::segment)
        segment_for_us(std::move(frame));
      else
        acknowledgement_for_us(frame);
      break;
    }
    default:
      break;
  }
}

void Forwarder::pass_on(Frame frame) {
  const int next = frame.header.path[++frame.header.position];
  if (relay_paths_.is_lost(own_, next) || !map_.has_route(own_, next)) {
    // The source may have come after everybody was told.
    put(frame.header.path[frame.header.position - 2], make_frame(FrameKind::edge_lost, {own_, next}));
    return;
  }
  if (frame.header.kind == FrameKind::segment) {
    ++statistics_.forwarded_segments;
    statistics_.forwarded_bytes += frame.payload_bytes();
  }
  put(next, std::move(frame));
}

}  // namespace isthmus
