#include "sim/message_times.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <simgrid/kernel/Timer.hpp>
#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/kernel/resource/NetworkModelIntf.hpp>
#include <simgrid/s4u.hpp>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

// Included after SimGrid's C++ headers: SMPI's headers define macros that break them.
#include <smpi/smpi.h>

#include "sim/known_instants.hpp"
#include "sim/link_queues.hpp"
#include "sim/processors.hpp"

namespace isthmus {
namespace {

namespace s4u = simgrid::s4u;
namespace resource = simgrid::kernel::resource;
using Links = std::vector<s4u::Link*>;
using NetZones = std::unordered_set<s4u::NetZone*>;

// SMPI adds an envelope of its own to every message.
constexpr double envelope_bytes = 16;
// A bandwidth factor with which the bytes of a message take no time in SimGrid.
constexpr double no_cost = 1e12;

/// Messages by their hosts, in order of insertion.
class Shelf {
 public:
  void put(const MessagePointer& message) { messages_[{message->from, message->to}].push_back(message); }

  bool has_ready(const s4u::Host* from, const s4u::Host* to) {
    return std::ranges::any_of(messages_[{from, to}], [](const MessagePointer& message) { return message->is_ready; });
  }

  /// One of this size: the one that is ready, or else the first; null where there is none.
  MessagePointer take(const s4u::Host* from, const s4u::Host* to, double bytes) {
    std::deque<MessagePointer>& line = messages_[{from, to}];
    const auto is_ready = [bytes](const MessagePointer& one) { return one->bytes == bytes && one->is_ready; };
    auto found = std::ranges::find_if(line, is_ready);
    if (found == line.end()) found = std::ranges::find(line, bytes, &SimulatedMessage::bytes);
    if (found == line.end()) return nullptr;
    MessagePointer message = *found;
    line.erase(found);
    return message;
  }

 private:
  std::map<std::pair<const s4u::Host*, const s4u::Host*>, std::deque<MessagePointer>> messages_;
};

/// The messages of a lane that have been sent and not received; receives may complete in another order.
class SentInLane {
 public:
  void put(const MessagePointer& message) {
    const std::int64_t number = received_ + static_cast<std::int64_t>(messages_.size());
    message->is_posted = number < posted_;
    messages_.push_back(message);
  }

  /// Null if it is not sent yet.
  MessagePointer find(std::int64_t number) const {
    const auto index = static_cast<std::size_t>(number - received_);
    return index < messages_.size() ? messages_[index] : nullptr;
  }

  /// The receive of a message is posted, after those of the messages before it. The message; null if it is not sent
  /// yet.
  MessagePointer post(std::int64_t number) {
    posted_ = number + 1;
    const MessagePointer message = find(number);
    if (message != nullptr) message->is_posted = true;
    return message;
  }

  MessagePointer take(std::int64_t number) {
    const MessagePointer message = std::exchange(messages_.at(static_cast<std::size_t>(number - received_)), nullptr);
    for (; !messages_.empty() && messages_.front() == nullptr; ++received_) messages_.pop_front();
    return message;
  }

 private:
  std::deque<MessagePointer> messages_;
  std::int64_t received_ = 0;  // before those in the list
  std::int64_t posted_ = 0;
};

class MessageTimes {
 public:
  MessageTimes(const s4u::Engine& engine, const Network& network) : network_(network), processors_(network) {
    for (const Host& host : network.hosts) {
      const s4u::Host* found = engine.host_by_name_or_null(host.name);
      if (found != nullptr && !host.loopback.empty()) loops_back_.insert(found);
    }
  }

  void use_queues(const s4u::Engine& engine, resource::Model& model, const LinkConditions& link_conditions) {
    queues_.emplace(
        engine, network_, model, instants_, [this](const MessagePointer& message) { arrives(message); },
        [this](const MessagePointer& message) { processors_.expect_no_longer(message->receiver, message); },
        link_conditions.conditions, link_conditions.unarrived);
  }

  void start_at(double instant_s) {
    if (queues_) queues_->start_at(instant_s);
  }

  // ---- hooks of SMPI, called by a rank's actor: how long an operation takes

  /// A send. The message leaves when the processor begins with it, or when its receive is posted; SimGrid begins with
  /// it when this function has returned or when the receive is posted.
  double send(double bytes, const s4u::Host* from, const s4u::Host* to) {
    const auto message = std::make_shared<SimulatedMessage>();
    message->from = from;
    message->to = to;
    message->bytes = bytes;
    message->sender = s4u::this_actor::get_pid();
    message->number = ++sent_;
    if (is_free(from, to)) message->links = &no_links_;
    const double now_s = now();
    Processors::Work work{now_s, now_s};
    if (!processors_.cost_nothing()) work = processors_.send(message->sender, now_s, *message);
    message->head_s = work.begin_s;
    message->tail_s = work.end_s;
    const auto next = next_send_.find(message->sender);
    const bool is_of_plan = next != next_send_.end();
    const bool waits_for_receive = !is_eager(bytes) || (is_of_plan && next->second.synchronous);
    if (is_of_plan) {
      const MessageLane lane = next->second.lane;
      message->receiver = message->sender + lane.to_rank - lane.from_rank;  // actors are numbered like ranks
      sent_in_[lane].put(message);
      if (next->second.synchronous) last_synchronous_[lane] = message;
      next_send_.erase(next);
    } else {
      if (to->get_actor_count() == 1) message->receiver = to->get_all_actors().front()->get_pid();
      if (!processors_.cost_nothing() && is_eager(bytes)) sent_to_.put(message);
    }
    if (queues_ && (is_eager(bytes) || message->is_posted)) queues_->leave(message);
    // Sleeps here and not in SMPI, so that SimGrid begins with the message at once, if it does not wait for its
    // receive.
    hold_up_until(work.end_s);
    if (is_of_plan) let_others_begin(message);
    if (is_of_plan && (!waits_for_receive || message->is_posted)) message->is_ready = true;
    announced_.put(message);
    return 0;
  }

  /// The receive of an eager message. SMPI calls this for no other messages, and does not say which of several it is;
  /// messages of a plan are handled elsewhere.
  double receive(double bytes, const s4u::Host* from, const s4u::Host* to) {
    if (processors_.cost_nothing()) return 0;
    const MessagePointer message = sent_to_.take(from, to, bytes);
    return message == nullptr ? 0 : seconds_until(done_with(message));
  }

  // ---- called by a plan's executor about its messages

  void sending(const MessageLane& lane, bool synchronous) {
    next_send_[s4u::this_actor::get_pid()] = {lane, synchronous};
  }

  void posting(const MessageLane& lane, std::int64_t number) {
    SentInLane& sent = sent_in_[lane];
    if (const MessagePointer message = sent.find(number); message != nullptr) let_others_begin(message);
    const MessagePointer message = sent.post(number);
    if (!queues_ || message == nullptr) return;
    message->is_ready = true;
    if (!message->has_left) leave_now(message);
  }

  bool has_come(const MessageLane& lane, std::int64_t number) {
    const MessagePointer message = sent_in_[lane].find(number);
    return message != nullptr && message->end_s >= 0 && message->end_s <= now();
  }

  void take_in(const MessageLane& lane, std::int64_t number) {
    const MessagePointer message = sent_in_[lane].take(number);
    if (processors_.cost_nothing()) return;
    if (!is_eager(message->bytes) && (queues_ || message->links == nullptr))
      return;  // SimGrid ends it when that is done
    hold_up_until(done_with(message));
  }

  // ---- hooks of SimGrid when a message leaves: the factor on the bandwidth, then the factor on the latency

  double bandwidth_factor(double size, const s4u::Host* from, const s4u::Host* to) {
    const double bytes = std::max(0.0, size - envelope_bytes);
    latency_factor_ = 1;
    MessagePointer message = announced_.take(from, to, bytes);
    if (is_free(from, to) && (!queues_ || processors_.cost_nothing() || is_eager(bytes))) {
      latency_factor_ = 0;
      return no_cost;
    }
    if (!queues_) {
      const double sent_bytes = bytes + network_.transport.header_bytes;
      return sent_bytes > 0 ? size / sent_bytes : no_cost;
    }
    if (message == nullptr) {  // SMPI does not call the send hook for blocking sends of large messages
      message = std::make_shared<SimulatedMessage>();
      message->from = from;
      message->to = to;
      message->bytes = bytes;
      message->sender = std::numeric_limits<std::int64_t>::max();
      if (is_free(from, to)) message->links = &no_links_;
      message->number = ++sent_;
    }
    message->begun_s = now();
    if (!message->has_left) leave_now(message);
    latency_factor_ = queues_->latency_factor(*message);
    return no_cost;
  }

  double latency_factor() const { return latency_factor_; }

  // ---- other operations of ranks

  void sleep_until(double instant_s) {
    if (!processors_.cost_nothing()) {
      processors_.leave_until(s4u::this_actor::get_pid(), now(), in_ticks(instant_s));
    }
    instants_.add(in_ticks(instant_s));
    s4u::this_actor::sleep_until(instant_s);
  }

  /// The calling rank's last synchronous send in the lane has ended in SMPI: the receiver has the message.
  void await_acknowledgement(const MessageLane& lane, double way_back_s) {
    double received_s = now();
    if (const auto last = last_synchronous_.find(lane); queues_ && last != last_synchronous_.end()) {
      const MessagePointer& message = last->second;
      received_s = std::max(message->begun_s, message->tail_s);
      if (!processors_.cost_nothing()) received_s = std::max(received_s, taken_in_s(message));
    }
    const double instant_s = received_s + in_ticks(way_back_s);
    if (instant_s <= now()) return;
    instants_.add(instant_s);
    s4u::this_actor::sleep_until(instant_s);
  }

  void reduce(double bytes) {
    if (network_.transport.reduction_s_per_byte <= 0) return;
    hold_up_until(processors_.reduce(s4u::this_actor::get_pid(), now(), bytes).end_s);
  }

 private:
  double now() {
    const double clock_s = s4u::Engine::get_clock();
    const auto gone_on = gone_on_.find(s4u::this_actor::get_pid());
    return gone_on != gone_on_.end() && gone_on->second.clock_s == clock_s ? gone_on->second.instant_s
                                                                           : instants_.at(clock_s);
  }
  bool is_free(const s4u::Host* from, const s4u::Host* to) const { return from == to && !loops_back_.contains(from); }
  bool is_eager(double bytes) const { return bytes <= static_cast<double>(network_.transport.eager_bytes); }

  /// When the calling rank's processor is done with a message that has arrived.
  double done_with(const MessagePointer& message) {
    if (!queues_) message->head_s = message->tail_s = now();  // only SimGrid knows when it arrived
    return processors_.receive(s4u::this_actor::get_pid(), now(), message);
  }

  /// For a message that has arrived.
  double taken_in_s(const MessagePointer& message) {
    return message->receiver > 0 ? processors_.taken_in_s(message->receiver, now(), *message) : message->tail_s;
  }

  // SimGrid does not say of which ranks the message is with which it begins. So those between the same two hosts, which
  // may be of the same size, begin one after the other, at the same instant.
  void let_others_begin(const MessagePointer& message) {
    while (announced_.has_ready(message->from, message->to)) s4u::this_actor::yield();
  }

  void leave_now(const MessagePointer& message) {
    message->head_s = std::max(message->head_s, now());
    message->tail_s = std::max(message->tail_s, message->head_s);
    queues_->leave(message);
  }

  // SimGrid ends a sleep before the messages that arrive at the same moment, which the rank must see.
  double seconds_until(double instant_s) {
    if (processors_.cost_nothing()) return 0;
    instants_.add(instant_s);
    const double seconds = instant_s - s4u::Engine::get_clock();
    return seconds > clock_precision_s ? seconds + ranks_go_on_after_s : 0;
  }

  void hold_up_until(double instant_s) {
    const double seconds = seconds_until(instant_s);
    if (seconds <= 0) return;
    s4u::this_actor::sleep_for(seconds);
    gone_on_[s4u::this_actor::get_pid()] = {s4u::Engine::get_clock(), instant_s};
  }

  // SimGrid ends an eager message when it has arrived, and a larger one when the receiver's processor is done with it,
  // because its send is complete then.
  void arrives(const MessagePointer& message) {
    if (processors_.cost_nothing() || message->receiver == 0) return queues_->end(*message, message->tail_s);
    processors_.expect(message->receiver, message);
    if (is_eager(message->bytes)) return queues_->end(*message, message->tail_s);
    const double arrival_s = message->tail_s;
    simgrid::kernel::timer::Timer::set(std::max(arrival_s, s4u::Engine::get_clock()), [this, message, arrival_s] {
      const bool is_delayed = message->tail_s != arrival_s;
      if (!is_delayed) queues_->end(*message, processors_.receive(message->receiver, arrival_s, message));
    });
  }

  const Network& network_;
  Processors processors_;
  KnownInstants instants_;
  std::unordered_set<const s4u::Host*> loops_back_;
  std::optional<LinkQueues> queues_;
  const std::vector<LinkQueue*> no_links_;
  Shelf announced_,
      sent_to_;  // messages that SimGrid has not begun with; messages that receivers' processors have not begun with
  struct NextSend {
    MessageLane lane;
    bool synchronous;
  };
  std::unordered_map<std::int64_t, NextSend> next_send_;  // by actor
  struct GoneOn {
    double clock_s, instant_s;
  };
  std::unordered_map<std::int64_t, GoneOn> gone_on_;  // by actor: where it went on last, by the clock and exactly
  std::map<MessageLane, SentInLane> sent_in_;
  std::map<MessageLane, MessagePointer> last_synchronous_;
  std::uint64_t sent_ = 0;
  double latency_factor_ = 1;
};

}  // namespace

RankTimes set_message_times(const s4u::Engine& engine, const Network& network, Queueing queueing,
                            const LinkConditions& link_conditions) {
  const auto times = std::make_shared<MessageTimes>(engine, network);
  resource::NetworkModelIntf* model = engine.get_netzone_root()->get_network_model();
  if (queueing == Queueing::fifo) {
    auto* actions = dynamic_cast<resource::Model*>(model);
    if (actions == nullptr)
      throw std::logic_error("SimGrid's network model holds no actions; SimGrid 3.32 would be right");
    times->use_queues(engine, *actions, link_conditions);
  }
  model->set_bw_factor_cb([times](double size, const s4u::Host* from, const s4u::Host* to, const Links&,
                                  const NetZones&) { return times->bandwidth_factor(size, from, to); });
  model->set_lat_factor_cb([times](double, const s4u::Host*, const s4u::Host*, const Links&, const NetZones&) {
    return times->latency_factor();
  });
  const auto send = [times](std::size_t bytes, s4u::Host* from, s4u::Host* to) {
    return times->send(static_cast<double>(bytes), from, to);
  };
  smpi_register_op_cost_callback(SmpiOperation::ISEND, send);
  smpi_register_op_cost_callback(SmpiOperation::SEND, send);
  smpi_register_op_cost_callback(SmpiOperation::RECV, [times](std::size_t bytes, s4u::Host* from, s4u::Host* to) {
    return times->receive(static_cast<double>(bytes), from, to);
  });
  return {[times](double instant_s) { times->sleep_until(instant_s); },
          [times](const MessageLane& lane, double way_back_s) { times->await_acknowledgement(lane, way_back_s); },
          [times](std::int64_t bytes) { times->reduce(static_cast<double>(bytes)); },
          [times](const MessageLane& lane, bool synchronous) { times->sending(lane, synchronous); },
          [times](const MessageLane& lane, std::int64_t number) { times->posting(lane, number); },
          [times](const MessageLane& lane, std::int64_t number) { return times->has_come(lane, number); },
          [times](const MessageLane& lane, std::int64_t number) { times->take_in(lane, number); },
          [times](double instant_s) { times->start_at(instant_s); }};
}

}  // namespace isthmus
