#include "algorithms/schedule/execution.hpp"

#include <algorithm>

namespace isthmus {

void Execution::prepare(const Schedule& schedule, const Matching& matching) {
  schedule_ = &schedule;
  matching_ = &matching;
  after_begin_.clear();
  after_.clear();
  states_.clear();
  lanes_.clear();
  first_lane_.clear();
  first_op_.clear();
  for (int rank = 0; rank < static_cast<int>(schedule.size()); ++rank) {
    const Program& program = schedule[rank];
    const int first_lane = static_cast<int>(lanes_.size());
    first_lane_.push_back(first_lane);
    for (const Lane& lane : program.lanes()) {
      lanes_.emplace_back().rank = rank;
      lanes_.back().one_send_at_a_time = lane.one_send_at_a_time;
      first_op_.push_back(-1);
    }
    // Until restart() sets it, `head` is the last operation of the lane that was seen.
    for (const Op& op : program.ops()) {
      const int number = static_cast<int>(states_.size());
      states_.emplace_back();
      LaneState& lane = lanes_[first_lane + op.lane];
      if (lane.head < 0)
        first_op_[first_lane + op.lane] = number;
      else
        states_[lane.head].next_in_lane = number;
      lane.head = number;
    }
  }
  after_begin_.reserve(states_.size() + 1);
  after_begin_.push_back(0);
}

void Execution::add(int rank, const Dependencies& dependencies) {
  const int first = matching_->first(rank);
  for (int op = 0; op < dependencies.size(); ++op) {
    for (const int other : dependencies.after(op)) after_.push_back(first + other);
    after_begin_.push_back(after_.size());
  }
}

void Execution::restart() {
  for (State& state : states_) {
    state.waiting_lane = -1;
    state.issued = state.done = false;
  }
  ready_.clear();
  for (int lane = static_cast<int>(lanes_.size()) - 1; lane >= 0; --lane) {
    LaneState& state = lanes_[lane];
    state.head = first_op_[lane];
    state.last_send = state.awaited = state.next = -1;
    if (state.head < 0) continue;
    state.checked = after_begin_[state.head];
    ready_.push_back(lane);
  }
}

void Execution::complete(int number) {
  State& state = states_[number];
  state.done = true;
  for (int lane = state.waiting_lane; lane >= 0; lane = lanes_[lane].next) {
    lanes_[lane].awaited = -1;
    ready_.push_back(lane);
  }
  state.waiting_lane = -1;
}

bool Execution::may_issue(int lane, const Op& op) {
  LaneState& state = lanes_[lane];
  const auto wait_for = [&](int number) {
    state.awaited = number;
    state.next = states_[number].waiting_lane;
    states_[number].waiting_lane = lane;
    return false;
  };
  for (; state.checked < after_begin_[state.head + 1]; ++state.checked)
    if (!states_[after_[state.checked]].done) return wait_for(after_[state.checked]);
  if (state.one_send_at_a_time && op.kind == OpKind::send && state.last_send >= 0 && !states_[state.last_send].done)
    return wait_for(state.last_send);
  return true;
}

std::vector<Execution::Stuck> Execution::cycle() const {
  const auto first_stuck =
      std::find_if(lanes_.begin(), lanes_.end(), [](const LaneState& lane) { return lane.head >= 0; });
  if (first_stuck == lanes_.end()) return {};
  std::vector<Stuck> chain;
  std::vector<int> seen(lanes_.size(), -1);  // by lane: its position in the chain
  int lane = static_cast<int>(first_stuck - lanes_.begin());
  while (seen[lane] < 0) {
    const LaneState& state = lanes_[lane];
    const int first = matching_->first(state.rank);
    seen[lane] = static_cast<int>(chain.size());
    chain.push_back({state.rank, state.head - first, state.awaited - first});
    // An operation that has been issued waits until its partner is issued. An operation that has not been issued waits
    // for the head of its own lane.
    int culprit = state.awaited;
    int rank = state.rank;
    if (states_[culprit].issued) {
      rank = (*schedule_)[rank].ops()[culprit - first].peer;
      culprit = matching_->partner(culprit);
      if (culprit < 0) break;
    }
    lane = first_lane_[rank] + (*schedule_)[rank].ops()[culprit - matching_->first(rank)].lane;
  }
  chain.erase(chain.begin(), chain.begin() + std::max(seen[lane], 0));
  return chain;
}

}  // namespace isthmus
