// Replay lane by lane, each with its own clock. If no two lanes compete for a resource, all times follow from others by
// sums and maxima, and can be computed in any order. This holds for most broadcasts.
#include <algorithm>
#include <optional>
#include <utility>

#include "algorithms/replay/acknowledgements.hpp"
#include "algorithms/replay/recording.hpp"
#include "algorithms/replay/replay_engines.hpp"
#include "algorithms/replay/waiting_lanes.hpp"

namespace isthmus {
namespace {

constexpr std::uint32_t steps_to_checkpoint = 1 << 16;

class Lanes {
 public:
  explicit Lanes(const ReplayInput& parts)
      : parts_(parts),
        schedule_(parts.schedule),
        next_(parts.schedule.lane_begin.begin(), parts.schedule.lane_begin.end() - 1),
        clock_s_(next_.size(), 0),
        end_s_(parts.placement.size(), 0),
        recording_(parts, false) {
    if (!one_lane_) waiting_lanes_ = WaitingLanes(schedule_.messages.size(), next_.size());
  }

  std::optional<ReplayProgress> run() {
    if (!can_begin()) return std::nullopt;
    for (int rank = 0; rank < parts_.placement.size(); ++rank) {
      for (std::uint32_t lane = schedule_.first_lane(rank); lane < schedule_.first_lane(rank + 1); ++lane) {
        advance(lane);
        while (!free_lanes_.empty()) {
          const std::uint32_t freed = free_lanes_.back();
          free_lanes_.pop_back();
          advance(freed);
        }
        if (compete_) return std::nullopt;
      }
    }
    return ReplayProgress{std::move(next_), std::move(end_s_), {}, recording_.take_group_ends()};
  }

 private:
  // Flags of what is known of a message. Until it is both issued and posted, head_s is the time of posting and tail_s
  // the time of arrival; from then on tail_s is the time at which it was received. For a completed send head_s is the
  // time of completion.
  enum : std::uint8_t { issued = 1, posted = 2, sent = 4 };

  static bool is_received(const Message& message) { return (message.done & (issued | posted)) == (issued | posted); }

  bool can_begin() const {
    return !parts_.routes.has_overheads() && !has_acknowledgements(parts_.transport) &&
           std::ranges::all_of(schedule_.kinds,
                               [&](const MessageKind& kind) { return kind.bytes <= parts_.transport.eager_bytes; });
  }

  // Runs operations until one waits for something that is not known yet.
  void advance(std::uint32_t lane) {
    double now_s = clock_s_[lane];
    const std::uint32_t end = schedule_.lane_begin[lane + 1];
    std::uint32_t next = next_[lane];
    for (; next < end; ++next) {
      const Step step = schedule_.steps[next];
      Message& message = schedule_.messages[step.message()];
      if (step.kind() == Step::wait_sent) {
        if (!(message.done & sent)) break;
        now_s = std::max(now_s, message.head_s);
      } else if (step.kind() == Step::wait_received) {
        if (!is_received(message)) break;
        now_s = std::max(now_s, message.tail_s);
      } else if (step.kind() == Step::send) {
        send(step.message(), lane, now_s);
      } else if (step.kind() == Step::receive) {
        post(step.message(), now_s);
      } else {
        set_sent(step.message(), now_s);
      }
    }
    if (!one_lane_ && next < end) waiting_lanes_.add(lane, schedule_.steps[next].message());
    since_checkpoint_ += next - next_[lane];
    next_[lane] = next;
    clock_s_[lane] = now_s;
    if (since_checkpoint_ < steps_to_checkpoint) return;
    since_checkpoint_ = 0;
    if (parts_.checkpoint) parts_.checkpoint();
  }

  void send(std::uint32_t number, std::uint32_t lane, double now_s) {
    Message& message = schedule_.messages[number];
    const MessageKind& kind = schedule_.kind_of(message);
    const double posted_s = message.head_s;
    double head_s = now_s;
    message.tail_s = now_s;
    const RouteTable::Route route = parts_.routes.route(parts_.host(message.from), parts_.host(message.to));
    if (!parts_.routes.has_one_feeder(route, lane)) compete_ = true;
    const double size = static_cast<double>(kind.bytes) + parts_.transport.header_bytes;
    for (std::size_t i = 0; i < route.size(); ++i) {
      parts_.routes.cross(parts_.routes.link(route[i]), size, parts_.host(message.to), head_s, message.tail_s);
    }
    message.done |= issued;
    if (!kind.acknowledged) set_sent(number, now_s);
    if (message.done & posted) received(number, posted_s);
  }

  void post(std::uint32_t number, double now_s) {
    Message& message = schedule_.messages[number];
    message.done |= posted;
    if (message.done & issued)
      received(number, now_s);
    else
      message.head_s = now_s;
  }

  void received(std::uint32_t number, double posted_s) {
    Message& message = schedule_.messages[number];
    message.tail_s = std::max(message.tail_s, posted_s);
    end_s_[message.to] = std::max(end_s_[message.to], message.tail_s);
    recording_.end_receiving(number, message.tail_s);
    wake(message.to, {Step::wait_received, number});
    if (schedule_.kind_of(message).acknowledged) {
      set_sent(number, message.tail_s + parts_.routes.latency_s(parts_.host(message.to), parts_.host(message.from)));
    }
  }

  void set_sent(std::uint32_t number, double now_s) {
    Message& message = schedule_.messages[number];
    message.done |= sent;
    message.head_s = now_s;
    end_s_[message.from] = std::max(end_s_[message.from], now_s);
    wake(message.from, {Step::wait_sent, number});
  }

  // The lane of a rank with one lane need not be waiting.
  void wake(int rank, Step awaited) {
    const auto wake_lane = [&](std::uint32_t lane) {
      const bool waits = next_[lane] < schedule_.lane_begin[lane + 1] && schedule_.steps[next_[lane]] == awaited;
      if (waits) free_lanes_.push_back(lane);
      return waits;
    };
    if (one_lane_)
      wake_lane(static_cast<std::uint32_t>(rank));
    else
      waiting_lanes_.take(awaited.message(), wake_lane);
  }

  const ReplayInput parts_;
  CompiledSchedule& schedule_;
  const bool one_lane_ = schedule_.first_lanes.empty();
  WaitingLanes waiting_lanes_;       // empty when each rank has one lane
  std::vector<std::uint32_t> next_;  // by lane: its next step
  std::vector<double> clock_s_;      // by lane: the time at which it reached this step
  std::vector<double> end_s_;        // by rank
  Recording recording_;
  std::vector<std::uint32_t> free_lanes_;
  std::uint32_t since_checkpoint_ = 0;
  bool compete_ = false;  // two lanes, or two routes, compete for a link
};

}  // namespace

std::optional<ReplayProgress> replay_lanes(const ReplayInput& parts) {
  std::optional<ReplayProgress> progress = Lanes(parts).run();
  if (!progress) {
    for (Message& message : parts.schedule.messages) {
      message = {.from = message.from, .to = message.to, .kind = message.kind};
    }
    parts.routes.free_links();
  }
  return progress;
}

}  // namespace isthmus
