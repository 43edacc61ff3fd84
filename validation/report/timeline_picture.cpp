#include "validation/report/timeline_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "algorithms/text/counted.hpp"
#include "validation/report/scale.hpp"
#include "validation/text/units.hpp"

namespace isthmus {
namespace {

constexpr double timeline_width = 980, timeline_left = 120, timeline_right = timeline_width - 16, timeline_top = 12;
constexpr double timeline_row_height = 17, bar_height = 12, group_gap = 8;
constexpr double min_bar = 0.6;  // narrower ones are drawn together with the next

/// The ranks that have rows, from above; the top edge of each rank's row, 0 for ranks without one; the bottom of all.
struct Rows {
  std::vector<int> order;
  std::vector<double> top;
  double end = 0;

  double middle(int rank) const { return top[rank] + timeline_row_height / 2; }
};

int site_of(int rank, const PlacedNetwork& placed) { return placed.topology().group_at(rank, 1); }
std::string host_name(int rank, const PlacedNetwork& placed) {
  return placed.network().hosts[placed.host_of(rank)].name;
}

/// Rows by site, in the order of the sites' lowest ranks.
Rows rows_of(const PlacedNetwork& placed, int shown) {
  const auto site = [&](int rank) { return site_of(rank, placed); };
  Rows rows{std::vector<int>(shown), std::vector<double>(placed.size(), 0), timeline_top};
  std::iota(rows.order.begin(), rows.order.end(), 0);
  std::ranges::stable_sort(rows.order, {}, site);
  for (int i = 0; i < shown; ++i) {
    if (i > 0 && site(rows.order[i]) != site(rows.order[i - 1])) rows.end += group_gap;
    rows.top[rows.order[i]] = rows.end;
    rows.end += timeline_row_height;
  }
  return rows;
}

/// Messages of one sender that arrive one after the other, drawn as one bar.
struct Bar {
  int first = 0, last = 0;
  std::int64_t bytes = 0;
  double begin_s = 0, end_s = 0;
};

std::string note_of(const Bar& bar, const Flight& flight, std::size_t of, const std::string& sender) {
  const std::string which = bar.first == bar.last ? fmt::format("message {}", bar.first + 1)
                                                  : fmt::format("messages {} to {}", bar.first + 1, bar.last + 1);
  return fmt::format("{} of {} ({}) from rank {}, {}: {} to {}", which, of, format_bytes(bar.bytes), flight.from,
                     sender, format_seconds(bar.begin_s), format_seconds(bar.end_s));
}

/// The seconds at the top, and the names of hosts and ranks at the left.
void draw_axes(const Rows& rows, const Scale& x, const PlacedNetwork& placed, double height, Element& svg) {
  Element ticks("g");
  ticks.set("class", "ticks");
  for (const Tick& tick : even_ticks(x, 10, duration_tick)) {
    ticks.add(svg_line(x(tick.value), timeline_top, x(tick.value), rows.end + 4, "grid"));
    ticks.add(svg_text(x(tick.value), rows.end + 19, tick.label, "middle", "tick"));
  }
  svg.add(ticks);
  svg.add(svg_text((timeline_left + timeline_right) / 2, height - 5, "time since the common start", "middle",
                   "axis-label"));
  for (const int rank : rows.order) {
    svg.add(svg_line(timeline_left, rows.middle(rank), timeline_right, rows.middle(rank), "row"));
    svg.add(svg_text(timeline_left - 8, rows.middle(rank) + 4, fmt::format("{}  {}", host_name(rank, placed), rank),
                     "end", "tick"));
  }
}

/// The messages of one sender to one receiver, in the receiver's row.
Element draw_stream(const std::vector<const Flight*>& stream, const Rows& rows, const Scale& x,
                    const PlacedNetwork& placed) {
  const Flight& first = *stream.front();
  Element group("g");
  group.set("class", site_of(first.from, placed) != site_of(first.to, placed) ? "bar wide-area" : "bar local");
  group.set("data-from", std::to_string(first.from)).set("data-to", std::to_string(first.to));
  double before = 0;
  const double y = rows.top[first.to] + (timeline_row_height - bar_height) / 2;
  for (std::size_t i = 0; i < stream.size();) {
    Bar bar = {stream[i]->number, stream[i]->number, 0, std::max(stream[i]->begin_s, before), 0};
    do {
      bar.last = stream[i]->number;
      bar.bytes += stream[i]->bytes;
      bar.end_s = stream[i]->end_s;
      ++i;
    } while (i < stream.size() && x(bar.end_s) - x(bar.begin_s) < min_bar);
    before = bar.end_s;
    group.add(Element("rect")
                  .set("class", (bar.first % 2 == 0) ? "point even" : "point odd")
                  .set("x", x(bar.begin_s))
                  .set("y", y)
                  .set("width", std::max(x(bar.end_s) - x(bar.begin_s), min_bar))
                  .set("height", bar_height)
                  .set("data-note", note_of(bar, first, stream.size(), host_name(first.from, placed))));
  }
  return group;
}

/// From the sender's row to the receiver's.
Element draw_leader(const Flight& first, const Rows& rows, const Scale& x, const PlacedNetwork& placed) {
  const bool wide = site_of(first.from, placed) != site_of(first.to, placed);
  return svg_line(x(first.begin_s), rows.middle(first.from), x(first.end_s), rows.middle(first.to),
                  wide ? "arrow wide-area" : "arrow local")
      .set("data-from", std::to_string(first.from))
      .set("data-to", std::to_string(first.to));
}

}  // namespace

std::vector<Flight> flights_of(const Schedule& schedule, const Timeline& timeline, std::int64_t element_bytes) {
  std::vector<std::vector<const TimedOp*>> timed(schedule.size());
  for (std::size_t rank = 0; rank < schedule.size(); ++rank) timed[rank].resize(schedule[rank].ops().size());
  for (const TimedOp& op : timeline) timed.at(op.rank).at(op.op) = &op;

  std::map<std::tuple<int, int, int>, std::vector<const TimedOp*>> sends;
  for (int rank = 0; rank < static_cast<int>(schedule.size()); ++rank)
    for (std::size_t i = 0; i < timed[rank].size(); ++i) {
      const Op& op = schedule[rank].ops()[i];
      if (op.kind == OpKind::send) sends[{rank, op.peer, op.lane}].push_back(timed[rank][i]);
    }
  std::map<std::tuple<int, int, int>, std::size_t> matched;
  std::map<std::pair<int, int>, int> numbers;
  std::vector<Flight> flights;
  for (int rank = 0; rank < static_cast<int>(schedule.size()); ++rank)
    for (std::size_t i = 0; i < timed[rank].size(); ++i) {
      const Op& op = schedule[rank].ops()[i];
      if (op.kind != OpKind::receive) continue;
      const auto& from = sends[{op.peer, rank, op.lane}];
      const std::size_t at = matched[{op.peer, rank, op.lane}]++;
      if (at >= from.size() || from[at] == nullptr || timed[rank][i] == nullptr) continue;
      flights.push_back({op.peer, rank, numbers[{op.peer, rank}]++, op.to.count * element_bytes, from[at]->begin_s,
                         timed[rank][i]->end_s});
    }
  std::stable_sort(flights.begin(), flights.end(),
                   [](const Flight& a, const Flight& b) { return std::tie(a.to, a.end_s) < std::tie(b.to, b.end_s); });
  return flights;
}

Element draw_timeline(const std::vector<Flight>& flights, const PlacedNetwork& placed, double seconds, int max_ranks) {
  const int size = placed.size();
  const int shown = std::min(size, max_ranks);
  const Rows rows = rows_of(placed, shown);

  const double height = rows.end + 40;
  const Scale x(Scale::Kind::linear, 0, seconds > 0 ? seconds : 1, timeline_left, timeline_right);
  Element svg("svg");
  svg.set("viewBox", fmt::format("0 0 {} {:.0f}", timeline_width, height)).set("class", "timeline").set("role", "img");
  svg.set("tabindex", "0");
  svg.set("aria-label", fmt::format("{} among {} in {}", counted(flights.size(), "message"), counted(size, "rank"),
                                    format_seconds(seconds)));
  // For the zoom in report.js: the seconds at the left and right edge, and the positions of the edges.
  svg.set("data-seconds", fmt::format("{:.9g}", x.greatest()))
      .set("data-left", timeline_left)
      .set("data-right", timeline_right);
  draw_axes(rows, x, placed, height, svg);

  std::map<std::pair<int, int>, std::vector<const Flight*>> streams;
  for (const Flight& flight : flights)
    if (flight.to < shown && flight.from < shown) streams[{flight.from, flight.to}].push_back(&flight);
  // The window shows the whole time; a zoom narrows it, and its edges clip the picture.
  Element window("svg");
  window.set("class", "moment")
      .set("x", timeline_left)
      .set("y", 0.0)
      .set("width", timeline_right - timeline_left)
      .set("height", rows.end);
  window.set("viewBox", fmt::format("{} 0 {} {:.2f}", timeline_left, timeline_right - timeline_left, rows.end))
      .set("preserveAspectRatio", "none");
  Element leaders("g");
  for (const auto& [ends, stream] : streams) {
    window.add(draw_stream(stream, rows, x, placed));
    leaders.add(draw_leader(*stream.front(), rows, x, placed));
  }
  return svg.add(window.add(leaders));
}

}  // namespace isthmus
