#include "sim/message_times.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <queue>
#include <simgrid/kernel/Timer.hpp>
#include <simgrid/kernel/resource/Action.hpp>
#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/kernel/resource/NetworkModelIntf.hpp>
#include <simgrid/s4u.hpp>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace isthmus {
namespace {

namespace s4u = simgrid::s4u;
namespace resource = simgrid::kernel::resource;
using Links = std::vector<s4u::Link*>;
using Zones = std::unordered_set<s4u::NetZone*>;

// SMPI adds an envelope of its own to every message.
constexpr double kEnvelope_bytes = 16;
// Makes the bytes of a message cost nothing in SimGrid's reckoning.
constexpr double kNoCost = 1e12;
// What SimGrid is told of a message whose arrival is not yet known: not before the end of any simulation.
constexpr double kNotYet_s = 1e15;
// SimGrid multiplies the latency of a route; one without latency is given this one, which then counts nowhere.
constexpr double kSome_s = 1e-9;

// Links crossed in turn. Each message goes from link to link as an event; SimGrid sees nothing but a latency that ends
// when its tail has arrived, and shares nothing.
class Queues {
 public:
  Queues(const s4u::Engine& engine, resource::Model& model) : model_(model) {
    for (s4u::Link* link : engine.get_all_links()) {
      lines_.try_emplace(link, Line{link->get_bandwidth(), link->get_latency(),
                                    link->get_sharing_policy() == s4u::Link::SharingPolicy::SHARED, 0});
      if (link->get_latency() <= 0) link->set_latency(kSome_s);
    }
  }

  // A message leaves now. The factor on the latency that SimGrid knows of its route.
  double leave(double bytes, const Links& links) {
    Message message{nullptr, {}, bytes, 0, s4u::Engine::get_clock(), s4u::Engine::get_clock()};
    double known_s = 0;
    for (const s4u::Link* link : links) {
      message.lines.push_back(&lines_.at(link));
      known_s += link->get_latency();
    }
    const double now_s = message.head_s;
    if (advance(message)) return (message.tail_s - now_s) / known_s;
    // SimGrid has just made the action of this message, the last of those under way.
    message.action = &model_.get_started_action_set()->back();
    await(std::move(message));
    return kNotYet_s / known_s;
  }

 private:
  struct Line {
    double bandwidth_Bps;
    double latency_s;
    bool shared;
    double free_s;
  };

  struct Message {
    resource::Action* action;
    std::vector<Line*> lines;
    double bytes;
    std::size_t next;       // the line that the head has reached
    double head_s, tail_s;  // when head and tail reach it
  };

  // Lines are reached in the order of time, and at the same time in the order in which the messages left.
  struct Event {
    double instant_s;
    std::uint64_t number;
    std::shared_ptr<Message> message;
    bool operator>(const Event& other) const {
      return std::pair(instant_s, number) > std::pair(other.instant_s, other.number);
    }
  };

  // Crosses the lines that the head reaches now. Cut-through: the head moves on after a line's latency; the tail leaves
  // a line when all bytes have crossed it, and not before it has come. True when the last line is behind the head: then
  // all is settled. Uncontended, the tail arrives after the sum of the latencies + bytes / the least bandwidth.
  static bool advance(Message& message) {
    const double now_s = message.head_s;
    while (message.next < message.lines.size() && message.head_s <= now_s) {
      Line& line = *message.lines[message.next++];
      const double crossing_s = message.bytes / line.bandwidth_Bps;
      if (line.shared) {
        message.head_s = std::max(message.head_s, line.free_s);
        line.free_s = message.head_s + crossing_s;
      }
      message.tail_s = std::max(message.head_s + crossing_s, message.tail_s) + line.latency_s;
      message.head_s += line.latency_s;
    }
    return message.next == message.lines.size();
  }

  void await(Message message) {
    const double instant_s = message.head_s;
    events_.push({instant_s, ++last_number_, std::make_shared<Message>(std::move(message))});
    simgrid::kernel::timer::Timer::set(instant_s, [this] { run_due(); });
  }

  void run_due() {
    while (!events_.empty() && events_.top().instant_s <= s4u::Engine::get_clock()) {
      const Event event = events_.top();
      events_.pop();
      Message& message = *event.message;
      if (advance(message)) {
        model_.get_action_heap().update(message.action, message.tail_s, resource::ActionHeap::Type::latency);
      } else {
        events_.push({message.head_s, event.number, event.message});
        simgrid::kernel::timer::Timer::set(message.head_s, [this] { run_due(); });
      }
    }
  }

  resource::Model& model_;
  std::unordered_map<const s4u::Link*, Line> lines_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::uint64_t last_number_ = 0;
};

class MessageTimes {
 public:
  MessageTimes(const s4u::Engine& engine, const Network& network) : header_bytes_(network.transport.header_bytes) {
    for (const Host& host : network.hosts) {
      const s4u::Host* found = engine.host_by_name_or_null(host.name);
      if (found != nullptr && !host.loopback.empty()) loops_back_.insert(found);
    }
  }

  void use_queues(const s4u::Engine& engine, resource::Model& model) {
    queues_ = std::make_unique<Queues>(engine, model);
  }

  // SimGrid asks for the factor on the bandwidth as a message leaves, and right afterwards for that on the latency.
  double bandwidth_factor(double size, const s4u::Host* from, const s4u::Host* to, const Links& links) {
    const double bytes = std::max(0.0, size - kEnvelope_bytes) + header_bytes_;
    latency_factor_ = 1;
    if (from == to && !loops_back_.contains(from)) {
      latency_factor_ = 0;
      return kNoCost;
    }
    if (queues_ == nullptr) return bytes > 0 ? size / bytes : kNoCost;
    latency_factor_ = queues_->leave(bytes, links);
    return kNoCost;
  }

  double latency_factor() const { return latency_factor_; }

 private:
  double header_bytes_;
  std::unordered_set<const s4u::Host*> loops_back_;
  std::unique_ptr<Queues> queues_;
  double latency_factor_ = 1;
};

}  // namespace

void set_message_times(const s4u::Engine& engine, const Network& network, Queueing queueing) {
  const auto times = std::make_shared<MessageTimes>(engine, network);
  resource::NetworkModelIntf* model = engine.get_netzone_root()->get_network_model();
  if (queueing == Queueing::fifo) {
    auto* actions = dynamic_cast<resource::Model*>(model);
    if (actions == nullptr) throw std::logic_error("SimGrid's network model holds no actions; SimGrid 3.32 is needed");
    times->use_queues(engine, *actions);
  }
  model->set_bw_factor_cb([times](double size, const s4u::Host* from, const s4u::Host* to, const Links& links,
                                  const Zones&) { return times->bandwidth_factor(size, from, to, links); });
  model->set_lat_factor_cb([times](double, const s4u::Host*, const s4u::Host*, const Links&, const Zones&) {
    return times->latency_factor();
  });
}

}  // namespace isthmus
