// Acknowledgements in a replay by events: streams of small frames on the routes from receivers to senders.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "algorithms/replay/acknowledgements.hpp"
#include "algorithms/replay/compiled_schedule.hpp"
#include "algorithms/replay/frame_interleaver.hpp"
#include "algorithms/replay/replay_engines.hpp"
#include "algorithms/replay/route_table.hpp"

namespace isthmus {

/// The streams on their way. A stream has a number, which is used again when it has arrived.
class AcknowledgementStreams {
 public:
  /// Interleavers know streams by numbers from here on, and messages by those before.
  static constexpr std::uint32_t first_number = Step::max_messages;

  explicit AcknowledgementStreams(const ReplayInput& input)
      : input_(input), is_on_(has_acknowledgements(input.transport)) {}

  /// Whether messages are acknowledged at all.
  bool is_on() const { return is_on_; }

  /// A message has crossed all its links. `schedule(time_s, stream)` is called with the time at which the stream's head
  /// reaches a link on which it takes time.
  template <typename Schedule>
  void begin(std::uint32_t message, double size, const Schedule& schedule) {
    const Message& of = input_.schedule.messages[message];
    const Acknowledgements sent = Acknowledgements::of(input_.transport, size, of.head_s, of.tail_s);
    if (sent.frames == 0 || !input_.routes.has_route(input_.host(of.to), input_.host(of.from))) return;
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(streams_.size()));
      streams_.emplace_back();
    }
    const std::uint32_t number = free_.back();
    free_.pop_back();
    streams_[number] = {sent, message, 0};
    go_on(number, schedule);
  }

  /// To be called for each stream at the time that was scheduled.
  void reach_link(std::uint32_t stream) { at_links_.push_back(stream); }
  bool any_at_links() const { return !at_links_.empty(); }

  /// Those at links cross them, in the order `before` of their messages. `delays_at(link)` makes what is called for
  /// each message, or stream from `first_number` on, that one of them delays.
  template <typename Before, typename Delays, typename Schedule>
  void cross(const Before& before, std::vector<FrameInterleaver<std::uint32_t>>& interleavers, const Delays& delays_at,
             const Schedule& schedule) {
    const auto earlier = [&](std::uint32_t one, std::uint32_t other) {
      return before(streams_[one].message, streams_[other].message);
    };
    std::swap(at_links_, crossing_);
    if (crossing_.size() > 1) std::stable_sort(crossing_.begin(), crossing_.end(), earlier);
    for (const std::uint32_t number : crossing_) {
      Stream& stream = streams_[number];
      const std::uint32_t link_number = way_back(stream.message)[stream.crossed++];
      LinkState& link = input_.routes.link(link_number);
      const LinkKind& kind = input_.routes.kind(link);
      Acknowledgements& sent = stream.sent;
      const auto passage = interleavers[link_number].arrive(first_number + number, sent.head_s, sent.tail_s,
                                                            in_ticks(sent.bytes * kind.s_per_byte), sent.frames,
                                                            link.free_s, delays_at(link_number));
      sent.head_s = passage.start_s + kind.latency_s;
      sent.tail_s = passage.done_s + kind.latency_s;
      go_on(number, schedule);
    }
    crossing_.clear();
  }

 private:
  struct Stream {
    Acknowledgements sent;
    std::uint32_t message = 0;
    std::uint32_t crossed = 0;
  };

  RouteTable::Route way_back(std::uint32_t message) const {
    const Message& of = input_.schedule.messages[message];
    return input_.routes.route(input_.host(of.to), input_.host(of.from));
  }

  template <typename Schedule>
  void go_on(std::uint32_t number, const Schedule& schedule) {
    Stream& stream = streams_[number];
    const Message& of = input_.schedule.messages[stream.message];
    const RouteTable::Route out = input_.routes.route(input_.host(of.from), input_.host(of.to));
    const RouteTable::Route back = way_back(stream.message);
    double slowest_s = 0;
    for (std::size_t i = 0; i < out.size(); ++i)
      slowest_s = std::max(slowest_s, input_.routes.kind(input_.routes.link(out[i])).s_per_byte);
    for (; stream.crossed < back.size(); ++stream.crossed) {
      const std::uint32_t link = back[stream.crossed];
      const LinkKind& kind = input_.routes.kind(input_.routes.link(link));
      if (kind.shared && !out.contains(link) && acknowledgements_count(kind.s_per_byte, slowest_s))
        return schedule(stream.sent.head_s, number);
      stream.sent.head_s += kind.latency_s;
      stream.sent.tail_s += kind.latency_s;
    }
    free_.push_back(number);
  }

  const ReplayInput& input_;
  const bool is_on_;
  std::vector<Stream> streams_;
  std::vector<std::uint32_t> free_;      // numbers of streams that have arrived
  std::vector<std::uint32_t> at_links_;  // at this moment
  std::vector<std::uint32_t> crossing_;  // a member only to reuse its memory
};

}  // namespace isthmus
