#include "validation/report/schedule_picture.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "algorithms/schedule/text.hpp"

namespace isthmus {
namespace {

constexpr double schedule_left = 64, schedule_top = 8, schedule_row_height = 24, box_height = 19, box_width = 34,
                 box_gap = 3;

std::string label_of(const Op& op) {
  switch (op.kind) {
    case OpKind::send:
      return fmt::format("→{}", op.peer);
    case OpKind::receive:
      return fmt::format("←{}", op.peer);
    case OpKind::reduce:
      return "+";
    case OpKind::copy:
      return "=";
    case OpKind::wait:
      return "…";
  }
  return "";
}

}  // namespace

Element draw_schedule(const Schedule& schedule, int max_ranks, int max_operations) {
  const int ranks = std::min(static_cast<int>(schedule.size()), max_ranks);
  std::size_t longest = 0;
  for (int rank = 0; rank < ranks; ++rank) longest = std::max(longest, schedule[rank].ops().size());
  const auto boxes = static_cast<double>(std::min<std::size_t>(longest, max_operations + 1));
  const double width = schedule_left + boxes * (box_width + box_gap) + 8;
  const double height =
      schedule_top + ranks * schedule_row_height + (ranks < static_cast<int>(schedule.size()) ? 22 : 4);

  Element svg("svg");
  svg.set("viewBox", fmt::format("0 0 {:.0f} {:.0f}", width, height)).set("class", "schedule");
  svg.set("role", "img").set("tabindex", "0").set("aria-label", fmt::format("programs of {} ranks", schedule.size()));
  for (int rank = 0; rank < ranks; ++rank) {
    const double y = schedule_top + rank * schedule_row_height;
    svg.add(svg_text(schedule_left - 8, y + 14, fmt::format("rank {}", rank), "end", "tick"));
    Element row("g");
    row.set("class", "bar");
    const auto ops = schedule[rank].ops();
    for (std::size_t i = 0; i < ops.size(); ++i) {
      const double x = schedule_left + static_cast<double>(i) * (box_width + box_gap);
      if (i == static_cast<std::size_t>(max_operations)) {
        row.add(svg_text(x, y + 14, fmt::format("+{}", ops.size() - i), "start", "tick"));
        break;
      }
      Element box("g");
      box.set("class", "point").set("data-note", fmt::format("operation {}: {}", i, to_string(ops[i])));
      box.add(Element("rect")
                  .set("class", fmt::format("operation {}", name(ops[i].kind)))
                  .set("x", x)
                  .set("y", y)
                  .set("width", box_width)
                  .set("height", box_height)
                  .set("rx", 3.0));
      row.add(box.add(svg_text(x + box_width / 2, y + 14, label_of(ops[i]), "middle", "operation-label")));
    }
    svg.add(row);
  }
  if (ranks < static_cast<int>(schedule.size()))
    svg.add(svg_text(schedule_left, height - 6, fmt::format("{} more ranks", static_cast<int>(schedule.size()) - ranks),
                     "start", "tick"));
  return svg;
}

}  // namespace isthmus
