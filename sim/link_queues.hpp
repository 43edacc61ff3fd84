// Links that messages cross in turn, implemented by timers of the simulation.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <queue>
#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/s4u.hpp>
#include <unordered_map>
#include <utility>
#include <vector>

#include "algorithms/network/ambient_traffic.hpp"
#include "algorithms/network/network.hpp"
#include "sim/known_instants.hpp"

namespace isthmus {

struct LinkQueue;

/// A message of the simulation, from its send to its receive.
struct SimulatedMessage {
  const simgrid::s4u::Host *from = nullptr, *to = nullptr;
  double bytes = 0;               ///< without header
  std::int64_t sender = 0;        ///< of messages that reach a link together the one from the lowest sender goes first,
  std::uint64_t number = 0;       ///< and of one sender the one that was sent first
  std::int64_t receiver = 0;      ///< 0: not known
  double head_s = 0, tail_s = 0;  ///< when they reach the next link
  bool has_left = false, has_arrived = false;
  bool is_posted = false;  ///< its receive; not known of messages outside plans
  bool is_ready = false;   ///< for a message of a plan: SimGrid begins with it at this moment
  double begun_s = 0;      ///< when SimGrid began with it; for a synchronous message, at its receive
  double end_s = -1;       ///< when SimGrid ends it; negative: not known
  double taken_in_s = -1;  ///< when the receiver's processor is done with it; negative: not known
  int flow = -1;           ///< the source of ambient traffic, if the message is one of its frames; -1: none
  /// With ambient traffic messages cross links frame by frame: the message of a frame, the frame's index in it, and the
  /// number of a message's frames that have not arrived.
  std::shared_ptr<SimulatedMessage> whole = nullptr;
  int frame = 0, missing_frames = 1;
  const std::vector<LinkQueue*>* links = nullptr;  ///< none: it costs nothing
  /// For the acknowledgements of another message: their number, and the links of that message.
  int acknowledgements = 0;
  const std::vector<LinkQueue*>* acknowledged_links = nullptr;
  double slowest_Bps = 0;  ///< of these links
  std::size_t next_link = 0;
  simgrid::kernel::resource::Action* action = nullptr;  ///< its action in SimGrid
};
using MessagePointer = std::shared_ptr<SimulatedMessage>;

/// Each message goes from link to link as an event. SimGrid sees only a latency that ends when the tail has arrived,
/// and does not share bandwidth.
class LinkQueues {
 public:
  /// `arrived` is called for each message as soon as the arrival time of its tail is known, which may be in the future;
  /// it has to call end() sooner or later. `on_delayed` is called when this time no longer holds; `arrived` is then
  /// called again. `unarrived` is called for a message that never arrives because a link is cut for good.
  LinkQueues(const simgrid::s4u::Engine& engine, const Network& network, simgrid::kernel::resource::Model& model,
             KnownInstants& instants, std::function<void(const MessagePointer&)> arrived,
             std::function<void(const MessagePointer&)> on_delayed, const Conditions& conditions,
             std::function<void()> unarrived);
  ~LinkQueues();

  /// Sends a message at its head_s. One that costs nothing arrives at its tail_s.
  void leave(const MessagePointer& message);

  /// Lets SimGrid end a message at this instant.
  void end(SimulatedMessage& message, double instant_s);

  /// The steps of links that change count from this instant on.
  void start_at(double instant_s);

  /// Called when SimGrid begins with a message that has left; returns the factor on the latency of its route.
  double latency_factor(SimulatedMessage& message);

 private:
  // The head of a message reaches a link; events are processed in order of time.
  struct Event {
    double head_s;
    MessagePointer message;
    bool operator>(const Event& other) const;
  };
  struct Way {
    std::vector<LinkQueue*> links;
    double known_s = 0;  // its latency in SimGrid
  };

  const Way& way_of(const simgrid::s4u::Host* from, const simgrid::s4u::Host* to);
  void await(const MessagePointer& message);
  void cross_due();
  double crossing_s(LinkQueue& link, const SimulatedMessage& message) const;
  void cross(const MessagePointer& message);
  void cross(LinkQueue& link, const MessagePointer& message);
  void cross_back(LinkQueue& link, const MessagePointer& acknowledgements);
  void acknowledge(const SimulatedMessage& message);
  void finish(const MessagePointer& message);
  void on_delayed(const MessagePointer& message, const LinkQueue& link, double done_s);
  void cross_ambient(const MessagePointer& frame);
  void send_next(int flow);

  // A source of ambient traffic.
  struct Flow {
    AmbientTimes times;
    const std::vector<LinkQueue*>* links;
  };

  const Network& network_;
  simgrid::kernel::resource::Model& model_;
  KnownInstants& instants_;
  std::function<void(const MessagePointer&)> arrived_, on_delayed_;
  std::unordered_map<const simgrid::s4u::Link*, std::unique_ptr<LinkQueue>> links_;
  std::map<std::pair<const simgrid::s4u::Host*, const simgrid::s4u::Host*>, Way> ways_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  double timer_s_ = -1;  // the timer set last
  std::function<void()> unarrived_;
  std::vector<Flow> flows_;
};

}  // namespace isthmus
