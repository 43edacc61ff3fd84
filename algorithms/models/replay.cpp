#include "algorithms/models/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "algorithms/errors.hpp"
#include "algorithms/models/compiled_schedule.hpp"
#include "algorithms/models/radix_queue.hpp"
#include "algorithms/models/route_table.hpp"

namespace isthmus {
namespace {

class Engine {
 public:
  Engine(const Network& network, const Placement& placement, std::int64_t element_bytes, const ProgramSource& source,
         bool with_timeline)
      : placement_(placement),
        transport_(network.transport),
        source_(source),
        schedule_(compile(placement.size(), element_bytes, network.transport, source, with_timeline)),
        routes_(network),
        with_timeline_(with_timeline) {
    has_overheads_ = transport_.send_overhead_s > 0 || transport_.send_overhead_s_per_byte > 0 ||
                     transport_.receive_overhead_s > 0 || transport_.receive_overhead_s_per_byte > 0;
    const std::size_t lanes = schedule_.lane_begin.size() - 1;
    link_free_s_.assign(routes_.links(), 0);
    flights_.resize(schedule_.messages.size());
    next_.assign(schedule_.lane_begin.begin(), schedule_.lane_begin.end() - 1);
    end_s_.assign(placement.size(), 0);
    if (has_overheads_) {
      processor_free_s_.assign(placement.size(), 0);
      lane_busy_.assign(lanes, false);
    }
    if (has_overheads_ || with_timeline) {
      posted_s_.assign(schedule_.messages.size(), 0);
      sent_s_.assign(with_timeline ? schedule_.messages.size() : 0, 0);
    }
  }

  Replay run() {
    for (int rank = 0; rank < placement_.size(); ++rank) {
      for (std::uint32_t lane = schedule_.first_lane(rank); lane < schedule_.first_lane(rank + 1); ++lane) {
        settle({rank, lane});
        advance(rank, lane);
      }
    }
    settle();
    while (!events_.empty()) {
      const RadixQueue::Event event = events_.pop();
      now_ = event.time_s;
      const std::uint32_t message = event.what & (Step::most_messages - 1);
      switch (static_cast<Happening>(event.what >> 29)) {
        case Happening::head_at_link:
          cross(message);
          break;
        case Happening::arrival:
          arrive(message);
          break;
        case Happening::reception:
          received(message);
          break;
        case Happening::processor_done:
          processor_done(message);
          break;
        case Happening::acknowledgement:
          sent(message);
          break;
      }
      if (!events_.has_more_now()) settle();
    }
    for (int rank = 0; rank < placement_.size(); ++rank) {
      for (std::uint32_t lane = schedule_.first_lane(rank); lane < schedule_.first_lane(rank + 1); ++lane) {
        if (next_[lane] < schedule_.lane_begin[lane + 1]) deadlock(rank, lane);
      }
    }
    return result();
  }

 private:
  enum class Happening : std::uint32_t { head_at_link, arrival, reception, processor_done, acknowledgement };

  // What of a message has happened.
  enum : std::uint8_t { issued = 1, posted = 2, arrived = 4, received_ = 8, sent_ = 16 };

  struct Flight {
    double head_s = 0;  // when the head is where `at` says; before it leaves: when it may
    double tail_s = 0;  // when the tail is there
    [[no_unique_address]] RoutePosition at;
    std::uint8_t done = 0;
  };
  static_assert(sizeof(Flight) == 24);

  void schedule(double time_s, Happening happening, std::uint32_t message) {
    events_.push(time_s, static_cast<std::uint32_t>(happening) << 29 | message);
  }

  // ---- lanes

  // Issues operations until one has to wait.
  void advance(int rank, std::uint32_t lane) {
    const std::uint32_t end = schedule_.lane_begin[lane + 1];
    while (next_[lane] < end) {
      if (has_overheads_ && lane_busy_[lane]) return;
      const Step step = schedule_.steps[next_[lane]];
      const std::uint32_t message = step.message();
      switch (step.kind()) {
        case Step::wait_sent:
          if (!(flights_[message].done & sent_)) return;
          ++next_[lane];
          break;
        case Step::wait_received:
          if (!(flights_[message].done & received_)) return;
          ++next_[lane];
          break;
        case Step::send:
          ++next_[lane];
          send(rank, lane, message);
          break;
        case Step::receive:
          ++next_[lane];
          post(message);
          break;
        case Step::local:
          ++next_[lane];
          if (with_timeline_) sent_s_[message] = now_;
          sent(message);
          break;
      }
    }
  }

  // Runs the lanes that what has happened at this moment set free, the lowest rank first, so that what happens at the
  // same moment has an order that does not depend on how the replay works. Not from within advance(), whose depth stays
  // bounded.
  void settle(std::pair<int, std::uint32_t> before = {std::numeric_limits<int>::max(), 0}) {
    while (!free_lanes_.empty() && free_lanes_.front() < before) {
      std::pop_heap(free_lanes_.begin(), free_lanes_.end(), std::greater<>());
      const auto [rank, lane] = free_lanes_.back();
      free_lanes_.pop_back();
      advance(rank, lane);
    }
  }

  void set_free(int rank, std::uint32_t lane) {
    free_lanes_.emplace_back(rank, lane);
    std::push_heap(free_lanes_.begin(), free_lanes_.end(), std::greater<>());
  }

  void wake(int rank, Step awaited) {
    for (std::uint32_t lane = schedule_.first_lane(rank); lane < schedule_.first_lane(rank + 1); ++lane) {
      if (next_[lane] < schedule_.lane_begin[lane + 1] && schedule_.steps[next_[lane]] == awaited) {
        set_free(rank, lane);
      }
    }
  }

  // ---- sending

  void send(int rank, std::uint32_t lane, std::uint32_t number) {
    const CompiledMessage& message = schedule_.messages[number];
    Flight& flight = flights_[number];
    double begin_s = now_, done_s = now_;
    if (has_overheads_) {
      const auto size = static_cast<double>(message.bytes);
      begin_s = std::max(now_, processor_free_s_[rank]);
      done_s = begin_s + transport_.send_overhead_s + transport_.send_overhead_s_per_byte * size;
      processor_free_s_[rank] = done_s;
      lane_busy_[lane] = done_s > now_;
    }
    if (with_timeline_) sent_s_[number] = now_;
    flight.done |= issued;
    flight.head_s = begin_s;
    flight.tail_s = done_s;
    if (is_eager(message) || (flight.done & posted)) depart(number);
    if (done_s > now_) {
      schedule(done_s, Happening::processor_done, number);
    } else {
      finish_sending(number);
    }
  }

  void processor_done(std::uint32_t number) {
    const CompiledMessage& message = schedule_.messages[number];
    const std::uint32_t lane = schedule_.first_lane(message.from) + message.lane;
    lane_busy_[lane] = false;
    set_free(message.from, lane);
    finish_sending(number);
  }

  // The sender's processor is done with the message; for a message that nobody waits for that is the end of its send.
  void finish_sending(std::uint32_t number) {
    const CompiledMessage& message = schedule_.messages[number];
    if (is_eager(message) && !message.acknowledged) sent(number);
  }

  bool is_eager(const CompiledMessage& message) const { return message.bytes <= transport_.eager_bytes; }

  void sent(std::uint32_t number) {
    const CompiledMessage& message = schedule_.messages[number];
    flights_[number].done |= sent_;
    end_s_[message.from] = now_;
    if (with_timeline_) {
      timeline_.push_back({message.from, schedule_.sending_op[number], sent_s_[number], now_});
    }
    wake(message.from, {Step::wait_sent, number});
  }

  // ---- on the way

  void depart(std::uint32_t number) {
    const CompiledMessage& message = schedule_.messages[number];
    Flight& flight = flights_[number];
    flight.at = routes_.begin(host(message.from), host(message.to));
    if (flight.head_s > now_) {
      schedule(flight.head_s, Happening::head_at_link, number);
    } else {
      flight.head_s = now_;
      flight.tail_s = std::max(flight.tail_s, now_);
      cross(number);
    }
  }

  // The head is at the next link now. Shared links are taken in the order of these moments.
  void cross(std::uint32_t number) {
    const CompiledMessage& message = schedule_.messages[number];
    const int from = host(message.from), to = host(message.to);
    const double size = static_cast<double>(message.bytes) + transport_.header_bytes;
    Flight& flight = flights_[number];
    for (int link; (link = routes_.link_at(flight.at, from, to)) >= 0; ++flight.at.next) {
      const LinkKind& kind = routes_.kind(link);
      const double occupied_s = size * kind.s_per_byte;
      double start_s = flight.head_s;
      if (kind.shared) {
        if (flight.head_s > now_) {
          schedule(flight.head_s, Happening::head_at_link, number);
          return;
        }
        start_s = std::max(start_s, link_free_s_[link]);
        link_free_s_[link] = start_s + occupied_s;
      }
      flight.head_s = start_s + kind.latency_s;
      flight.tail_s = std::max(start_s + occupied_s, flight.tail_s) + kind.latency_s;
    }
    if (flight.tail_s > now_) {
      schedule(flight.tail_s, Happening::arrival, number);
    } else {
      arrive(number);
    }
  }

  // ---- receiving

  void post(std::uint32_t number) {
    Flight& flight = flights_[number];
    flight.done |= posted;
    if (!posted_s_.empty()) posted_s_[number] = now_;
    if (flight.done & arrived) {
      take_in(number);
    } else if ((flight.done & issued) && !is_eager(schedule_.messages[number])) {
      depart(number);
    }
  }

  void arrive(std::uint32_t number) {
    Flight& flight = flights_[number];
    flight.done |= arrived;
    if (flight.done & posted) take_in(number);
  }

  // Posted and arrived: the receiver's processor has to do its part, which may have begun when the head was there.
  void take_in(std::uint32_t number) {
    if (has_overheads_) {
      const CompiledMessage& message = schedule_.messages[number];
      const double overhead_s =
          transport_.receive_overhead_s + transport_.receive_overhead_s_per_byte * static_cast<double>(message.bytes);
      double& free_s = processor_free_s_[message.to];
      const double begin_s = std::max({free_s, flights_[number].head_s, posted_s_[number]});
      free_s = std::max(now_, begin_s + overhead_s);
      if (free_s > now_) {
        schedule(free_s, Happening::reception, number);
        return;
      }
    }
    received(number);
  }

  void received(std::uint32_t number) {
    const CompiledMessage& message = schedule_.messages[number];
    flights_[number].done |= received_;
    end_s_[message.to] = now_;
    if (with_timeline_) {
      timeline_.push_back({message.to, schedule_.receiving_op[number], posted_s_[number], now_});
    }
    wake(message.to, {Step::wait_received, number});
    if (message.acknowledged) {
      schedule(now_ + routes_.latency_s(host(message.to), host(message.from)), Happening::acknowledgement, number);
    } else if (!is_eager(message)) {
      sent(number);
    }
  }

  int host(int rank) const { return placement_.host_of_rank[rank]; }

  // ---- the end

  Replay result() {
    Replay replay;
    for (double end_s : end_s_) replay.seconds = std::max(replay.seconds, end_s);
    replay.rank_end_s = std::move(end_s_);
    replay.messages = schedule_.sends;
    replay.bytes = schedule_.bytes;
    std::sort(timeline_.begin(), timeline_.end(),
              [](const TimedOp& a, const TimedOp& b) { return std::pair(a.rank, a.op) < std::pair(b.rank, b.op); });
    replay.timeline = std::move(timeline_);
    return replay;
  }

  // The lane stands before a wait. Its blocked operation is the next send or receive of the lane, found by counting.
  [[noreturn]] void deadlock(int rank, std::uint32_t lane) {
    std::int64_t passed = 0;
    for (std::uint32_t step = schedule_.lane_begin[lane]; step < next_[lane]; ++step) {
      const Step::Kind kind = schedule_.steps[step].kind();
      if (kind == Step::send || kind == Step::receive) ++passed;
    }
    Program program;
    source_(rank, program);
    const auto lane_number = static_cast<std::uint16_t>(lane - schedule_.first_lane(rank));
    std::int64_t blocked = 0;
    for (std::size_t op = 0; op < program.ops().size(); ++op) {
      if (program.ops()[op].lane != lane_number) continue;
      blocked = static_cast<std::int64_t>(op);
      const OpKind kind = program.ops()[op].kind;
      if ((kind == OpKind::send || kind == OpKind::receive) && passed-- == 0) break;
    }
    const Step wait = schedule_.steps[next_[lane]];
    const CompiledMessage& message = schedule_.messages[wait.message()];
    const std::string awaited = message.to < 0 ? "an operation of another lane"
                                               : fmt::format("the message from rank {} to rank {} ({} B)", message.from,
                                                             message.to, message.bytes);
    throw Refused(fmt::format("deadlock: {} waits for ever for {}", describe(rank, blocked, program), awaited));
  }

  const Placement& placement_;
  const Transport& transport_;
  const ProgramSource& source_;
  CompiledSchedule schedule_;
  const RouteTable routes_;
  const bool with_timeline_;
  bool has_overheads_ = false;

  double now_ = 0;
  RadixQueue events_;
  std::vector<double> link_free_s_;                        // by link
  std::vector<Flight> flights_;                            // by message
  std::vector<std::uint32_t> next_;                        // by lane: its next step
  std::vector<double> end_s_;                              // by rank
  std::vector<std::pair<int, std::uint32_t>> free_lanes_;  // (rank, lane), a heap

  std::vector<double> processor_free_s_;   // by rank; only with overheads
  std::vector<bool> lane_busy_;            // by lane; only with overheads
  std::vector<double> posted_s_, sent_s_;  // by message; only with overheads or a timeline
  Timeline timeline_;
};

}  // namespace

Replay replay(const Network& network, const Placement& placement, std::int64_t element_bytes,
              const ProgramSource& source, bool with_timeline) {
  return Engine(network, placement, element_bytes, source, with_timeline).run();
}

}  // namespace isthmus
