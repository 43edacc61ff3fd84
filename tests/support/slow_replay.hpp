// The replay written down without any thought for speed: the reference that the real one is held against.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "algorithms/models/network.hpp"
#include "algorithms/schedule/program.hpp"

namespace isthmus::tests {

/// Looks at every operation and every message again at every moment at which something may happen. Returns the end of
/// each rank; infinity for a rank that does not end.
class SlowReplay {
 public:
  SlowReplay(const Network& network, const Placement& placement, std::int64_t element_bytes, const Schedule& schedule)
      : network_(network), placement_(placement), element_bytes_(element_bytes), schedule_(schedule) {
    for (int rank = 0; rank < placement.size(); ++rank) {
      states_.emplace_back(schedule[rank].ops().size());
      lane_free_.emplace_back(schedule[rank].lanes().size(), 0.0);
      processor_free_.push_back(0);
    }
    link_free_.assign(network.links.size(), 0);
  }

  std::vector<double> run() {
    for (now_ = 0; now_ < never; now_ = next_moment()) {
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
    bool issued = false;
    double begin_s = never;     // when its processor begins
    double complete_s = never;  // may lie in the future
  };

  struct Message {
    int from, from_op, to, to_op;
    std::vector<int> links;
    std::size_t at = 0;  // links crossed
    bool left = false, taken_in = false;
    double head_s = 0, tail_s = 0, bytes = 0;
  };

  bool complete(int rank, int op) const { return states_[rank][op].complete_s <= now_; }

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
    return lane_free_[rank][ops[op].lane] <= now_;
  }

  // One thing that can happen now, the first that is found.
  bool something_happens() {
    for (Message& message : messages_) {
      if (leaves(message) || crosses(message) || is_taken_in(message)) return true;
    }
    // Of things that may happen at the same moment a lane goes on as far as it can, then comes the lowest rank and
    // lane.
    if (goes_on(current_rank_, current_lane_)) return true;
    for (int rank = 0; rank < placement_.size(); ++rank) {
      for (std::size_t lane = 0; lane < lane_free_[rank].size(); ++lane) {
        if (goes_on(rank, lane)) return true;
      }
    }
    return false;
  }

  bool goes_on(int rank, std::size_t lane) {
    for (int op = 0; op < static_cast<int>(states_[rank].size()); ++op) {
      if (schedule_[rank].ops()[op].lane == lane && !states_[rank][op].issued && may_issue(rank, op)) {
        current_rank_ = rank;
        current_lane_ = lane;
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
    if (op.kind == OpKind::copy || op.kind == OpKind::reduce) state.complete_s = now_;
    if (op.kind != OpKind::send) return;
    const auto bytes = static_cast<double>(op.from.count * element_bytes_);
    state.begin_s = std::max(now_, processor_free_[rank]);
    const double done_s = state.begin_s + transport.send_overhead_s + transport.send_overhead_s_per_byte * bytes;
    processor_free_[rank] = lane_free_[rank][op.lane] = done_s;
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

  bool crosses(Message& message) {
    if (!message.left || message.at == message.links.size() || message.head_s > now_) return false;
    const Link& link = network_.links[message.links[message.at]];
    const double occupied_s = (message.bytes + network_.transport.header_bytes) / link.bandwidth_Bps;
    double start_s = now_;
    if (link.sharing == Sharing::shared) {
      double& free_s = link_free_[message.links[message.at]];
      start_s = std::max(now_, free_s);
      free_s = start_s + occupied_s;
    }
    message.head_s = start_s + link.latency_s;
    message.tail_s = std::max(start_s + occupied_s, message.tail_s) + link.latency_s;
    ++message.at;
    return true;
  }

  bool is_taken_in(Message& message) {
    if (!message.left || message.taken_in || message.at < message.links.size() || message.tail_s > now_) return false;
    State& receive = receiving(message);
    if (!receive.issued) return false;
    message.taken_in = true;
    const Transport& transport = network_.transport;
    const double overhead_s = transport.receive_overhead_s + transport.receive_overhead_s_per_byte * message.bytes;
    double& free_s = processor_free_[message.to];
    const bool has_overhead = transport.send_overhead_s + transport.send_overhead_s_per_byte +
                                  transport.receive_overhead_s + transport.receive_overhead_s_per_byte >
                              0;
    receive.complete_s =
        has_overhead ? std::max(now_, std::max({free_s, message.head_s, receive.begin_s}) + overhead_s) : now_;
    free_s = std::max(free_s, receive.complete_s);
    State& send = states_[message.from][message.from_op];
    const Op& op = schedule_[message.from].ops()[message.from_op];
    if (schedule_[message.from].lanes()[op.lane].one_send_at_a_time &&
        message.bytes > static_cast<double>(transport.buffered_bytes)) {
      send.complete_s = receive.complete_s + network_.route(host(message.to), host(message.from)).latency_s;
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
    }
    for (const std::vector<State>& states : states_) {
      for (const State& state : states) consider(state.complete_s);
    }
    for (const std::vector<double>& lanes : lane_free_) {
      for (double free_s : lanes) consider(free_s);
    }
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
  std::vector<std::vector<State>> states_;      // by rank, by operation
  std::vector<std::vector<double>> lane_free_;  // by rank, by lane: when its processor is done with the last send
  std::vector<double> processor_free_, link_free_;
  std::vector<Message> messages_;  // in the order of their sends
};

}  // namespace isthmus::tests
