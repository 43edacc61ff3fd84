#include "algorithms/relays/steps.hpp"

#include <algorithm>
#include <utility>

#include "algorithms/schedule/dependencies.hpp"
#include "algorithms/schedule/execution.hpp"

namespace isthmus {
namespace {

class Clock {
 public:
  Clock(const Schedule& schedule, const Matching& matching, const Execution& execution) : execution_(execution) {
    const int operations = matching.first(static_cast<int>(schedule.size()));
    steps_.issued.assign(operations, -1);
    steps_.completed.assign(operations, 0);
    before_.assign(operations, -1);
    send_before_.assign(operations, -1);
    for (int rank = 0; rank < static_cast<int>(schedule.size()); ++rank) {
      const Program& program = schedule[rank];
      std::vector<int> last(program.lanes().size(), -1), last_send(program.lanes().size(), -1);
      for (int i = 0; i < static_cast<int>(program.ops().size()); ++i) {
        const int number = matching.number(rank, i);
        const Op& op = program.ops()[i];
        before_[number] = std::exchange(last[op.lane], number);
        if (op.kind == OpKind::send && program.lanes()[op.lane].one_send_at_a_time)
          send_before_[number] = std::exchange(last_send[op.lane], number);
      }
    }
  }

  void local(int number) { steps_.completed[number] = issue(number); }
  void message(int send, int receive) {
    const int step = std::max(issue(send), issue(receive)) + 1;
    steps_.completed[send] = steps_.completed[receive] = step;
  }
  Steps take() { return std::move(steps_); }

 private:
  /// Operations before it in its lane have been issued, and what these need has completed; some may not have been
  /// looked at.
  int issue(int number) {
    std::vector<int> unknown;
    for (int at = number; at >= 0 && steps_.issued[at] < 0; at = before_[at]) unknown.push_back(at);
    for (; !unknown.empty(); unknown.pop_back()) {
      const int at = unknown.back();
      int step = before_[at] < 0 ? 0 : steps_.issued[before_[at]];
      for (const int needed : execution_.after(at)) step = std::max(step, steps_.completed[needed]);
      if (send_before_[at] >= 0) step = std::max(step, steps_.completed[send_before_[at]]);
      steps_.issued[at] = step;
    }
    return steps_.issued[number];
  }

  const Execution& execution_;
  Steps steps_;
  // By operation: the one before it in its lane; in lanes with one send at a time, the send before it.
  std::vector<int> before_, send_before_;
};

}  // namespace

std::optional<Steps> find_steps(const Schedule& schedule, const Matching& matching) {
  Execution execution;
  execution.prepare(schedule, matching);
  Dependencies dependencies;
  for (int rank = 0; rank < static_cast<int>(schedule.size()); ++rank) {
    derive(schedule[rank], dependencies);
    execution.add(rank, dependencies);
  }
  Clock clock(schedule, matching, execution);
  const bool ended = execution.run(
      Sends::synchronous,
      [&](int rank, int op) {
        clock.local(matching.number(rank, op));
        return true;
      },
      [&](int source, int send, int destination, int receive) {
        clock.message(matching.number(source, send), matching.number(destination, receive));
        return true;
      });
  if (!ended) return std::nullopt;
  return clock.take();
}

}  // namespace isthmus
