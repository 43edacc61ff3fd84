#include "sim/link_queues.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <simgrid/kernel/Timer.hpp>
#include <simgrid/kernel/resource/Action.hpp>
#include <string>
#include <tuple>

#include "algorithms/replay/acknowledgements.hpp"
#include "algorithms/replay/frame_interleaver.hpp"
#include "algorithms/replay/ticks.hpp"
#include "sim/timed_link.hpp"

namespace isthmus {
namespace {

namespace s4u = simgrid::s4u;
namespace resource = simgrid::kernel::resource;

// The latency given to SimGrid for a message whose arrival is not yet known: later than the end of any simulation.
constexpr double not_yet_s = 1e15;
// SimGrid can only multiply the latency of a route. A link without latency gets this one, which is not used otherwise.
constexpr double some_s = 1e-9;

}  // namespace

struct LinkQueue {
  double bandwidth_Bps = 0;
  double latency_s = 0;
  bool shared = true;
  const LinkClass* measured = nullptr;  ///< used instead of the bandwidth
  double free_s = 0;
  FrameInterleaver<MessagePointer> interleaver = {};
  std::optional<TimedLink> timed = {};  ///< for a link that changes with time, instead of all members above
  /// The messages that are on the link or wait for it: time of leaving and destination.
  std::deque<std::pair<double, const s4u::Host*>> queued = {};
};

LinkQueues::LinkQueues(const s4u::Engine& engine, const Network& network, resource::Model& model,
                       KnownInstants& instants, std::function<void(const MessagePointer&)> arrived,
                       std::function<void(const MessagePointer&)> on_delayed, const Conditions& conditions,
                       std::function<void()> unarrived)
    : network_(network),
      model_(model),
      instants_(instants),
      arrived_(std::move(arrived)),
      on_delayed_(std::move(on_delayed)),
      unarrived_(std::move(unarrived)) {
  const std::vector<std::vector<LinkStep>> steps = link_steps(network, conditions);
  std::unordered_map<std::string, const Link*> known;
  for (const Link& link : network.links) known.emplace(link.name, &link);
  for (s4u::Link* link : engine.get_all_links()) {
    auto queue = std::make_unique<LinkQueue>(LinkQueue{link->get_bandwidth(), in_ticks(link->get_latency()),
                                                       link->get_sharing_policy() == s4u::Link::SharingPolicy::SHARED,
                                                       nullptr, 0});
    if (const auto found = known.find(link->get_name()); found != known.end()) {
      const Link& same = *found->second;
      queue->bandwidth_Bps = same.bandwidth_Bps;
      queue->latency_s = in_ticks(same.latency_s);
      if (same.link_class >= 0) queue->measured = &network.classes.at(same.link_class);
      const std::vector<LinkStep>& own = steps[&same - network.links.data()];
      if (own.size() > 1) queue->timed.emplace(own, queue->shared);
    }
    links_.emplace(link, std::move(queue));
    if (link->get_latency() <= 0) link->set_latency(some_s);
  }
  for (std::size_t i = 0; i < conditions.traffic.size(); ++i) {
    const AmbientTraffic& traffic = conditions.traffic[i];
    const Way& way = way_of(engine.host_by_name(traffic.from), engine.host_by_name(traffic.to));
    flows_.push_back({AmbientTimes(traffic, conditions.seed, i), &way.links});
    send_next(static_cast<int>(i));
  }
}

LinkQueues::~LinkQueues() = default;

bool LinkQueues::Event::operator>(const Event& other) const {
  return std::tuple(head_s, message->sender, message->number, message->frame) >
         std::tuple(other.head_s, other.message->sender, other.message->number, other.message->frame);
}

const LinkQueues::Way& LinkQueues::way_of(const s4u::Host* from, const s4u::Host* to) {
  const auto [at, is_new] = ways_.try_emplace({from, to});
  if (is_new) {
    std::vector<s4u::Link*> links;
    double latency_s = 0;
    from->route_to(to, links, &latency_s);
    for (const s4u::Link* link : links) {
      // SimGrid has a link of its own from a host to itself, on which messages cost nothing here.
      if (const auto known = links_.find(link); known != links_.end()) at->second.links.push_back(known->second.get());
      at->second.known_s += link->get_latency();
    }
  }
  return at->second;
}

void LinkQueues::leave(const MessagePointer& message) {
  message->has_left = true;
  if (message->links != nullptr && message->links->empty()) return finish(message);
  message->links = &way_of(message->from, message->to).links;
  if (flows_.empty()) return await(message);
  // Without contention frames take the same time as the whole message.
  const double header_bytes = network_.transport.header_bytes;
  const double bytes = message->bytes + header_bytes;
  message->missing_frames = std::max(1, static_cast<int>(std::ceil(bytes / datagram_bytes)));
  for (int i = 0; i < message->missing_frames; ++i) {
    const auto frame = std::make_shared<SimulatedMessage>(*message);
    frame->whole = message;
    frame->frame = i;
    frame->bytes = std::min<double>(datagram_bytes, bytes - 1.0 * i * datagram_bytes) - header_bytes;
    await(frame);
  }
}

void LinkQueues::start_at(double instant_s) {
  for (const auto& [link, queue] : links_) {
    if (queue->timed) queue->timed->start_at(instant_s);
  }
}

double LinkQueues::latency_factor(SimulatedMessage& message) {
  const double known_s = way_of(message.from, message.to).known_s;
  // SimGrid has just created the action of this message: it is the last in its list.
  message.action = &model_.get_started_action_set()->back();
  if (message.end_s >= 0) return std::max(0.0, message.end_s - s4u::Engine::get_clock()) / known_s;
  return not_yet_s / known_s;
}

void LinkQueues::await(const MessagePointer& message) {
  events_.push({message->head_s, message});
  // On a route without latency a rank may answer at the same moment at which it received.
  const double due_s = std::max(message->head_s + links_are_crossed_after_s, s4u::Engine::get_clock());
  if (due_s == timer_s_) return;  // already set; a past time is less than any due time
  timer_s_ = due_s;
  simgrid::kernel::timer::Timer::set(due_s, [this, due_s] {
    if (timer_s_ == due_s) timer_s_ = -1;
    cross_due();
  });
}

void LinkQueues::cross_due() {
  while (!events_.empty() && events_.top().head_s + links_are_crossed_after_s <= s4u::Engine::get_clock()) {
    const MessagePointer message = events_.top().message;
    events_.pop();
    if (message->flow >= 0) {
      cross_ambient(message);
    } else {
      cross(message);
    }
  }
}

double LinkQueues::crossing_s(LinkQueue& link, const SimulatedMessage& message) const {
  if (link.measured == nullptr) {
    return in_ticks((message.bytes + network_.transport.header_bytes) / link.bandwidth_Bps);
  }
  const double gap_s = link.measured->gap(message.bytes);
  if (link.measured->gap_factors.empty()) return in_ticks(gap_s);
  while (!link.queued.empty() && link.queued.front().first <= message.head_s) link.queued.pop_front();
  std::vector<const s4u::Host*> destinations{message.to};
  for (const auto& [leaves_s, host] : link.queued) destinations.push_back(host);
  std::sort(destinations.begin(), destinations.end());
  const auto last = std::unique(destinations.begin(), destinations.end());
  const double occupied_s = in_ticks(gap_s * link.measured->gap_factor(static_cast<int>(last - destinations.begin())));
  link.queued.emplace_back((link.shared ? std::max(message.head_s, link.free_s) : message.head_s) + occupied_s,
                           message.to);
  return occupied_s;
}

// Cut-through: the head moves on after a link's latency; the tail leaves a link when all bytes have crossed it, but not
// before it has arrived there. Without contention the tail arrives after the sum of the latencies + bytes / the least
// bandwidth.
void LinkQueues::cross(LinkQueue& link, const MessagePointer& pointer) {
  SimulatedMessage& message = *pointer;
  if (link.timed) {
    link.timed->cross(message.bytes + network_.transport.header_bytes, message.head_s, message.tail_s);
    if (message.head_s == TimedLink::never) return;
    message.head_s = in_ticks(message.head_s);
    message.tail_s = in_ticks(message.tail_s);
    return;
  }
  const double occupied_s = crossing_s(link, message);
  if (link.shared && message.whole == nullptr && message.flow < 0) {
    const auto [start_s, done_s] = link.interleaver.arrive(
        pointer, message.head_s, message.tail_s, occupied_s,
        frames_of(message.bytes + network_.transport.header_bytes, network_.transport.frame_bytes), link.free_s,
        [&](const MessagePointer& other, double other_done_s) { on_delayed(other, link, other_done_s); });
    message.head_s = start_s + link.latency_s;
    message.tail_s = done_s + link.latency_s;
    return;
  }
  if (link.shared) {
    message.head_s = std::max(message.head_s, link.free_s);
    link.free_s = message.head_s + occupied_s;
  }
  message.tail_s = std::max(message.head_s + occupied_s, message.tail_s) + link.latency_s;
  message.head_s += link.latency_s;
}

// Crosses the links that the head reaches now.
void LinkQueues::cross(const MessagePointer& message) {
  const double now_s = message->head_s;
  while (message->next_link < message->links->size() && message->head_s <= now_s) {
    LinkQueue& link = *(*message->links)[message->next_link];
    if (message->acknowledgements > 0)
      cross_back(link, message);
    else
      cross(link, message);
    ++message->next_link;
    if (message->head_s == TimedLink::never) unarrived_();
  }
  if (message->next_link < message->links->size()) return await(message);
  if (message->acknowledgements > 0) return;
  if (message->whole == nullptr) {
    acknowledge(*message);
    return finish(message);
  }
  SimulatedMessage& whole = *message->whole;
  whole.head_s = std::max(whole.head_s, message->head_s);
  whole.tail_s = std::max(whole.tail_s, message->tail_s);
  if (--whole.missing_frames == 0) finish(message->whole);
}

// Acknowledgements take time on links that only the way back has. They are not counted on links that change, and not
// with ambient traffic.
void LinkQueues::cross_back(LinkQueue& link, const MessagePointer& acknowledgements) {
  SimulatedMessage& sent = *acknowledgements;
  const bool is_crossed_by_both = std::ranges::find(*sent.acknowledged_links, &link) != sent.acknowledged_links->end();
  if (link.shared && !link.timed && !is_crossed_by_both &&
      acknowledgements_count(1 / link.bandwidth_Bps, 1 / sent.slowest_Bps)) {
    const auto [start_s, done_s] = link.interleaver.arrive(
        acknowledgements, sent.head_s, sent.tail_s, in_ticks(sent.bytes / link.bandwidth_Bps), sent.acknowledgements,
        link.free_s, [&](const MessagePointer& other, double other_done_s) { on_delayed(other, link, other_done_s); });
    sent.head_s = start_s;
    sent.tail_s = done_s;
  }
  sent.head_s += link.latency_s;
  sent.tail_s += link.latency_s;
}

// Of what reaches a link together acknowledgements go first.
void LinkQueues::acknowledge(const SimulatedMessage& message) {
  const Acknowledgements sent = Acknowledgements::of(
      network_.transport, message.bytes + network_.transport.header_bytes, message.head_s, message.tail_s);
  if (sent.frames == 0) return;
  const auto back = std::make_shared<SimulatedMessage>();
  back->from = message.to;
  back->to = message.from;
  back->bytes = sent.bytes;
  back->sender = std::numeric_limits<std::int64_t>::min() + message.sender;
  back->number = message.number;
  back->head_s = sent.head_s;
  back->tail_s = sent.tail_s;
  back->links = &way_of(message.to, message.from).links;
  back->acknowledgements = sent.frames;
  back->acknowledged_links = message.links;
  back->slowest_Bps = std::numeric_limits<double>::infinity();
  for (const LinkQueue* link : *message.links) back->slowest_Bps = std::min(back->slowest_Bps, link->bandwidth_Bps);
  await(back);
}

// Another message delays this one at the link; the links crossed since then pass the delay on.
void LinkQueues::on_delayed(const MessagePointer& message, const LinkQueue& link, double done_s) {
  if (message->acknowledgements > 0) return;
  std::size_t crossed = 0;
  while ((*message->links)[crossed] != &link) ++crossed;
  for (; crossed < message->next_link; ++crossed) done_s += (*message->links)[crossed]->latency_s;
  if (done_s <= message->tail_s) return;
  if (message->has_arrived) on_delayed_(message);
  message->tail_s = done_s;
  if (message->has_arrived) finish(message);
}

void LinkQueues::finish(const MessagePointer& message) {
  message->has_arrived = true;
  instants_.add(message->tail_s);
  arrived_(message);
}

void LinkQueues::end(SimulatedMessage& message, double instant_s) {
  message.end_s = instant_s;
  instants_.add(instant_s);
  if (message.action == nullptr) return;
  model_.get_action_heap().update(message.action, std::max(instant_s, s4u::Engine::get_clock()),
                                  resource::ActionHeap::Type::latency);
}

// Ambient traffic sets no timers, because these would keep a simulation from ending. It is brought up to date when a
// message arrives.
void LinkQueues::send_next(int flow) {
  auto frame = std::make_shared<SimulatedMessage>();
  frame->flow = flow;
  frame->sender = std::numeric_limits<std::int64_t>::max();
  frame->number = static_cast<std::uint64_t>(flow);
  frame->bytes = datagram_link_bytes - network_.transport.header_bytes;
  frame->head_s = frame->tail_s = in_ticks(static_cast<double>(flows_[flow].times.next_ns()) * 1e-9);
  frame->links = flows_[flow].links;
  events_.push({frame->head_s, frame});
}

// Frames of ambient traffic lost at a cut link are not sent again.
void LinkQueues::cross_ambient(const MessagePointer& frame) {
  if (frame->next_link == 0) send_next(frame->flow);
  if (frame->next_link == frame->links->size()) return;
  LinkQueue& link = *(*frame->links)[frame->next_link++];
  if (link.timed && link.timed->is_cut(frame->head_s)) return;
  cross(link, frame);
  if (frame->head_s < TimedLink::never) events_.push({frame->head_s, frame});
}

}  // namespace isthmus
