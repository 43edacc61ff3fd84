#include "algorithms/schedule/export_goal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "algorithms/schedule/dependencies.hpp"

namespace isthmus {
namespace {

std::int64_t nanoseconds(std::int64_t count, const GoalCosts& costs, double s_per_byte) {
  return std::llround(static_cast<double>(count * costs.element_bytes) * s_per_byte * 1e9);
}

void write_op(std::string& text, int label, const Op& op, const GoalCosts& costs) {
  const auto out = std::back_inserter(text);
  switch (op.kind) {
    case OpKind::send:
      fmt::format_to(out, "l{}: send {}b to {} tag {} cpu 0\n", label, op.from.count * costs.element_bytes, op.peer,
                     op.lane);
      return;
    case OpKind::receive:
      fmt::format_to(out, "l{}: recv {}b from {} tag {} cpu 0\n", label, op.to.count * costs.element_bytes, op.peer,
                     op.lane);
      return;
    case OpKind::reduce:
      fmt::format_to(out, "l{}: calc {} cpu 0\n", label, nanoseconds(op.to.count, costs, costs.reduce_s_per_byte));
      return;
    case OpKind::copy:
      fmt::format_to(out, "l{}: calc {} cpu 0\n", label, nanoseconds(op.to.count, costs, costs.copy_s_per_byte));
      return;
    case OpKind::wait:
      fmt::format_to(out, "l{}: calc 0 cpu 0\n", label);
      return;
  }
}

}  // namespace

std::string export_goal(const Schedule& schedule, const GoalCosts& costs) {
  std::string text = fmt::format("num_ranks {}\n", schedule.size());
  Dependencies dependencies;
  std::vector<int> previous;       // by lane: the operation before, or -1
  std::vector<int> previous_send;  // by lane
  for (std::size_t rank = 0; rank < schedule.size(); ++rank) {
    const Program& program = schedule[rank];
    derive(program, dependencies);
    previous.assign(program.lanes().size(), -1);
    previous_send.assign(program.lanes().size(), -1);
    fmt::format_to(std::back_inserter(text), "\nrank {} {{\n", rank);
    for (int i = 0; i < dependencies.size(); ++i) {
      const Op& op = program.ops()[i];
      write_op(text, i + 1, op, costs);
      const auto after = dependencies.after(i);
      for (const int other : after) fmt::format_to(std::back_inserter(text), "l{} requires l{}\n", i + 1, other + 1);
      const auto derived = [&](int other) { return std::binary_search(after.begin(), after.end(), other); };
      int issued_before = previous[op.lane];
      if (op.kind == OpKind::send) {
        const int sent_before = previous_send[op.lane];
        if (program.lanes()[op.lane].one_send_at_a_time && sent_before >= 0) {
          if (!derived(sent_before))
            fmt::format_to(std::back_inserter(text), "l{} requires l{}\n", i + 1, sent_before + 1);
          if (sent_before == issued_before) issued_before = -1;
        }
        previous_send[op.lane] = i;
      }
      if (issued_before >= 0 && !derived(issued_before)) {
        // A local operation counts as issued when it is done, a message when it has begun.
        const OpKind kind = program.ops()[issued_before].kind;
        const bool local = kind != OpKind::send && kind != OpKind::receive;
        fmt::format_to(std::back_inserter(text), "l{} {} l{}\n", i + 1, local ? "requires" : "irequires",
                       issued_before + 1);
      }
      previous[op.lane] = i;
    }
    text += "}\n";
  }
  return text;
}

}  // namespace isthmus
