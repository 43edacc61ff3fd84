// The forwarder of one host: a loop without threads that carries the connections of the host's programs to hosts
// without a route, in segments, and passes on those of others.
//
// A program's connection is a stream (stream.hpp). Each of its segments takes one of the paths with the fewest hops,
// the one on whose gateways the host has the least under way. A host may have share_bytes() on its way through a
// gateway, until the destination acknowledges; so what a gateway holds is bounded, and it never stops reading: no path
// waits for another. A stream's window bounds what waits at the destination for a program that does not read.
//
// A neighbour is lost when its connection breaks or when it says nothing for timeout_s. Every forwarder is told, and
// sends what was under way there by another path. Where none is left, the watchers (the programs of the host) are told
// which host is lost; its streams stay open and silent. They say which hosts they need: a program that only waits for a
// message has no stream to the one that is to send it.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "algorithms/forwarding/forwarder_link.hpp"
#include "algorithms/forwarding/forwarding_map.hpp"
#include "algorithms/forwarding/relay_paths.hpp"
#include "algorithms/forwarding/stream.hpp"
#include "algorithms/process/descriptor.hpp"

namespace isthmus {

struct ForwarderOptions {
  bool stays = false;      ///< until it is ended, else until no programs need it
  std::string statistics;  ///< a file to which a line of JSON is appended at the end; empty: none
};

/// Counted from the start.
struct ForwardingStatistics {
  std::uint64_t forwarded_segments = 0, forwarded_bytes = 0;  ///< for other hosts
  std::uint64_t sent_segments = 0, sent_bytes = 0;            ///< for own programs
  std::uint64_t sent_again = 0;
  std::size_t most_held_bytes = 0;  ///< payload of other hosts' segments, at any time
};

class Forwarder {
 public:
  /// Listens. Throws Refused: the port is taken, among others. Its end without a goodbye is a gateway's death.
  Forwarder(ForwardingMap map, int own_host, ForwarderOptions options = {});
  ~Forwarder();
  Forwarder(const Forwarder&) = delete;
  Forwarder& operator=(const Forwarder&) = delete;

  /// One round of the loop; waits at most this long. False when nobody needs the forwarder any more.
  bool step(double wait_s);
  const ForwardingStatistics& statistics() const { return statistics_; }

 private:
  struct Greeted {
    Descriptor socket;
    std::string bytes;
  };
  struct Watcher {
    Descriptor socket;
    std::string bytes;  ///< of a line that has not ended
  };
  struct Neighbour {
    std::vector<ForwarderLink*> links;    ///< that are up: two, if both sides have connected at the same time
    ForwarderLink* connecting = nullptr;  ///< the one that is to be
    double first_tried_s = -1, next_try_s = 0;
    std::size_t next_address = 0;
    bool was_up = false;
    std::deque<Frame> waiting;  ///< until the link is up
  };
  struct Program {
    Program(Descriptor program_socket, Stream its_stream)
        : socket(std::move(program_socket)), stream(std::move(its_stream)) {}
    Descriptor socket;  ///< closed: gone, or not yet connected
    Stream stream;
    std::size_t given_bytes = 0;  ///< of the next segment
    std::uint32_t watched = 0;
    bool connected = false, ended = false, reset = false;
    bool rerouted = false;  ///< segments other than the newest have no path
  };
  struct Watched {
    enum class Kind : std::uint8_t { listener, greeting, watcher, link, program } kind;
    std::uint64_t id;  ///< of the link or stream
  };

  // forwarder.cpp: the loop, connections
  void watch(int socket, Watched what, std::uint32_t events);
  void unwatch(int socket);
  void forget(Descriptor& socket);
  void handle(int socket, std::uint32_t events);
  void take_connections();
  void read_greeting(int socket);
  void welcome(Descriptor socket, const Greeting& greeting);
  double until_next_task_s(double now) const;
  void do_timed_tasks();
  /// Whether programs of this host are there, or bytes of one that has ended still have to leave.
  bool programs_need_forwarding() const;
  bool is_needed() const;
  void say_goodbye();
  void write_statistics() const;

  // forwarder_watchers.cpp: watchers
  void welcome_watcher(Descriptor socket);
  static void refuse_watcher(const Descriptor& socket);
  void hear_watcher(int socket);
  void need(int host);
  void tell_programs();
  void tell_lost(int host);
  void tell_lost_of_needed();

  // forwarder_neighbours.cpp: neighbours
  void want_link(int host);
  void try_link(int host);
  ForwarderLink& add_link(Descriptor socket, int host, std::string greeting);
  void link_is_up(ForwarderLink& link);
  void link_event(std::uint64_t id, std::uint32_t events);
  void flush(ForwarderLink& link);
  void flush_all();
  void end_link(ForwarderLink& link);
  void lose_edge(int a, int b);
  void put(int host, Frame frame);
  void receive(Frame frame);
  void pass_on(Frame frame);

  // forwarder_streams.cpp: streams of own programs
  void open_stream(Descriptor socket, const Greeting& greeting);
  void program_event(std::uint64_t id, std::uint32_t events);
  void take_from_program(Program& program);
  void give_to_program(Program& program);
  void connect_program(Program& program, const Frame& opening);
  void drop_program(Program& program, bool tell_peer);
  void segment_for_us(Frame frame);
  void acknowledgement_for_us(const Frame& frame);
  void send_outstanding(Program& program);
  bool send_segment(Program& program, Outstanding& segment);
  void acknowledge(Program& program);
  void acknowledge_gone(const Frame& segment);
  void update_watch(Program& program);
  void continue_blocked();
  void reroute();
  void send_again_after(int neighbour);
  bool end_if_done(std::uint64_t id);
  void released(const Outstanding& segment);
  const std::vector<std::vector<int>>& paths_to(int host);
  /// Null: no path now, for want of credit if `has_path`.
  const std::vector<int>* choose_path(int host, std::size_t bytes, bool& has_path);

  ForwardingMap map_;
  int own_;
  ForwarderOptions options_;
  ForwardingStatistics statistics_;
  RelayPaths relay_paths_;
  std::map<int, std::vector<std::vector<int>>> paths_;  // by destination; empty after a change
  Descriptor epoll_, listener_;
  std::unordered_map<int, Watched> watched_;
  std::unordered_map<int, Greeted> greeted_;
  std::unordered_map<int, Watcher> watchers_;
  std::vector<Neighbour> neighbours_;  // by host
  std::unordered_map<std::uint64_t, std::unique_ptr<ForwarderLink>> links_;
  std::set<std::uint64_t> to_flush_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Program>> programs_;
  std::set<std::uint64_t> blocked_;  // streams that wait for credit
  std::set<std::uint64_t> owing_;    // streams that owe an acknowledgement
  std::set<std::uint64_t> gone_;     // streams that have ended; kept to the end, as segments may still be under way
  std::set<int> needed_hosts_, lost_hosts_;
  std::vector<std::size_t> under_way_;  // by gateway: own bytes
  std::size_t held_bytes_ = 0;
  std::uint64_t next_stream_;  // begins at random: a forwarder that is started again does not use a number again
  std::uint64_t links_made_ = 0;
  double started_s_, unneeded_since_s_ = -1;
  bool had_programs_ = false;
  bool told_need_ = false;  // what neighbours know of programs_need_forwarding()
};

/// What watchers are told: first one of the answers to their greeting, later of lost hosts. What they say: that their
/// job has ranks on a host.
inline constexpr std::string_view welcome_line = "welcome\n";
inline constexpr std::string_view refused_line = "refused\n";  ///< the forwarder is of another network or key
inline std::string lost_line(int host) { return "lost " + std::to_string(host) + "\n"; }
inline std::string need_line(int host) { return "need " + std::to_string(host) + "\n"; }

/// Monotonic.
double forwarding_clock_s();

}  // namespace isthmus
