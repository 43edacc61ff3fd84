#include "validation/report/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <map>
#include <string_view>
#include <vector>

#include "validation/report/scale.hpp"

namespace isthmus {
namespace {

constexpr double chart_width = 420, chart_height = 290;
constexpr double chart_left = 72, chart_top = 14, chart_bottom = chart_height - 44;
constexpr double label_distance = 15, label_begin = 23, point_label_begin = 9;
constexpr double least_label_width = 78, max_label_width = 142;

/// A label that is too long loses its middle: plans differ at the beginning and at the end.
std::string fitting(const std::string& label) {
  std::string text = label;
  for (std::size_t kept = label.size(); label_width(text) > max_label_width; --kept)
    text = label.substr(0, (kept + 1) / 2) + "…" + label.substr(label.size() - kept / 2);
  return text;
}

/// The right edge of the frame; the labels stand beyond it.
double right_end(const Chart& chart) {
  double widest = least_label_width;
  for (const Series& series : chart.series) widest = std::max(widest, label_width(fitting(series.label)));
  return chart_width - label_begin - widest;
}

bool is_logarithmic(ValueAxis axis) { return axis != ValueAxis::percent; }

std::vector<Tick> value_ticks(ValueAxis axis, const Scale& scale) {
  switch (axis) {
    case ValueAxis::duration:
      return decade_ticks(scale, duration_tick);
    case ValueAxis::factor:
      return decade_ticks(scale, number_tick);
    case ValueAxis::percent:
      return even_ticks(scale, 6, number_tick);
  }
  return {};
}

/// Positions of labels, near `wanted`, in the same order, at least `label_distance` apart, inside the frame.
std::vector<double> spread(std::vector<double> wanted) {
  if (wanted.empty()) return wanted;
  std::vector<std::size_t> order(wanted.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return wanted[a] < wanted[b]; });
  // Labels that touch form a block, centred at the mean of their wanted positions.
  struct Block {
    double sum;
    int count;
    double begin() const { return sum / count - (count - 1) * label_distance / 2; }
    double end() const { return begin() + (count - 1) * label_distance; }
  };
  std::vector<Block> blocks;
  for (const std::size_t i : order) {
    blocks.push_back({wanted[i], 1});
    while (blocks.size() > 1 && blocks[blocks.size() - 2].end() + label_distance > blocks.back().begin()) {
      blocks[blocks.size() - 2].sum += blocks.back().sum;
      blocks[blocks.size() - 2].count += blocks.back().count;
      blocks.pop_back();
    }
  }
  std::size_t at = 0;
  for (const Block& block : blocks)
    for (int i = 0; i < block.count; ++i) wanted[order[at++]] = block.begin() + i * label_distance;
  const double lowest = wanted[order.back()], highest = wanted[order.front()];
  const double shift = lowest > chart_bottom ? chart_bottom - lowest : highest < chart_top ? chart_top - highest : 0;
  for (double& y : wanted) y += shift;
  return wanted;
}

/// The interval around a median, with caps.
template <class Place>
Element interval_element(double x, const Datum& datum, Place place) {
  constexpr double half_cap = 3.5;
  const double high = place(datum.value + datum.half_interval), low = place(datum.value - datum.half_interval);
  Element group("g");
  group.set("class", "interval");
  group.add(svg_line(x, high, x, low, "stroke"));
  for (const double y : {high, low}) group.add(svg_line(x - half_cap, y, x + half_cap, y, "stroke"));
  return group;
}

Element series_group(const Series& series) {
  Element group("g");
  group.set("class", "series " + series.css_class);
  if (!series.source.empty()) group.set("data-source", series.source);
  if (!series.algorithm.empty()) group.set("data-algorithm", series.algorithm);
  return group;
}

void draw_axes(Element& svg, const Chart& chart, const Scale& x, const Scale& y) {
  const double right = right_end(chart);
  Element axes("g");
  axes.set("class", "axes").set("aria-hidden", "true");
  for (const Tick& tick : value_ticks(chart.axis, y)) {
    axes.add(svg_line(chart_left, y(tick.value), right, y(tick.value), tick.value == 0 ? "grid zero" : "grid"));
    axes.add(svg_text(chart_left - 7, y(tick.value) + 4, tick.label, "end", "tick"));
  }
  for (const Tick& tick : size_ticks(x, 6)) {
    axes.add(svg_line(x(tick.value), chart_top, x(tick.value), chart_bottom, "grid"));
    axes.add(svg_text(x(tick.value), chart_bottom + 17, tick.label, "middle", "tick"));
  }
  axes.add(svg_line(chart_left, chart_bottom, right, chart_bottom, "frame"))
      .add(svg_line(chart_left, chart_top, chart_left, chart_bottom, "frame"));
  axes.add(svg_text((chart_left + right) / 2, chart_height - 8, "message size", "middle", "axis-label"));
  axes.add(svg_text(0, 0, chart.axis_label, "middle", "axis-label")
               .set("transform", fmt::format("translate(13 {}) rotate(-90)", (chart_top + chart_bottom) / 2)));
  svg.add(axes);
}

}  // namespace

double label_width(std::string_view text) {
  double sum = 0;
  for (const char letter : text) {
    if ((static_cast<unsigned char>(letter) & 0xC0U) == 0x80U) continue;  // goes on
    if (std::string_view(" fijlrt:;,.'|!()[]/-").find(letter) != std::string_view::npos)
      sum += 5;
    else if (std::string_view("mwMWOQG%@=+<>~").find(letter) != std::string_view::npos || (letter & 0x80) != 0)
      sum += 12;
    else
      sum += std::isupper(static_cast<unsigned char>(letter)) != 0 ? 9 : 7.7;
  }
  return sum;
}

Element marker_element(Marker marker, double x, double y, double radius) {
  const auto path = [&](std::initializer_list<std::pair<double, double>> corners) {
    std::string points;
    for (const auto& [dx, dy] : corners)
      points += fmt::format("{}{:.2f},{:.2f}", points.empty() ? "" : " ", x + dx * radius, y + dy * radius);
    return Element("polygon").set("points", points);
  };
  switch (marker) {
    case Marker::circle:
      return Element("circle").set("cx", x).set("cy", y).set("r", radius);
    case Marker::square:
      return path({{-.85, -.85}, {.85, -.85}, {.85, .85}, {-.85, .85}});
    case Marker::diamond:
      return path({{0, -1.2}, {1.2, 0}, {0, 1.2}, {-1.2, 0}});
    case Marker::triangle:
      return path({{0, -1.15}, {1.1, .85}, {-1.1, .85}});
    case Marker::cross:
      return path({{-1.1, -.6},
                   {-.6, -1.1},
                   {0, -.5},
                   {.6, -1.1},
                   {1.1, -.6},
                   {.5, 0},
                   {1.1, .6},
                   {.6, 1.1},
                   {0, .5},
                   {-.6, 1.1},
                   {-1.1, .6},
                   {-.5, 0}});
    case Marker::hourglass:
      return path({{-1, -1.1}, {1, -1.1}, {-1, 1.1}, {1, 1.1}});
    case Marker::star:
      return path({{0, -1.3},
                   {.35, -.4},
                   {1.25, -.4},
                   {.55, .2},
                   {.8, 1.1},
                   {0, .55},
                   {-.8, 1.1},
                   {-.55, .2},
                   {-1.25, -.4},
                   {-.35, -.4}});
  }
  return Element("g");
}

struct LabelPlace {
  double x = 0, y = 0;
  bool is_at_point = false;
};

/// Of each series: beyond the right end of the chart; beside its last point where it ends before others do, since a
/// line from there to the right end would look like data.
std::vector<LabelPlace> label_places(const Chart& chart, const Scale& x, const std::function<double(double)>& place_y) {
  std::map<double, std::vector<std::size_t>> by_end;
  for (std::size_t i = 0; i < chart.series.size(); ++i)
    if (!chart.series[i].data.empty()) by_end[chart.series[i].data.back().bytes].push_back(i);
  std::vector<LabelPlace> places(chart.series.size());
  for (const auto& [bytes, ended] : by_end) {
    std::vector<double> wanted;
    for (const std::size_t i : ended) wanted.push_back(place_y(chart.series[i].data.back().value));
    const std::vector<double> labels = spread(wanted);
    const bool is_at_point = bytes != by_end.rbegin()->first;
    const double at = is_at_point ? x(bytes) + point_label_begin : right_end(chart);
    for (std::size_t number = 0; number < ended.size(); ++number)
      places[ended[number]] = {at, labels[number], is_at_point};
  }
  return places;
}

/// The name of a series that ends at this point.
Element name_element(const Series& series, const LabelPlace& at, double end_x, double end_y) {
  Element group = series_group(series);
  if (at.is_at_point) {
    group.add(svg_text(at.x, at.y + 4, fitting(series.label), "start", "label halo"));
    return group;
  }
  group.add(svg_line(end_x, end_y, at.x + 8, at.y, "leader"));
  if (series.marker)
    group.add(marker_element(*series.marker, at.x + 14, at.y, 4.2));
  else
    group.add(svg_line(at.x + 8, at.y, at.x + 20, at.y, "stroke"));
  group.add(svg_text(at.x + label_begin, at.y + 4, fitting(series.label), "start", "label"));
  return group;
}

void set_ranges(std::vector<Chart>& charts) {
  double least = INFINITY, greatest = -INFINITY, min_bytes = INFINITY, max_bytes = -INFINITY;
  double tolerated = 0;
  for (const Chart& chart : charts) {
    for (const Series& series : chart.series)
      for (const Datum& datum : series.data) {
        min_bytes = std::min(min_bytes, std::max(datum.bytes, 0.5));
        max_bytes = std::max(max_bytes, std::max(datum.bytes, 0.5));
        if (is_logarithmic(chart.axis) && datum.value <= 0) continue;
        least = std::min(least, datum.value);
        greatest = std::max(greatest, datum.value);
      }
    for (const Band& band : chart.bands) {
      tolerated = std::max(tolerated, band.greatest);
      least = std::min(least, band.least);
      greatest = std::max(greatest, band.greatest);
    }
  }
  for (Chart& chart : charts) {
    const bool logarithmic = is_logarithmic(chart.axis);
    if (!(least <= greatest)) {
      chart.least = logarithmic ? 1 : -1;
      chart.greatest = logarithmic ? 10 : 1;
    } else if (logarithmic) {
      chart.least = least / 1.3;
      chart.greatest = greatest * 1.3;
    } else {
      const double margin = std::max({(greatest - least) * 0.08, std::abs(greatest) * 0.02, 0.1});
      chart.least = std::min(least, 0.0) - margin;
      chart.greatest = std::max(greatest, 0.0) + margin;
      // The axis ends at three times the tolerance: one outlier must not flatten the rest.
      if (tolerated > 0) {
        chart.least = std::max(chart.least, -3 * tolerated);
        chart.greatest = std::min(chart.greatest, 3 * tolerated);
      }
    }
    const bool sized = min_bytes <= max_bytes;
    chart.min_bytes = sized ? min_bytes / 1.25 : 1;
    chart.max_bytes = sized ? max_bytes * 1.25 : 2;
  }
}

Element draw(const Chart& chart) {
  const double right = right_end(chart);
  const Scale x(Scale::Kind::logarithmic, chart.min_bytes, chart.max_bytes, chart_left, right);
  const Scale y(is_logarithmic(chart.axis) ? Scale::Kind::logarithmic : Scale::Kind::linear, chart.least,
                chart.greatest, chart_bottom, chart_top);
  Element svg("svg");
  svg.set("viewBox", fmt::format("0 0 {} {}", chart_width, chart_height)).set("class", "chart");
  svg.set("role", "img").set("tabindex", "0").set("aria-label", chart.description);

  for (const Band& band : chart.bands) {
    const double from = x(std::max(band.min_bytes, chart.min_bytes));
    const double to = x(std::min(band.max_bytes, chart.max_bytes));
    if (to <= from) continue;
    svg.add(Element("rect")
                .set("class", "band")
                .set("x", from)
                .set("width", to - from)
                .set("y", y(band.greatest))
                .set("height", y(band.least) - y(band.greatest)));
  }
  draw_axes(svg, chart, x, y);

  // Values beyond the axis are drawn at its end; their tooltips have the figure.
  const auto place = [&](double value) { return y(std::clamp(value, chart.least, chart.greatest)); };
  const std::vector<LabelPlace> labels = label_places(chart, x, place);
  std::vector<Element> names;  // over all lines

  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const Series& series = chart.series[i];
    if (series.data.empty()) continue;
    Element group = series_group(series);
    std::string points;
    for (const Datum& datum : series.data)
      points += fmt::format("{}{:.2f},{:.2f}", points.empty() ? "" : " ", x(datum.bytes), place(datum.value));
    group.add(Element("polyline").set("points", points).set("class", "stroke"));
    for (const Datum& datum : series.data)
      if (datum.half_interval > 0) group.add(interval_element(x(datum.bytes), datum, place));
    if (series.marker) {
      for (const Datum& datum : series.data)
        group.add(Element("g")
                      .set("class", "point")
                      .set("data-note", datum.note)
                      .set("data-bytes", fmt::format("{:.0f}", datum.bytes < 1 ? 0 : datum.bytes))
                      .set("data-place", fmt::format("{:.2f},{:.2f}", x(datum.bytes), place(datum.value)))
                      .add(marker_element(*series.marker, x(datum.bytes), place(datum.value), series.radius)));
    }
    svg.add(group);
    names.push_back(name_element(series, labels[i], x(series.data.back().bytes), place(series.data.back().value)));
  }
  for (const Element& name : names) svg.add(name);
  return svg;
}

}  // namespace isthmus
