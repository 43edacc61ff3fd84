// The streams of this host's own programs.
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "algorithms/forwarding/forwarder.hpp"
#include "algorithms/process/system.hpp"

namespace isthmus {
namespace {

constexpr int segments_at_a_time = 16;  // of a program, before it is another's turn

}  // namespace

void Forwarder::open_stream(Descriptor socket, const Greeting& greeting) {
  constexpr std::uint64_t number_bits = (std::uint64_t{1} << 48U) - 1;
  const std::uint64_t id = (static_cast<std::uint64_t>(own_) << 48U) | (next_stream_++ & number_bits);
  const int number = socket.get();
  auto& program = programs_[id] =
      std::make_unique<Program>(std::move(socket), Stream(id, true, greeting.host, map_.limits.window_bytes));
  program->connected = true;
  unwatch(number);
  const StreamEnds ends{greeting.address, greeting.source_address, greeting.port, greeting.source_port};
  program->stream.add(opens, {reinterpret_cast<const char*>(&ends), sizeof ends});
  send_outstanding(*program);
  update_watch(*program);
}

void Forwarder::program_event(std::uint64_t id, std::uint32_t events) {
  const auto found = programs_.find(id);
  if (found == programs_.end()) return;
  Program& program = *found->second;
  if ((events & EPOLLOUT) != 0) give_to_program(program);
  if (program.socket.is_open() && (events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0) take_from_program(program);
  if (!end_if_done(id)) update_watch(program);
}

void Forwarder::take_from_program(Program& program) {
  std::string bytes;
  for (int turn = 0; turn < segments_at_a_time && !program.ended; ++turn) {
    send_outstanding(program);
    if (blocked_.contains(program.stream.id())) return;
    const std::size_t room = std::min(program.stream.room(), map_.limits.segment_bytes);
    if (room == 0) return;
    bytes.resize(map_.limits.segment_bytes);
    const ssize_t got = recv(program.socket.get(), bytes.data(), room, MSG_DONTWAIT);
    if (only_later(got)) return;
    if (got < 0) return drop_program(program, true);
    if (got == 0) {
      program.ended = true;
      program.stream.add(ends, {});
    } else {
      program.stream.add(0, {bytes.data(), static_cast<std::size_t>(got)});
      ++statistics_.sent_segments;
      statistics_.sent_bytes += static_cast<std::uint64_t>(got);
    }
    send_outstanding(program);
    if (got < static_cast<ssize_t>(room)) return;
  }
}

// Segments that are on no path: new ones, and those whose path is lost.
void Forwarder::send_outstanding(Program& program) {
  blocked_.erase(program.stream.id());
  // The newest are the last, unless some have lost their path.
  std::vector<Outstanding*> waiting;
  for (auto segment = program.stream.outstanding().rbegin(); segment != program.stream.outstanding().rend();
       ++segment) {
    if (!segment->second.path.empty()) {
      if (!program.rerouted) break;
      continue;
    }
    waiting.push_back(&segment->second);
  }
  for (auto segment = waiting.rbegin(); segment != waiting.rend(); ++segment)
    if (!send_segment(program, **segment)) return;
  program.rerouted = false;
}

bool Forwarder::send_segment(Program& program, Outstanding& segment) {
  bool has_path = false;
  const std::vector<int>* const path = choose_path(program.stream.peer_host(), segment.frame.payload_bytes(), has_path);
  if (path == nullptr) {
    blocked_.insert(program.stream.id());
    if (!has_path) tell_lost(program.stream.peer_host());
    return false;
  }
  segment.path = *path;
  for (std::size_t i = 1; i + 1 < path->size(); ++i)
    under_way_[static_cast<std::size_t>((*path)[i])] += segment.frame.payload_bytes();
  put((*path)[1], program.stream.to_send(segment, *path));
  return true;
}

const std::vector<std::vector<int>>& Forwarder::paths_to(int host) {
  const auto found = paths_.find(host);
  if (found != paths_.end()) return found->second;
  std::vector<std::vector<int>> paths = relay_paths_.shortest(own_, host);
  std::erase_if(paths, [](const auto& path) { return path.size() > max_path_hosts || path.size() < 2; });
  return paths_[host] = std::move(paths);
}

const std::vector<int>* Forwarder::choose_path(int host, std::size_t bytes, bool& has_path) {
  const std::size_t share = map_.share_bytes();
  const std::vector<int>* best = nullptr;
  bool best_is_up = false;
  std::size_t best_load = 0;
  const std::vector<std::vector<int>> paths = paths_to(host);  // a copy: an attempt to connect may lose an edge
  for (const std::vector<int>& path : paths) want_link(path[1]);
  const bool any_up = std::any_of(paths.begin(), paths.end(), [&](const auto& path) {
    return !neighbours_[static_cast<std::size_t>(path[1])].links.empty();
  });
  for (const std::vector<int>& path : paths_to(host)) {
    has_path = true;
    const bool up = !neighbours_[static_cast<std::size_t>(path[1])].links.empty();
    if (any_up && !up) continue;
    std::size_t load = 0;
    for (std::size_t i = 1; i + 1 < path.size(); ++i)
      load = std::max(load, under_way_[static_cast<std::size_t>(path[i])]);
    if (load + bytes > share) continue;
    if (best != nullptr && (best_is_up || !up) && load >= best_load) continue;
    best = &path;
    best_is_up = up;
    best_load = load;
  }
  return best;
}

void Forwarder::released(const Outstanding& segment) {
  for (std::size_t i = 1; i + 1 < segment.path.size(); ++i)
    under_way_[static_cast<std::size_t>(segment.path[i])] -= segment.frame.payload_bytes();
}

void Forwarder::continue_blocked() {
  const std::set<std::uint64_t> waiting = blocked_;
  for (const std::uint64_t id : waiting) {
    const auto found = programs_.find(id);
    if (found == programs_.end()) {
      blocked_.erase(id);
      continue;
    }
    send_outstanding(*found->second);
    if (!end_if_done(id)) update_watch(*found->second);
  }
}

// After a loss: what was under way over lost edges is sent again.
void Forwarder::reroute() {
  for (const auto& [id, program] : programs_) {
    bool again = false;
    for (auto& [number, segment] : program->stream.outstanding()) {
      bool broken = false;
      for (std::size_t i = 0; i + 1 < segment.path.size(); ++i)
        broken |= relay_paths_.is_lost(segment.path[i], segment.path[i + 1]);
      if (!broken) continue;
      released(segment);
      segment.path.clear();
      again = true;
      ++statistics_.sent_again;
    }
    if (again) {
      program->rerouted = true;
      blocked_.insert(id);
    }
    // Acknowledgements may have been lost as well.
    if (!paths_to(program->stream.peer_host()).empty())
      acknowledge(*program);
    else
      tell_lost(program->stream.peer_host());
  }
  continue_blocked();
}

// A neighbour has ended as it should, since no programs needed it; it may be started again.
void Forwarder::send_again_after(int neighbour) {
  for (const auto& [id, program] : programs_) {
    for (auto& [number, segment] : program->stream.outstanding()) {
      if (segment.path.size() < 2 || segment.path[1] != neighbour) continue;
      released(segment);
      segment.path.clear();
      program->rerouted = true;
      blocked_.insert(id);
    }
  }
  continue_blocked();
}

void Forwarder::segment_for_us(Frame frame) {
  const FrameHeader& header = frame.header;
  const std::uint64_t id = header.stream;
  if (gone_.contains(id)) return acknowledge_gone(frame);
  auto found = programs_.find(id);
  if (found == programs_.end()) {
    if ((header.flags & from_opener) == 0) return acknowledge_gone(frame);
    found = programs_
                .emplace(id, std::make_unique<Program>(Descriptor(),
                                                       Stream(id, false, header.path[0], map_.limits.window_bytes)))
                .first;
  }
  Program& program = *found->second;
  program.stream.acknowledged_by(frame, [&](const Outstanding& segment) { released(segment); });
  if (!program.stream.owes_acknowledgement()) program.stream.owed_since_s = forwarding_clock_s();
  program.stream.arrive(std::move(frame));
  owing_.insert(id);
  give_to_program(program);
  if (program.stream.owes_soon()) acknowledge(program);
  if (!end_if_done(id)) update_watch(program);
  if (!blocked_.empty()) continue_blocked();
}

void Forwarder::acknowledgement_for_us(const Frame& frame) {
  const auto found = programs_.find(frame.header.stream);
  if (found == programs_.end()) return;
  Program& program = *found->second;
  program.stream.acknowledged_by(frame, [&](const Outstanding& segment) { released(segment); });
  if (!end_if_done(frame.header.stream)) update_watch(program);
  if (!blocked_.empty()) continue_blocked();
}

void Forwarder::acknowledge(Program& program) {
  const std::vector<std::vector<int>>& paths = paths_to(program.stream.peer_host());
  if (paths.empty()) return;
  const auto up = std::find_if(paths.begin(), paths.end(), [&](const auto& path) {
    return !neighbours_[static_cast<std::size_t>(path[1])].links.empty();
  });
  const std::vector<int> path = up == paths.end() ? paths.front() : *up;
  put(path[1], program.stream.acknowledgement(path));
  owing_.erase(program.stream.id());
}

void Forwarder::acknowledge_gone(const Frame& segment) {
  std::vector<int> back = path_of(segment.header);
  std::reverse(back.begin(), back.end());
  const std::uint64_t number = segment.header.number;
  Frame frame = make_frame(FrameKind::acknowledgement, back, {reinterpret_cast<const char*>(&number), sizeof number});
  frame.header.stream = segment.header.stream;
  if (back.size() > 1) put(back[1], std::move(frame));
}

void Forwarder::connect_program(Program& program, const Frame& opening) {
  StreamEnds ends;
  if (opening.payload_bytes() != sizeof ends) return drop_program(program, true);
  std::memcpy(&ends, opening.payload->data(), sizeof ends);
  const ForwardingHost& own = map_.hosts[static_cast<std::size_t>(own_)];
  const bool ours = std::find(own.addresses.begin(), own.addresses.end(), ends.address) != own.addresses.end();
  Descriptor connection(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in from{};
  from.sin_family = AF_INET;
  from.sin_addr.s_addr = htonl(address_of_forwarders);
  sockaddr_in to = from;
  to.sin_addr.s_addr = htonl(ends.address);
  to.sin_port = htons(ends.port);
  const int on = 1;
  setsockopt(connection.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  const bool made = ours && bind(connection.get(), reinterpret_cast<const sockaddr*>(&from), sizeof from) == 0 &&
                    connect(connection.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0 &&
                    send(connection.get(), &ends, sizeof ends, MSG_NOSIGNAL) == sizeof ends;
  if (!made) return drop_program(program, true);
  program.socket = std::move(connection);
  program.connected = true;
}

void Forwarder::give_to_program(Program& program) {
  while (const Frame* const next = program.stream.next()) {
    const std::uint8_t flags = next->header.flags;
    if ((flags & opens) != 0 && !program.connected) {
      const Frame opening = *next;
      program.stream.taken();
      connect_program(program, opening);
      continue;
    }
    if (!program.socket.is_open()) {  // nobody wants it
      program.stream.taken();
      continue;
    }
    if (const std::size_t left = next->payload_bytes() - program.given_bytes; left > 0) {
      const ssize_t count =
          send(program.socket.get(), next->payload->data() + program.given_bytes, left, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (only_later(count)) break;
      if (count < 0) {
        drop_program(program, true);
        continue;
      }
      program.given_bytes += static_cast<std::size_t>(count);
      if (static_cast<std::size_t>(count) < left) break;
    }
    program.given_bytes = 0;
    program.stream.taken();
    if ((flags & resets) != 0) {
      drop_program(program, false);
    } else if ((flags & ends) != 0) {
      shutdown(program.socket.get(), SHUT_WR);
    }
  }
  if (program.stream.owes_soon()) acknowledge(program);
}

// The program is gone, or the one at the other end is (then this one's connection is reset).
void Forwarder::drop_program(Program& program, bool tell_peer) {
  if (program.socket.is_open() && !tell_peer) {
    const linger at_once{1, 0};
    setsockopt(program.socket.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  }
  forget(program.socket);
  program.connected = program.reset = true;
  program.given_bytes = 0;
  if (program.stream.sent_end()) return;
  program.ended = true;
  program.stream.add(tell_peer ? resets : ends, {});
  send_outstanding(program);
}

void Forwarder::update_watch(Program& program) {
  if (!program.socket.is_open()) return;
  const bool takes = !program.ended && program.stream.room() > 0 && !blocked_.contains(program.stream.id());
  const bool gives = program.stream.next() != nullptr;
  const std::uint32_t events = (takes ? EPOLLIN : 0U) | (gives ? EPOLLOUT : 0U);
  if (events == program.watched) return;
  program.watched = events;
  if (events == 0 && program.ended && program.stream.got_end()) {
    forget(program.socket);  // nothing more will come or leave
    return;
  }
  if (events == 0)
    unwatch(program.socket.get());  // else the loop would never sleep after the program's end
  else
    watch(program.socket.get(), {Watched::Kind::program, program.stream.id()}, events);
}

bool Forwarder::end_if_done(std::uint64_t id) {
  const auto found = programs_.find(id);
  if (found == programs_.end()) return true;
  Program& program = *found->second;
  const bool done =
      program.stream.sent_end() && program.stream.outstanding().empty() && (program.stream.got_end() || program.reset);
  if (!done) return false;
  if (program.stream.owes_acknowledgement()) acknowledge(program);
  forget(program.socket);
  blocked_.erase(id);
  owing_.erase(id);
  gone_.insert(id);
  programs_.erase(found);
  return true;
}

}  // namespace isthmus
