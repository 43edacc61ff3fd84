#include "algorithms/replay/critical_path.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <vector>

namespace isthmus {
namespace {

class Path {
 public:
  Path(const PlacedNetwork& placed, std::int64_t element_bytes, const Schedule& schedule, const Timeline& timeline)
      : network_(placed.network()),
        placement_(placed.placement()),
        topology_(placed.topology()),
        element_bytes_(element_bytes),
        schedule_(schedule) {
    times_.resize(schedule.size());
    for (std::size_t rank = 0; rank < schedule.size(); ++rank) times_[rank].resize(schedule[rank].ops().size());
    for (const TimedOp& op : timeline) times_[op.rank][op.op] = op;
    number_messages();
  }

  CostSplit split() {
    CostSplit split;
    const TimedOp* at = last();
    // Every step goes back to an earlier operation, so that the walk ends.
    std::size_t steps = 0;
    for (const auto& program : schedule_) steps += program.ops().size();
    while (at != nullptr && steps-- > 0) {
      const TimedOp* begun = at;
      if (op_of(*at).kind == OpKind::receive) {
        const Message message = message_of(*at);
        add(split, message);
        begun = message.sent;
      } else if (op_of(*at).kind == OpKind::send) {
        add_send(split, *at);
      } else {
        split.overhead_s += at->end_s - at->begin_s;
      }
      at = cause_of(*begun);
      split.overhead_s += begun->begin_s - (at == nullptr ? 0 : at->end_s);  // time spent on computing
    }
    return split;
  }

 private:
  using Channel = std::tuple<int, int, int>;  // from, to, lane

  struct Message {
    Channel channel;
    std::size_t number;  // index in its channel
    const TimedOp *sent, *received;
  };

  const Op& op_of(const TimedOp& timed) const { return schedule_[timed.rank].ops()[timed.op]; }

  void number_messages() {
    for (std::size_t rank = 0; rank < schedule_.size(); ++rank) {
      const auto ops = schedule_[rank].ops();
      const int self = static_cast<int>(rank);
      for (std::size_t i = 0; i < ops.size(); ++i) {
        const int op = static_cast<int>(i);
        if (ops[i].kind == OpKind::send) sends_[{self, ops[i].peer, ops[i].lane}].push_back(op);
        if (ops[i].kind != OpKind::receive) continue;
        std::vector<int>& receives = receives_[{ops[i].peer, self, ops[i].lane}];
        number_of_receive_[{self, op}] = receives.size();
        receives.push_back(op);
      }
    }
  }

  Message message_of(const TimedOp& received) const {
    const Op& op = op_of(received);
    const Channel channel{op.peer, received.rank, op.lane};
    const std::size_t number = number_of_receive_.at({received.rank, received.op});
    return {channel, number, &times_[op.peer][sends_.at(channel)[number]], &received};
  }

  Message message_of_send(const TimedOp& sent) const {
    const Op& op = op_of(sent);
    const Channel channel{sent.rank, op.peer, op.lane};
    const std::vector<int>& sends = sends_.at(channel);
    const auto number = static_cast<std::size_t>(std::ranges::find(sends, sent.op) - sends.begin());
    return {channel, number, &sent, &times_[op.peer][receives_.at(channel)[number]]};
  }

  const TimedOp* last() const {
    const TimedOp* latest = nullptr;
    for (const auto& times : times_)
      for (const TimedOp& timed : times)
        if (timed.end_s > 0 && (latest == nullptr || timed.end_s > latest->end_s)) latest = &timed;
    return latest;
  }

  /// The operation of the rank that ended when this one was issued; a receive is preferred to a send. Null at the
  /// common start.
  const TimedOp* cause_of(const TimedOp& timed) const {
    if (timed.begin_s <= 0) return nullptr;
    const TimedOp* cause = nullptr;
    for (const TimedOp& other : times_[timed.rank]) {
      if (&other == &timed || other.end_s > timed.begin_s || other.end_s <= 0) continue;
      const OpKind kind = op_of(other).kind;
      if (kind != OpKind::receive && kind != OpKind::send) continue;
      if (other.end_s - other.begin_s <= 0) continue;
      if (cause == nullptr || other.end_s > cause->end_s ||
          (other.end_s == cause->end_s && kind == OpKind::receive && op_of(*cause).kind != OpKind::receive))
        cause = &other;
    }
    return cause;
  }

  /// A send that its rank waits for: one that was acknowledged is its message and the way back.
  void add_send(CostSplit& split, const TimedOp& sent) const {
    const Message message = message_of_send(sent);
    double left_s = sent.end_s - message.received->end_s;
    if (left_s < 0) {
      split.contention_s += sent.end_s - sent.begin_s;  // it ended before its message came
      return;
    }
    add(split, message);
    const auto& [from, to, lane] = message.channel;
    const Route back = network_.route(placement_.host_of_rank[to], placement_.host_of_rank[from]);
    const double way_s = std::min(left_s, back.latency_s);
    split.latency_s += way_s;
    split.contention_s += left_s - way_s;
  }

  void add(CostSplit& split, const Message& message) const {
    const auto& [from, to, lane] = message.channel;
    const Route route = network_.route(placement_.host_of_rank[from], placement_.host_of_rank[to]);
    const Transport& transport = network_.transport;
    double left_s = message.received->end_s - message.sent->begin_s;
    const auto take = [&](double& share_s, double wanted_s) {
      const double taken_s = std::min(left_s, wanted_s);
      share_s += taken_s;
      left_s -= taken_s;
    };
    take(split.latency_s, route.latency_s);
    const bool groups = !topology_.group(0).children.empty();
    const int from_site = topology_.group_at(from, 1), to_site = topology_.group_at(to, 1);
    double& transfer_s = groups && (from_site != to_site || from_site == 0) ? split.wide_area_s : split.local_s;
    const double bytes = bytes_of(*message.received);
    const auto transfer_of = [&](double size) {
      return std::isfinite(route.bandwidth_Bps) ? (size + transport.header_bytes) / route.bandwidth_Bps : 0;
    };
    take(transfer_s, transfer_of(bytes));
    take(split.overhead_s, transport.send_overhead_s + transport.receive_overhead_s +
                               bytes * (transport.send_overhead_s_per_byte + transport.receive_overhead_s_per_byte));
    const std::vector<int>& receives = receives_.at(message.channel);
    for (std::size_t before = message.number; before-- > 0 && left_s > 0;) {
      const TimedOp& earlier = times_[to][receives[before]];
      if (earlier.end_s <= message.sent->begin_s + route.latency_s) break;
      take(transfer_s, transfer_of(bytes_of(earlier)));
    }
    split.contention_s += left_s;
    ++split.messages;
  }

  double bytes_of(const TimedOp& received) const {
    return static_cast<double>(op_of(received).to.count * element_bytes_);
  }

  const Network& network_;
  const Placement& placement_;
  const Topology& topology_;
  std::int64_t element_bytes_;
  const Schedule& schedule_;
  std::vector<std::vector<TimedOp>> times_;                       // by rank, by operation
  std::map<Channel, std::vector<int>> sends_, receives_;          // operations, in order
  std::map<std::pair<int, int>, std::size_t> number_of_receive_;  // index in its channel, by rank and operation
};

}  // namespace

CostSplit critical_path(const PlacedNetwork& placed, std::int64_t element_bytes, const Schedule& schedule,
                        const Timeline& timeline) {
  return Path(placed, element_bytes, schedule, timeline).split();
}

}  // namespace isthmus
