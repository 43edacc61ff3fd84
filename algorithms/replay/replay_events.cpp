// Replay by events, in order of time: for any schedule.
#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "algorithms/replay/acknowledgement_streams.hpp"
#include "algorithms/replay/link_prefetch.hpp"
#include "algorithms/replay/link_work.hpp"
#include "algorithms/replay/message_state.hpp"
#include "algorithms/replay/rank_processors.hpp"
#include "algorithms/replay/recording.hpp"
#include "algorithms/replay/replay_engines.hpp"
#include "algorithms/replay/replay_memory.hpp"
#include "algorithms/replay/unnoticed_messages.hpp"
#include "algorithms/replay/waiting_lanes.hpp"
#include "algorithms/schedule/ready_lanes.hpp"

namespace isthmus {
namespace {

constexpr std::uint32_t events_to_checkpoint = 1 << 16;

class Engine {
  using enum MessageState::Flag;

 public:
  Engine(const ReplayInput& parts, bool with_timeline, EngineMemory& memory)
      : parts_(parts),
        transport_(parts.transport),
        schedule_(parts.schedule),
        messages_(parts.schedule.messages),
        routes_(parts.routes),
        acknowledgements_(parts),
        work_(parts),
        has_overheads_(parts.routes.has_overheads()),
        one_lane_(parts.schedule.first_lanes.empty()),
        memory_(memory),
        recording_(parts, with_timeline) {
    next_.assign(schedule_.lane_begin.begin(), schedule_.lane_begin.end() - 1);
    end_s_.assign(parts_.placement.size(), 0);
    if (!one_lane_) waiting_lanes_ = WaitingLanes(messages_.size(), next_.size());
    memory_.clear(transport_.frame_bytes > 0 ? routes_.links() : 0);
    if (has_overheads_) {
      processors_ = RankProcessors(parts_.placement.size());
      for (int rank = 0; rank < parts_.placement.size(); ++rank) at_lane_.push_back(schedule_.first_lane(rank));
      if (!one_lane_) {
        ready_lanes_ = ReadyLanes(next_.size());
        unnoticed_ = UnnoticedMessages(schedule_);
      }
    }
  }

  ReplayProgress run() {
    for (int rank = 0; rank < parts_.placement.size(); ++rank)
      for (std::uint32_t lane = schedule_.first_lane(rank); lane < schedule_.first_lane(rank + 1); ++lane) {
        settle({rank, lane});
        go_on(rank, lane);
      }
    end_moment();
    for (std::uint32_t number = 1; !happenings_.empty(); ++number) {
      if (number % events_to_checkpoint == 0 && parts_.checkpoint) parts_.checkpoint();
      const auto [time_s, happening, message] = happenings_.pop();
      now_ = time_s;
      if (now_ > parts_.limit_s && is_of_ranks(happening)) return cut();
      switch (happening) {
        case Happening::head_at_link:
          before_links_.push_back(message);
          break;
        case Happening::arrival:
          // It may have been delayed after this event was scheduled.
          if (const double tail_s = messages_[message].tail_s; tail_s > now_)
            schedule(tail_s, Happening::arrival, message);
          else
            arrive(message);
          break;
        case Happening::reception:
          taken_in(message);
          break;
        case Happening::processor_done:
          processor_done(message);
          break;
        case Happening::acknowledgement:
          sent(message);
          break;
        case Happening::head_at_last_link:
          acknowledge(message);
          break;
        case Happening::stream_at_link:
          acknowledgements_.reach_link(message);
          break;
      }
      if (!happenings_.has_more_now()) end_moment();
      if (work_.is_too_long()) return cut();
    }
    return {std::move(next_), std::move(end_s_), recording_.take_timeline(), recording_.take_group_ends()};
  }

 private:
  ReplayProgress cut() { return {std::move(next_), std::move(end_s_), {}, {}, true}; }

  void schedule(double time_s, Happening happening, std::uint32_t message) {
    happenings_.push(time_s, happening, message);
  }

  auto schedule_stream() {
    return [this](double time_s, std::uint32_t stream) {
      time_s > now_ ? schedule(time_s, Happening::stream_at_link, stream) : acknowledgements_.reach_link(stream);
    };
  }

  /// By link: what happens when something crosses it and delays another, which may be a message or a stream.
  auto delays_at() {
    return [this](std::uint32_t link) {
      return [this, link](std::uint32_t number, double done_s) {
        if (number < AcknowledgementStreams::first_number) on_delayed(number, link, done_s);
      };
    };
  }

  // ---- lanes

  // Issues operations until one has to wait.
  void advance(int rank, std::uint32_t lane) {
    const std::uint32_t end = schedule_.lane_begin[lane + 1];
    while (next_[lane] < end) {
      if (has_overheads_ && processors_.is_busy(rank)) return;
      const Step step = schedule_.steps[next_[lane]];
      const std::uint32_t message = step.message();
      switch (step.kind()) {
        case Step::wait_sent:
          if (!(messages_[message].done & sent_)) return wait(lane, message);
          ++next_[lane];
          break;
        case Step::wait_received:
          if (!(messages_[message].done & received_)) return wait(lane, message);
          if (notices(rank) && !(messages_[message].done & noticed)) return wait(lane, message);
          ++next_[lane];
          break;
        case Step::send:
          ++next_[lane];
          send(rank, message);
          break;
        case Step::receive:
          ++next_[lane];
          post(message);
          break;
        case Step::local:
          ++next_[lane];
          work(rank, message);
          break;
      }
    }
  }

  // If processors take time, a rank behaves as one thread, like Executor: it runs lane by lane, each as far as
  // possible, repeatedly until no lane advances; after its processor was busy it continues with the same lane. Then it
  // handles one message that a lane waits for.
  void go_on(int rank, std::uint32_t freed) {
    if (!has_overheads_ || one_lane_) return advance(rank, freed);
    const std::uint32_t first = schedule_.first_lane(rank), end = schedule_.first_lane(rank + 1);
    std::uint32_t& lane = at_lane_[rank];
    while (!processors_.is_busy(rank)) {
      while (const auto ready = ready_lanes_.next(first, lane, end)) {
        lane = *ready;
        advance(rank, lane);
        if (processors_.is_busy(rank)) return;
        ready_lanes_.remove(lane);
        lane = lane + 1 == end ? first : lane + 1;
      }
      lane = first;
      if (!notice(rank)) return;
    }
  }

  bool notices(int rank) const {
    return has_overheads_ && !one_lane_ && schedule_.first_lane(rank + 1) - schedule_.first_lane(rank) > 1;
  }

  // One of the messages that lanes wait for; the rank then waits for this one only.
  bool notice(int rank) {
    const auto message = notices(rank) ? unnoticed_.notice(rank, next_) : std::nullopt;
    if (!message) return false;
    processors_.set_busy(rank, (messages_[*message].done & received_) == 0);
    if (!processors_.is_busy(rank)) set_ready({Step::wait_received, *message});
    return true;
  }

  // Runs the lanes that events of this moment made ready, the lowest rank first, so that the order of simultaneous
  // events does not depend on the implementation. Not called from advance(), so that the recursion depth stays bounded.
  void settle(FreeLanes::RankAndLane before = {std::numeric_limits<int>::max(), 0}) {
    while (free_lanes_.has_before(before)) {
      const auto [rank, lane] = free_lanes_.take();
      go_on(rank, lane);
    }
  }

  void wait(std::uint32_t lane, std::uint32_t message) {
    if (one_lane_) return;
    waiting_lanes_.add(lane, message);
    if (has_overheads_) unnoticed_.come_to_wait(lane, next_[lane]);
  }

  void wake(int rank, Step awaited) {
    const auto wake_lane = [&](std::uint32_t lane) {
      const bool waits = next_[lane] < schedule_.lane_begin[lane + 1] && schedule_.steps[next_[lane]] == awaited;
      if (waits) {
        free_lanes_.add(rank, lane);
        if (has_overheads_ && !one_lane_) ready_lanes_.add(lane);
      }
      return waits;
    };
    if (one_lane_)
      wake_lane(static_cast<std::uint32_t>(rank));
    else
      waiting_lanes_.take(awaited.message(), wake_lane);
  }

  // The lanes of a rank that wait for a message which it has noticed now.
  void set_ready(Step awaited) {
    waiting_lanes_.take(awaited.message(), [&](std::uint32_t lane) {
      const bool waits = schedule_.steps[next_[lane]] == awaited;
      if (waits) ready_lanes_.add(lane);
      return waits;
    });
  }

  // All events of one moment are processed before links are crossed. Of the messages that wait at a link then, the one
  // from the lowest rank goes first, and of one rank the one that was sent first.
  void end_moment() {
    // With one lane per rank the message numbers are in this order.
    const auto before = [this](std::uint32_t one, std::uint32_t other) {
      return one_lane_ ? one < other : messages_[one].from < messages_[other].from;
    };
    while (acknowledgements_.any_at_links())
      acknowledgements_.cross(before, interleavers_, delays_at(), schedule_stream());
    settle();
    while (!before_links_.empty()) {
      std::swap(before_links_, crossing_);
      if (!std::ranges::is_sorted(crossing_, before)) std::ranges::stable_sort(crossing_, before);
      LinkPrefetch(messages_, parts_.placement, routes_, interleavers_).each(crossing_, [this](auto one) {
        cross(one);
      });
      crossing_.clear();
      settle();
    }
  }

  // ---- working and sending

  void work(int rank, std::uint32_t number) {
    recording_.begin_sending(number, now_);
    const auto bytes = static_cast<double>(bytes_of(messages_[number]));
    const double done_s = bytes > 0 ? processors_.occupy(rank, now_, routes_.reduction_s(bytes)).second : now_;
    if (done_s > now_)
      schedule(done_s, Happening::processor_done, number);
    else
      sent(number);
  }

  void send(int rank, std::uint32_t number) {
    Message& message = messages_[number];
    double begin_s = now_, done_s = now_;
    if (has_overheads_) {
      const auto bytes = static_cast<double>(bytes_of(message));
      const double overhead_s = routes_.send_overhead_s(host(message.from), host(message.to), bytes);
      std::tie(begin_s, done_s) = processors_.occupy(rank, now_, overhead_s);
    }
    recording_.begin_sending(number, now_);
    message.done |= issued;
    message.head_s = begin_s;
    message.tail_s = done_s;
    if (is_eager(message) || (message.done & posted)) depart(number);
    if (done_s > now_ && comes_to_wait(rank, message)) {
      goes_to_wait(rank, message, done_s);
    } else if (done_s > now_) {
      schedule(done_s, Happening::processor_done, number);
    } else {
      finish_sending(number);
    }
  }

  // Whether it is already known that the rank waits once its processor is done with the message.
  bool comes_to_wait(int rank, const Message& message) const {
    if (!one_lane_ || recording_.has_timeline() || !is_eager(message) || schedule_.kind_of(message).acknowledged)
      return false;
    const std::span<const Step> steps(schedule_.steps);
    return is_about_to_wait(schedule_, steps.subspan(next_[rank], schedule_.lane_begin[rank + 1] - next_[rank]),
                            transport_.eager_bytes);
  }

  void goes_to_wait(int rank, Message& message, double done_s) {
    message.done |= sent_;
    end_s_[rank] = done_s;
    processors_.set_busy(rank, false);
    const std::uint32_t end = schedule_.lane_begin[rank + 1];
    for (std::uint32_t& next = next_[rank]; next < end && schedule_.steps[next].kind() == Step::receive; ++next)
      messages_[schedule_.steps[next].message()].done |= posted;
  }

  void processor_done(std::uint32_t number) {
    const Message& message = messages_[number];
    const std::uint32_t lane = schedule_.first_lane(message.from) + schedule_.kind_of(message).lane;
    processors_.set_busy(message.from, false);
    free_lanes_.add(message.from, lane);
    finish_sending(number);
  }

  // The processor is done with the message. If no receive or acknowledgement is needed the send is complete.
  void finish_sending(std::uint32_t number) {
    const Message& message = messages_[number];
    if (message.to < 0) return sent(number);  // a local operation
    if (is_eager(message) && !schedule_.kind_of(message).acknowledged) sent(number);
  }

  std::int64_t bytes_of(const Message& message) const { return parts_.bytes_of(message); }
  double size_of(const Message& one) const { return static_cast<double>(bytes_of(one)) + transport_.header_bytes; }
  bool is_eager(const Message& message) const { return parts_.is_eager(message); }

  void sent(std::uint32_t number) {
    const Message& message = messages_[number];
    messages_[number].done |= sent_;
    end_s_[message.from] = std::max(end_s_[message.from], now_);
    recording_.end_sending(number, now_);
    wake(message.from, {Step::wait_sent, number});
  }

  // ---- crossing links

  void depart(std::uint32_t number) {
    Message& message = messages_[number];
    message.head_s = std::max(message.head_s, now_);
    message.tail_s = std::max(message.tail_s, now_);
    if (parts_.is_free(message))
      comes(number);  // before other messages of this moment cross links
    else if (message.head_s > now_)
      schedule(message.head_s, Happening::head_at_link, number);
    else
      before_links_.push_back(number);
  }

  // The head is at the next link now. Where the order matters, links are crossed in the order of these moments.
  void cross(std::uint32_t number) {
    Message& message = messages_[number];
    const RouteTable::Route route = routes_.route(host(message.from), host(message.to));
    const double size = size_of(message);
    double at_last_link_s = now_;
    for (; message.crossed < route.size(); ++message.crossed) {
      at_last_link_s = message.head_s;
      LinkState& link = routes_.link(route[message.crossed]);
      if (message.head_s > now_ && routes_.kind(link).in_turn()) {
        schedule(message.head_s, Happening::head_at_link, number);
        return;
      }
      if (transport_.frame_bytes > 0 && routes_.kind(link).shared)
        cross_among_others(link, route[message.crossed], size, number);
      else
        routes_.cross(link, size, host(message.to), message.head_s, message.tail_s);
    }
    if (acknowledgements_.is_on()) {
      // Until its head is there other messages may delay its tail.
      if (at_last_link_s > now_)
        schedule(at_last_link_s, Happening::head_at_last_link, number);
      else
        acknowledge(number);
    }
    comes(number);
  }

  void comes(std::uint32_t number) {
    const double tail_s = messages_[number].tail_s;
    tail_s > now_ ? schedule(tail_s, Happening::arrival, number) : arrive(number);
  }

  void acknowledge(std::uint32_t number) {
    acknowledgements_.begin(number, size_of(messages_[number]), schedule_stream());
  }

  void cross_among_others(LinkState& link, std::uint32_t link_number, double size, std::uint32_t number) {
    Message& message = messages_[number];
    const double occupied_s = routes_.occupied_s(link, size, host(message.to), message.head_s);
    const int frames = frames_of(size, transport_.frame_bytes);
    const auto [start_s, done_s] = interleavers_[link_number].arrive(number, message.head_s, message.tail_s, occupied_s,
                                                                     frames, link.free_s, delays_at()(link_number));
    work_.carry(link_number, start_s, occupied_s, frames);
    const double latency_s = routes_.kind(link).latency_s;
    message.head_s = start_s + latency_s;
    message.tail_s = done_s + latency_s;
  }

  // Another message delays this one at the link; the links crossed since then pass the delay on.
  void on_delayed(std::uint32_t number, std::uint32_t link_number, double done_s) {
    Message& message = messages_[number];
    const RouteTable::Route route = routes_.route(host(message.from), host(message.to));
    std::size_t crossed = 0;
    while (route[crossed] != link_number) ++crossed;
    for (; crossed < message.crossed; ++crossed) done_s += routes_.kind(routes_.link(route[crossed])).latency_s;
    message.tail_s = std::max(message.tail_s, done_s);
  }

  // ---- receiving

  void post(std::uint32_t number) {
    Message& message = messages_[number];
    message.done |= posted;
    unnoticed_.add(number, message);
    recording_.begin_receiving(number, now_);
    if (message.done & taken_in_) {
      received(number);
    } else if ((message.done & issued) && !is_eager(message)) {
      depart(number);
    }
  }

  // The receiver may notice an eager message when it has arrived and a larger one when the processor is done with it.
  void has_come(std::uint32_t number) {
    Message& message = messages_[number];
    message.done |= arrived;
    unnoticed_.add(number, message);
    if (notices(message.to)) free_lanes_.add(message.to, schedule_.first_lane(message.to));
  }

  // The receiver's processor handles the message. It may have begun when the head arrived, whether the receive was
  // posted or not.
  void arrive(std::uint32_t number) {
    if (has_overheads_) {
      Message& message = messages_[number];
      if (is_eager(message)) has_come(number);
      const double overhead_s =
          routes_.receive_overhead_s(host(message.from), host(message.to), static_cast<double>(bytes_of(message)));
      const double free_s = processors_.take_in(message.to, now_, message.head_s, overhead_s);
      if (free_s > now_) {
        schedule(free_s, Happening::reception, number);
        return;
      }
    }
    taken_in(number);
  }

  void taken_in(std::uint32_t number) {
    Message& message = messages_[number];
    if (has_overheads_ && !is_eager(message)) has_come(number);
    message.done |= taken_in_;
    if (message.done & posted) received(number);
  }

  void received(std::uint32_t number) {
    const Message& message = messages_[number];
    if (message.done & noticed) {
      processors_.set_busy(message.to, false);
      free_lanes_.add(message.to, schedule_.first_lane(message.to));
    }
    messages_[number].done |= received_;
    end_s_[message.to] = std::max(end_s_[message.to], now_);
    recording_.end_receiving(number, now_);
    wake(message.to, {Step::wait_received, number});
    if (schedule_.kind_of(message).acknowledged) {
      schedule(now_ + routes_.latency_s(host(message.to), host(message.from)), Happening::acknowledgement, number);
    } else if (!is_eager(message)) {
      sent(number);
    }
  }

  int host(int rank) const { return parts_.host(rank); }

  const ReplayInput parts_;
  const Transport& transport_;
  CompiledSchedule& schedule_;
  std::vector<Message>& messages_;
  RouteTable& routes_;
  AcknowledgementStreams acknowledgements_;
  LinkWork work_;
  const bool has_overheads_, one_lane_;  // one_lane_: every rank has one lane

  double now_ = 0;
  EngineMemory& memory_;
  Happenings& happenings_ = memory_.happenings;
  std::vector<std::uint32_t> next_;  // by lane: its next step
  WaitingLanes waiting_lanes_;       // empty when each rank has one lane
  std::vector<double> end_s_;        // by rank
  FreeLanes& free_lanes_ = memory_.free_lanes;
  std::vector<std::uint32_t>&before_links_ = memory_.before_links, &crossing_ = memory_.crossing;
  std::vector<FrameInterleaver<std::uint32_t>>& interleavers_ = memory_.interleavers;

  RankProcessors processors_;           // only with overheads
  std::vector<std::uint32_t> at_lane_;  // by rank; only with overheads
  ReadyLanes ready_lanes_;              // only with overheads and several lanes
  UnnoticedMessages unnoticed_;         // the same
  Recording recording_;
};

}  // namespace

ReplayProgress replay_events(const ReplayInput& parts, bool with_timeline, EngineMemory& memory) {
  return Engine(parts, with_timeline, memory).run();
}

}  // namespace isthmus
