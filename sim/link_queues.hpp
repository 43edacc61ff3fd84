// Links that messages cross in turn, as timers of a simulation.
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

/// A message of the simulation, from its send until its receiver has it.
struct SimulatedMessage {
  const simgrid::s4u::Host *from = nullptr, *to = nullptr;
  double bytes = 0;               ///< without header
  std::int64_t sender = 0;        ///< of messages that reach a link together that of the lowest sender goes first,
  std::uint64_t number = 0;       ///< and of one sender that which was sent first
  double head_s = 0, tail_s = 0;  ///< when they are before the next link
  bool has_left = false, has_arrived = false;
  double begun_s = 0;      ///< when SimGrid began with it: a synchronous one with its receive
  double taken_in_s = -1;  ///< when its receiver's processor is done with it; negative: not known
  int flow = -1;           ///< of ambient traffic, whose frames nobody waits for; -1: none
  /// Where there is ambient traffic, messages cross links as the frames that they are: the message of a frame, the
  /// frame's number in it, and how many of a message's have not arrived.
  std::shared_ptr<SimulatedMessage> whole = nullptr;
  int frame = 0, missing_frames = 1;
  const std::vector<LinkQueue*>* links = nullptr;
  std::size_t next_link = 0;
  simgrid::kernel::resource::Action* action = nullptr;  ///< what SimGrid knows of it
};
using MessagePointer = std::shared_ptr<SimulatedMessage>;

/// Each message goes from link to link as an event; SimGrid sees nothing but a latency that ends when its tail has
/// arrived, and shares nothing.
class LinkQueues {
 public:
  /// `arrived` is told of each message as soon as it is known when its tail arrives, which may be later; `on_delayed`
  /// that what it was told does not hold, and `arrived` then once more; `unarrived` that one will never, its link being
  /// cut for good.
  LinkQueues(const simgrid::s4u::Engine& engine, const Network& network, simgrid::kernel::resource::Model& model,
             Instants& instants, std::function<void(const MessagePointer&)> arrived,
             std::function<void(const MessagePointer&)> on_delayed, const Conditions& conditions,
             std::function<void()> unarrived);
  ~LinkQueues();

  /// Lets a message go at its head_s.
  void leave(const MessagePointer& message);

  /// Links that change do so as their steps say from this instant on.
  void start_at(double instant_s);

  /// SimGrid begins with a message that has left; what it has to multiply the latency of its route with.
  double latency_factor(SimulatedMessage& message);

 private:
  // Links are reached in the order of time.
  struct Event {
    double head_s;
    MessagePointer message;
    bool operator>(const Event& other) const;
  };
  struct Way {
    std::vector<LinkQueue*> links;
    double known_s = 0;  // its latency, for SimGrid
  };

  const Way& way_of(const simgrid::s4u::Host* from, const simgrid::s4u::Host* to);
  void await(const MessagePointer& message);
  void cross_due();
  double crossing_s(LinkQueue& link, const SimulatedMessage& message) const;
  void cross(const MessagePointer& message);
  void cross(LinkQueue& link, const MessagePointer& message);
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
  Instants& instants_;
  std::function<void(const MessagePointer&)> arrived_, on_delayed_;
  std::unordered_map<const simgrid::s4u::Link*, std::unique_ptr<LinkQueue>> links_;
  std::map<std::pair<const simgrid::s4u::Host*, const simgrid::s4u::Host*>, Way> ways_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  double timer_s_ = -1;  // the last that was set
  std::function<void()> unarrived_;
  std::vector<Flow> flows_;
};

}  // namespace isthmus
