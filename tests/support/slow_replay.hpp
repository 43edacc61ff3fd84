// A simple, slow replay: the reference for the real one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "algorithms/network/network.hpp"
#include "algorithms/replay/acknowledgements.hpp"
#include "algorithms/replay/frame_interleaver.hpp"
#include "algorithms/replay/ticks.hpp"
#include "algorithms/schedule/program.hpp"

namespace isthmus::tests {

/// Checks every operation and every message again at every event. Returns the end time of each rank; infinity for a
/// rank that does not end.
class SlowReplay {
 public:
  SlowReplay(const Network& network, const Placement& placement, std::int64_t element_bytes, const Schedule& schedule)
      : network_(network), placement_(placement), element_bytes_(element_bytes), schedule_(schedule) {
    for (int rank = 0; rank < placement.size(); ++rank) {
      states_.emplace_back(schedule[rank].ops().size());
      processor_free_.push_back(0);
      rank_free_.push_back(0);
      at_lane_.push_back(0);
    }
    link_free_.assign(network.links.size(), 0);
    interleavers_.resize(network.links.size());
  }

  std::vector<double> run() {
    for (now_ = 0; now_ < never; now_ = next_moment()) {
      std::ranges::stable_sort(streams_, {}, &Stream::from);
      while (std::ranges::any_of(streams_, [this](const Stream& stream) { return is_at_link(stream); }))
        for (Stream& stream : streams_)
          if (is_at_link(stream)) cross(stream);
      current_rank_ = 0;
      current_lane_ = 0;
      while (something_happens()) {
      }
    }
    std::vector<double> ends;
    for (const std::vector<State>& states : states_) {
      double end = 0;
      for (const State& state : states) end = std::max(end, state.complete_s);
      ends.push_back(end);
    }
    return ends;
  }

 private:
  static constexpr double never = std::numeric_limits<double>::infinity();

  struct State {
    bool issued = false, noticed = false;
    double begin_s = never;     // when its processor begins
    double complete_s = never;  // may lie in the future
  };

  struct Message {
    int from, from_op, to, to_op;
    std::vector<int> links;
    std::size_t at = 0;  // links crossed
    bool left = false, received = false;
    double head_s = 0, tail_s = 0, bytes = 0, taken_in_s = never;
  };

  // The acknowledgements of a message.
  struct Stream {
    int from;  // the sender of the message
    std::vector<int> links, links_of_message;
    Acknowledgements sent;
    std::size_t at = 0;  // links crossed
  };
  static constexpr std::ptrdiff_t a_stream = -1;

  bool complete(int rank, int op) const {
    const State& state = states_[rank][op];
    const bool is_seen = state.noticed || !notices(rank) || schedule_[rank].ops()[op].kind != OpKind::receive;
    return state.complete_s <= now_ && is_seen;
  }

  static bool conflict(const Op& a, const Op& b) {
    const auto reads = [](const Op& op, const Slice& slice) {
      return op.kind != OpKind::receive &&
             (overlap(op.from, slice) || (op.kind == OpKind::reduce && overlap(op.right, slice)));
    };
    const auto writes = [](const Op& op, const Slice& slice) {
      return op.kind != OpKind::send && overlap(op.to, slice);
    };
    const auto one_way = [&](const Op& one, const Op& other) {
      return one.kind != OpKind::send && (reads(other, one.to) || writes(other, one.to));
    };
    return one_way(a, b) || one_way(b, a);
  }

  bool may_issue(int rank, int op) const {
    const auto ops = schedule_[rank].ops();
    for (int before = 0; before < op; ++before) {
      const bool same_lane = ops[before].lane == ops[op].lane;
      if (same_lane && !states_[rank][before].issued) return false;
      if (conflict(ops[before], ops[op]) && !complete(rank, before)) return false;
      const bool blocking = same_lane && schedule_[rank].lanes()[ops[op].lane].one_send_at_a_time;
      if (blocking && ops[before].kind == OpKind::send && ops[op].kind == OpKind::send &&
          ops[before].from.count * element_bytes_ > network_.transport.buffered_bytes && !complete(rank, before)) {
        return false;
      }
    }
    return rank_free_[rank] <= now_;
  }

  // The first event found that can happen now.
  bool something_happens() {
    if (crossing_ && some_message_crosses()) return true;
    crossing_ = false;
    for (Message& message : messages_) {
      if (leaves(message) || is_taken_in(message) || is_received(message)) return true;
    }
    // Of things that may happen at the same moment a lane goes on as far as it can, then comes the lowest rank and
    // lane; of a rank whose processor takes time the next lane.
    if (has_overheads() ? rank_goes_on(current_rank_) : goes_on(current_rank_, current_lane_)) return true;
    for (int rank = 0; rank < placement_.size(); ++rank) {
      if (!has_overheads()) at_lane_[rank] = 0;
      if (rank_goes_on(rank)) return true;
      if (rank_free_[rank] <= now_) at_lane_[rank] = 0;
    }
    crossing_ = true;
    return some_message_crosses();
  }

  // That of the lowest rank, and of one rank that which was sent first.
  bool some_message_crosses() {
    Message* first = nullptr;
    for (Message& message : messages_) {
      if (is_before_link(message) && (first == nullptr || message.from < first->from)) first = &message;
    }
    if (first != nullptr) cross(*first);
    return first != nullptr;
  }

  bool rank_goes_on(int rank) {
    const std::size_t lanes = schedule_[rank].lanes().size();
    for (std::size_t i = 0; i < lanes; ++i) {
      if (goes_on(rank, (at_lane_[rank] + i) % lanes)) return true;
    }
    return notices(rank) && rank_free_[rank] <= now_ && takes_notice(rank);
  }

  /// A rank of several lanes whose processor takes time is one thread, which sees one message after the other.
  bool notices(int rank) const { return has_overheads() && schedule_[rank].lanes().size() > 1; }

  bool takes_notice(int rank) {
    const auto ops = schedule_[rank].ops();
    for (std::size_t lane = 0; lane < schedule_[rank].lanes().size(); ++lane) {
      int next = 0;
      const int end = static_cast<int>(ops.size());
      while (next < end && (ops[next].lane != lane || states_[rank][next].issued)) ++next;
      for (int before = 0; next < end && before < next; ++before) {
        State& state = states_[rank][before];
        if (ops[before].kind != OpKind::receive || !state.issued || state.noticed ||
            !conflict(ops[before], ops[next])) {
          continue;
        }
        for (const Message& message : messages_) {
          if (message.to != rank || message.to_op != before || message.taken_in_s == never) continue;
          state.noticed = true;
          at_lane_[rank] = 0;
          rank_free_[rank] = std::max(now_, message.taken_in_s);
          return true;
        }
      }
    }
    return false;
  }

  bool goes_on(int rank, std::size_t lane) {
    for (int op = 0; op < static_cast<int>(states_[rank].size()); ++op) {
      if (schedule_[rank].ops()[op].lane == lane && !states_[rank][op].issued && may_issue(rank, op)) {
        current_rank_ = rank;
        current_lane_ = at_lane_[rank] = lane;
        issue(rank, op);
        return true;
      }
    }
    return false;
  }

  void issue(int rank, int number) {
    const Op& op = schedule_[rank].ops()[number];
    const Transport& transport = network_.transport;
    State& state = states_[rank][number];
    state.issued = true;
    state.begin_s = now_;
    if (op.kind == OpKind::copy) state.complete_s = now_;
    if (op.kind == OpKind::reduce) {
      const auto bytes = static_cast<double>(op.to.count * element_bytes_);
      state.complete_s = now_;
      if (transport.reduction_s_per_byte > 0) {
        state.complete_s = std::max(now_, processor_free_[rank]) + in_ticks(transport.reduction_s_per_byte * bytes);
        processor_free_[rank] = rank_free_[rank] = state.complete_s;
      }
    }
    if (op.kind != OpKind::send) return;
    const auto bytes = static_cast<double>(op.from.count * element_bytes_);
    state.begin_s = std::max(now_, processor_free_[rank]);
    const double done_s =
        state.begin_s + in_ticks(transport.send_overhead_s + transport.send_overhead_s_per_byte * bytes);
    processor_free_[rank] = rank_free_[rank] = done_s;
    const bool waits = schedule_[rank].lanes()[op.lane].one_send_at_a_time &&
                       op.from.count * element_bytes_ > transport.buffered_bytes;
    if (!waits && bytes <= static_cast<double>(transport.eager_bytes)) state.complete_s = done_s;
    messages_.push_back({.from = rank,
                         .from_op = number,
                         .to = op.peer,
                         .to_op = receive_of(rank, number),
                         .links = network_.route(host(rank), host(op.peer)).links,
                         .head_s = state.begin_s,
                         .tail_s = done_s,
                         .bytes = bytes});
  }

  // The receive with as many before it from the same rank and lane as the send has to the same rank and lane.
  int receive_of(int rank, int number) const {
    const auto sends = schedule_[rank].ops();
    const Op& send = sends[number];
    int nth = 0;
    for (int i = 0; i < number; ++i) {
      if (sends[i].kind == OpKind::send && sends[i].peer == send.peer && sends[i].lane == send.lane) ++nth;
    }
    const auto receives = schedule_[send.peer].ops();
    for (int i = 0; i < static_cast<int>(receives.size()); ++i) {
      if (receives[i].kind == OpKind::receive && receives[i].peer == rank && receives[i].lane == send.lane &&
          nth-- == 0) {
        return i;
      }
    }
    return -1;
  }

  bool has_overheads() const {
    const Transport& transport = network_.transport;
    return transport.send_overhead_s + transport.send_overhead_s_per_byte + transport.receive_overhead_s +
               transport.receive_overhead_s_per_byte + transport.reduction_s_per_byte >
           0;
  }

  bool eager(const Message& message) const {
    return message.bytes <= static_cast<double>(network_.transport.eager_bytes);
  }
  State& receiving(const Message& message) { return states_[message.to][message.to_op]; }

  bool leaves(Message& message) {
    if (message.left || message.head_s > now_) return false;
    if (!eager(message) && !receiving(message).issued) return false;
    message.left = true;
    message.head_s = now_;
    message.tail_s = std::max(message.tail_s, now_);
    return true;
  }

  bool is_before_link(const Message& message) const {
    return message.left && message.at < message.links.size() && message.head_s <= now_;
  }

  void cross(Message& message) {
    const Link& link = network_.links[message.links[message.at]];
    const double occupied_s = in_ticks((message.bytes + network_.transport.header_bytes) / link.bandwidth_Bps);
    const int number = message.links[message.at];
    double start_s = now_, done_s = std::max(now_ + occupied_s, message.tail_s);
    if (link.sharing == Sharing::shared) {
      const auto passage = interleavers_[number].arrive(
          &message - messages_.data(), now_, message.tail_s, occupied_s,
          frames_of(message.bytes + network_.transport.header_bytes, network_.transport.frame_bytes),
          link_free_[number],
          [&](std::ptrdiff_t other, double other_done_s) { delay_tail(other, number, other_done_s); });
      start_s = passage.start_s;
      done_s = passage.done_s;
    }
    message.head_s = start_s + in_ticks(link.latency_s);
    message.tail_s = done_s + in_ticks(link.latency_s);
    ++message.at;
    if (message.at < message.links.size()) return;
    const Acknowledgements sent = Acknowledgements::of(
        network_.transport, message.bytes + network_.transport.header_bytes, message.head_s, message.tail_s);
    if (sent.frames > 0)
      streams_.push_back(
          {message.from, network_.route(host(message.to), host(message.from)).links, message.links, sent});
  }

  bool is_at_link(const Stream& stream) const { return stream.at < stream.links.size() && stream.sent.head_s <= now_; }

  // The next link.
  void cross(Stream& stream) {
    double slowest_Bps = std::numeric_limits<double>::infinity();
    for (const int link : stream.links_of_message)
      slowest_Bps = std::min(slowest_Bps, network_.links[link].bandwidth_Bps);
    const int number = stream.links[stream.at++];
    const Link& link = network_.links[number];
    const bool both = std::ranges::find(stream.links_of_message, number) != stream.links_of_message.end();
    if (link.sharing == Sharing::shared && !both && acknowledgements_count(1 / link.bandwidth_Bps, 1 / slowest_Bps)) {
      const auto passage = interleavers_[number].arrive(
          a_stream, now_, stream.sent.tail_s, in_ticks(stream.sent.bytes / link.bandwidth_Bps), stream.sent.frames,
          link_free_[number],
          [&](std::ptrdiff_t other, double other_done_s) { delay_tail(other, number, other_done_s); });
      stream.sent.head_s = passage.start_s;
      stream.sent.tail_s = passage.done_s;
    }
    stream.sent.head_s += in_ticks(link.latency_s);
    stream.sent.tail_s += in_ticks(link.latency_s);
  }

  void delay_tail(std::ptrdiff_t delayed, int link, double done_s) {
    if (delayed == a_stream) return;
    Message& message = messages_[delayed];
    bool since = false;
    for (std::size_t i = 0; i < message.at; ++i) {
      since |= message.links[i] == link;
      if (since) done_s += in_ticks(network_.links[message.links[i]].latency_s);
    }
    message.tail_s = std::max(message.tail_s, done_s);
  }

  bool is_taken_in(Message& message) {
    if (!message.left || message.taken_in_s < never || message.at < message.links.size() || message.tail_s > now_) {
      return false;
    }
    const Transport& transport = network_.transport;
    const double overhead_s =
        in_ticks(transport.receive_overhead_s + transport.receive_overhead_s_per_byte * message.bytes);
    double& free_s = processor_free_[message.to];
    message.taken_in_s = has_overheads() ? std::max(now_, std::max(free_s, message.head_s) + overhead_s) : now_;
    free_s = std::max(free_s, message.taken_in_s);
    return true;
  }

  bool is_received(Message& message) {
    State& receive = receiving(message);
    if (message.received || !receive.issued || message.taken_in_s > now_) return false;
    message.received = true;
    receive.complete_s = now_;
    const Transport& transport = network_.transport;
    State& send = states_[message.from][message.from_op];
    const Op& op = schedule_[message.from].ops()[message.from_op];
    if (schedule_[message.from].lanes()[op.lane].one_send_at_a_time &&
        message.bytes > static_cast<double>(transport.buffered_bytes)) {
      send.complete_s = receive.complete_s;
      for (const int link : network_.route(host(message.to), host(message.from)).links) {
        send.complete_s += in_ticks(network_.links[link].latency_s);
      }
    } else if (!eager(message)) {
      send.complete_s = receive.complete_s;
    }
    return true;
  }

  // The earliest moment after now at which anything is due.
  double next_moment() const {
    double next = never;
    const auto consider = [&](double moment) {
      if (moment > now_) next = std::min(next, moment);
    };
    for (const Message& message : messages_) {
      consider(message.head_s);
      consider(message.tail_s);
      consider(message.taken_in_s);
    }
    for (const std::vector<State>& states : states_) {
      for (const State& state : states) consider(state.complete_s);
    }
    for (double free_s : rank_free_) consider(free_s);
    for (const Stream& stream : streams_)
      if (stream.at < stream.links.size()) consider(stream.sent.head_s);
    return next;
  }

  int host(int rank) const { return placement_.host_of_rank[rank]; }

  const Network& network_;
  const Placement& placement_;
  const std::int64_t element_bytes_;
  const Schedule& schedule_;
  double now_ = 0;
  int current_rank_ = 0;
  std::size_t current_lane_ = 0;
  bool crossing_ = false;                   // all else that happens at this moment has happened
  std::vector<std::vector<State>> states_;  // by rank, by operation
  std::vector<double> rank_free_;           // by rank: when its processor is done with the last send or reduction
  std::vector<std::size_t> at_lane_;        // by rank: where it was then
  std::vector<double> processor_free_, link_free_;
  std::vector<FrameInterleaver<std::ptrdiff_t>> interleavers_;
  std::vector<Message> messages_;  // in the order of their sends
  std::vector<Stream> streams_;
};

}  // namespace isthmus::tests
