// One greedy execution of a schedule in which every send is synchronous, which is the strictest case.
//
// An operation is issued when the one before it in its lane has been issued and all that it depends on has completed
// (and, for a send in a lane with one send at a time, the send before it has completed). A reduction, copy or wait
// completes when it is issued; a message completes, at both ends, when its send and its receive have both been issued.
//
// Why one execution suffices: each of these conditions stays true once it is true, and none requires that something has
// not happened yet. So issuing one operation never prevents another from being issued: all greedy executions issue the
// same operations, in whatever order they choose. Sends that complete earlier than synchronous ones only make
// conditions true earlier. Hence a schedule that ends here ends everywhere, and a schedule that gets stuck here gets
// stuck at the same operations whenever all sends are synchronous.
#pragma once

#include <cstddef>
#include <vector>

#include "algorithms/schedule/dependencies.hpp"
#include "algorithms/schedule/matching.hpp"
#include "algorithms/schedule/program.hpp"

namespace isthmus {

/// When a send completes: once its receive has been posted, or as soon as it is issued.
enum class Sends { synchronous, buffered };

/// Keeps its memory between schedules.
class Execution {
 public:
  /// Prepares for a schedule that has been matched. Both must outlive the runs.
  void prepare(const Schedule& schedule, const Matching& matching);
  /// Sets the dependencies of a rank's operations. To be called once for each rank, in the order of ranks.
  void add(int rank, const Dependencies& dependencies);

  /// Runs as far as possible. Calls local(rank, op) for a reduction, copy or wait and message(source, send,
  /// destination, receive) for a message when they complete, in an order in which all dependencies are kept; either
  /// returns false to stop the run. Returns whether every operation was issued.
  template <class Local, class Message>
  bool run(Sends sends, Local local, Message message);

  /// Where a run got stuck: operation `blocked` of `rank`, the next of its lane, cannot be issued before operation
  /// `awaited` of the same rank completes.
  struct Stuck {
    int rank;
    int blocked;
    int awaited;
  };
  /// A cycle of stuck lanes, each waiting for the next one's rank. Empty after a run that issued every operation.
  std::vector<Stuck> cycle() const;

  /// The numbers of all operations that operation `number` depends on.
  std::span<const int> after(int number) const {
    return {after_.data() + after_begin_[number], after_begin_[number + 1] - after_begin_[number]};
  }

 private:
  struct State {
    int next_in_lane = -1;
    int waiting_lane = -1;  ///< head of the list of lanes that wait for this operation
    bool issued = false;
    bool done = false;
  };
  struct LaneState {
    int rank = 0;
    int head = -1;       ///< next operation to issue
    int last_send = -1;  ///< in a lane with one send at a time
    int awaited = -1;    ///< what the head waits for
    int next = -1;       ///< the next lane in the list of lanes that wait for the same operation
    bool one_send_at_a_time = false;
    std::size_t checked = 0;  ///< the dependencies of the head before this index have completed
  };

  void restart();
  void complete(int number);
  /// Whether the head of a lane may be issued. If not, the lane is put on the list of the operation that it waits for.
  bool may_issue(int lane, const Op& op);

  const Schedule* schedule_ = nullptr;
  const Matching* matching_ = nullptr;
  std::vector<std::size_t> after_begin_;
  std::vector<int> after_;
  std::vector<State> states_;
  std::vector<LaneState> lanes_;
  std::vector<int> first_lane_;  // by rank
  std::vector<int> first_op_;    // by lane
  std::vector<int> ready_;       // lanes that may advance
};

template <class Local, class Message>
bool Execution::run(Sends sends, Local local, Message message) {
  restart();
  while (!ready_.empty()) {
    const int lane = ready_.back();
    ready_.pop_back();
    LaneState& state = lanes_[lane];
    const std::span<const Op> ops = (*schedule_)[state.rank].ops();
    const int first = matching_->first(state.rank);
    while (state.head >= 0) {
      const int number = state.head;
      const Op& op = ops[number - first];
      if (!may_issue(lane, op)) break;
      states_[number].issued = true;
      if (op.kind != OpKind::send && op.kind != OpKind::receive) {
        if (!local(state.rank, number - first)) return false;
        complete(number);
      } else {
        if (op.kind == OpKind::send) {
          state.last_send = number;
          if (sends == Sends::buffered) complete(number);
        }
        const int partner = matching_->partner(number);
        if (partner >= 0 && states_[partner].issued) {
          const int other = partner - matching_->first(op.peer);
          const bool go_on = op.kind == OpKind::send ? message(state.rank, number - first, op.peer, other)
                                                     : message(op.peer, other, state.rank, number - first);
          if (!go_on) return false;
          complete(number);
          complete(partner);
        }
      }
      state.head = states_[number].next_in_lane;
      if (state.head >= 0) state.checked = after_begin_[state.head];
    }
  }
  for (const LaneState& lane : lanes_)
    if (lane.head >= 0) return false;
  return true;
}

}  // namespace isthmus
