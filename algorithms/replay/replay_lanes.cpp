// Replay lane by lane, each with its own clock. If no two lanes compete for a resource, all times follow from others by
// sums and maxima, and can be computed in any order. This holds for most broadcasts. So each program runs as soon as it
// is written, and is forgotten at its end: a million ranks need little more memory than their links.
#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "algorithms/replay/acknowledgements.hpp"
#include "algorithms/replay/replay_engines.hpp"
#include "algorithms/replay/unmatched_messages.hpp"
#include "algorithms/schedule/dependencies.hpp"

namespace isthmus {
namespace {

constexpr std::size_t max_waiting_operations = std::size_t{1} << 20;  // of all waiting programs: about 100 MB

struct OpState {
  double done_s = 0;
  bool is_done = false;
  bool is_awaited = false;  // by a lane that waits
};

struct LaneState {
  int next = 0, end = 0;     // in Run::order
  double clock_s = 0;        // when it reached its next operation
  int last_send = -1;        // only where one send is issued at a time
  int waits_for = -1;        // operation
  std::uint32_t number = 0;  // among the lanes of all ranks
};

/// A program until all its operations have been issued.
struct Run {
  int rank = 0;
  Program program;
  Dependencies dependencies;
  std::vector<OpState> ops;
  std::vector<int> order;  // operations, lane by lane; empty when there is one lane
  std::vector<LaneState> lanes;

  int op_at(int place) const { return order.empty() ? place : order[place]; }
  bool is_issued() const {
    return std::ranges::all_of(lanes, [](const LaneState& lane) { return lane.next == lane.end; });
  }
};

class Lanes {
 public:
  explicit Lanes(const LanesInput& input)
      : input_(input), unmatched_(input.placement.size()), run_of_rank_(input.placement.size(), none) {
    result_.rank_end_s.resize(input.placement.size());
    if (input.groups != nullptr) result_.group_end_s.resize(input.groups->size);
  }

  std::optional<Replay> run() {
    for (int rank = 0; rank < input_.placement.size(); ++rank) {
      begin(rank);
      while (!freed_.empty() && !gives_up_) {
        const auto [run, lane] = freed_.back();
        freed_.pop_back();
        advance(*runs_[run], runs_[run]->lanes[lane]);
        if (runs_[run]->is_issued()) end(run);
      }
      if (gives_up_) return std::nullopt;
    }
    if (waiting_operations_ > 0 || !unmatched_.is_empty()) return std::nullopt;
    for (const double end_s : result_.rank_end_s) result_.seconds = std::max(result_.seconds, end_s);
    return std::move(result_);
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;
  static constexpr int ahead = 16;  // ranks whose links the processor is asked for in advance

  int host(int rank) const { return input_.placement.host_of_rank[rank]; }

  void begin(int rank) {
    if (rank + ahead < input_.placement.size()) input_.routes.prefetch_links_of(host(rank + ahead));
    const std::uint32_t number = free_run();
    Run& run = *runs_[number];
    run.rank = rank;
    run.program.clear();
    input_.source(rank, run.program);
    derive(run.program, run.dependencies);
    run.ops.assign(run.program.ops().size(), {});
    set_lanes(run);
    run_of_rank_[rank] = number;
    waiting_operations_ += run.ops.size();
    for (std::size_t lane = 0; lane < run.lanes.size() && !gives_up_; ++lane) advance(run, run.lanes[lane]);
    if (run.is_issued())
      end(number);
    else
      gives_up_ |= waiting_operations_ > max_waiting_operations;
  }

  std::uint32_t free_run() {
    if (free_runs_.empty()) {
      runs_.push_back(std::make_unique<Run>());
      return static_cast<std::uint32_t>(runs_.size()) - 1;
    }
    const std::uint32_t number = free_runs_.back();
    free_runs_.pop_back();
    return number;
  }

  void end(std::uint32_t number) {
    Run& run = *runs_[number];
    waiting_operations_ -= run.ops.size();
    run_of_rank_[run.rank] = none;
    free_runs_.push_back(number);
  }

  void set_lanes(Run& run) {
    const std::span<const Op> ops = run.program.ops();
    run.lanes.assign(run.program.lanes().size(), {});
    run.order.clear();
    for (const Op& op : ops) ++run.lanes[op.lane].end;
    for (std::size_t lane = 0; lane < run.lanes.size(); ++lane) {
      if (lane > 0) run.lanes[lane].end += run.lanes[lane - 1].end;
      run.lanes[lane].number = lanes_++;
    }
    if (run.lanes.size() == 1) return;
    run.order.resize(ops.size());
    for (auto op = static_cast<int>(ops.size()); op-- > 0;) run.order[--run.lanes[ops[op].lane].end] = op;
    for (std::size_t lane = 0; lane < run.lanes.size(); ++lane) {
      run.lanes[lane].next = run.lanes[lane].end;
      run.lanes[lane].end = lane + 1 < run.lanes.size() ? run.lanes[lane + 1].end : static_cast<int>(ops.size());
    }
  }

  // Issues operations until one waits for something that is not known yet.
  void advance(Run& run, LaneState& lane) {
    for (; lane.next < lane.end && !gives_up_; ++lane.next) {
      const int number = run.op_at(lane.next);
      const Op& op = run.program.ops()[number];
      for (const int before : run.dependencies.after(number))
        if (!wait_for(run, lane, before)) return;
      if (op.kind == OpKind::send) {
        const bool one_at_a_time = run.program.lanes()[op.lane].one_send_at_a_time;
        if (one_at_a_time && lane.last_send >= 0 && !wait_for(run, lane, lane.last_send)) return;
        if (one_at_a_time) lane.last_send = number;
        send(run, lane, number, one_at_a_time);
      } else if (op.kind == OpKind::receive) {
        match(op.peer, run.rank, {op.peer, op.lane, true, false, number, lane.clock_s, bytes_of(op.to)});
      } else {
        complete(run.rank, number, lane.clock_s);
      }
    }
  }

  // The lane goes on when the operation has completed. False when that is not known yet.
  static bool wait_for(Run& run, LaneState& lane, int op) {
    OpState& state = run.ops[op];
    if (state.is_done) {
      lane.clock_s = std::max(lane.clock_s, state.done_s);
      return true;
    }
    state.is_awaited = true;
    lane.waits_for = op;
    return false;
  }

  void send(const Run& run, const LaneState& lane, int number, bool one_at_a_time) {
    const Op& op = run.program.ops()[number];
    const std::int64_t bytes = bytes_of(op.from);
    const bool acknowledged = one_at_a_time && bytes > input_.transport.buffered_bytes;
    if (bytes > input_.transport.eager_bytes || op.peer < 0 || op.peer >= input_.placement.size() ||
        __builtin_add_overflow(result_.bytes, bytes, &result_.bytes)) {
      gives_up_ = true;
      return;
    }
    ++result_.messages;
    RouteTable& routes = input_.routes;
    const RouteTable::Route route = routes.route(host(run.rank), host(op.peer));
    if (!routes.has_one_feeder(route, lane.number)) {
      gives_up_ = true;
      return;
    }
    double head_s = lane.clock_s, tail_s = lane.clock_s;
    const double size = static_cast<double>(bytes) + input_.transport.header_bytes;
    for (std::size_t i = 0; i < route.size(); ++i)
      routes.cross(routes.link(route[i]), size, host(op.peer), head_s, tail_s);
    if (!acknowledged) complete(run.rank, number, lane.clock_s);
    match(run.rank, op.peer, {run.rank, op.lane, false, acknowledged, number, tail_s, bytes});
  }

  void match(int from, int to, const UnmatchedMessage& one_end) {
    const bool can_look = unmatched_.match(to, one_end, [&](const UnmatchedMessage& other) {
      const UnmatchedMessage& send = one_end.is_receive ? other : one_end;
      const UnmatchedMessage& receive = one_end.is_receive ? one_end : other;
      gives_up_ |= send.bytes != receive.bytes;
      const double received_s = std::max(send.time_s, receive.time_s);
      end_receiving(to, receive.op, received_s);
      if (send.acknowledged) complete(from, send.op, received_s + input_.routes.latency_s(host(to), host(from)));
    });
    gives_up_ |= !can_look;
  }

  void end_receiving(int rank, int op, double now_s) {
    complete(rank, op, now_s);
    if (input_.groups == nullptr) return;
    if (const int group = input_.groups->of_op[rank][op]; group >= 0)
      result_.group_end_s[group] = std::max(result_.group_end_s[group], now_s);
  }

  void complete(int rank, int op, double now_s) {
    result_.rank_end_s[rank] = std::max(result_.rank_end_s[rank], now_s);
    const std::uint32_t number = run_of_rank_[rank];
    if (number == none) return;
    Run& run = *runs_[number];
    run.ops[op].done_s = now_s;
    run.ops[op].is_done = true;
    if (!run.ops[op].is_awaited) return;
    for (std::size_t lane = 0; lane < run.lanes.size(); ++lane) {
      if (run.lanes[lane].waits_for != op) continue;
      run.lanes[lane].waits_for = -1;
      freed_.emplace_back(number, lane);
    }
  }

  std::int64_t bytes_of(const Slice& slice) const { return slice.count * input_.element_bytes; }

  const LanesInput input_;
  Replay result_;
  UnmatchedMessages unmatched_;
  std::vector<std::unique_ptr<Run>> runs_;
  std::vector<std::uint32_t> free_runs_, run_of_rank_;        // in runs_
  std::vector<std::pair<std::uint32_t, std::size_t>> freed_;  // run and lane
  std::size_t waiting_operations_ = 0;
  std::uint32_t lanes_ = 0;
  bool gives_up_ = false;  // an order has to be decided by time, or something is wrong with the schedule
};

}  // namespace

std::optional<Replay> replay_lanes(const LanesInput& input) {
  if (input.routes.has_overheads() || has_acknowledgements(input.transport)) return std::nullopt;
  std::optional<Replay> replay = Lanes(input).run();
  if (!replay) input.routes.free_links();
  return replay;
}

}  // namespace isthmus
