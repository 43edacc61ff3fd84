#include "validation/report/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "algorithms/catalog.hpp"
#include "validation/records/quickest.hpp"
#include "validation/text/units.hpp"

namespace isthmus {
namespace {

std::vector<std::string> algorithms_of(std::span<const ComparisonRow> rows) {
  std::vector<std::string> names;
  for (const ComparisonRow& row : rows)
    if (std::find(names.begin(), names.end(), row.algorithm) == names.end()) names.push_back(row.algorithm);
  return names;
}

double axis_bytes(std::int64_t bytes) { return std::max(static_cast<double>(bytes), 0.5); }

/// One series of an algorithm: `value` gives the value of a row to draw, or none.
template <class Value>
Series series_of(std::span<const ComparisonRow> rows, const std::string& algorithm, Value value) {
  Series series;
  for (const ComparisonRow& row : rows) {
    if (row.algorithm != algorithm) continue;
    if (auto datum = value(row)) series.data.push_back(std::move(*datum));
  }
  return series;
}

std::vector<Figure> with_common_axes(std::vector<Figure> figures) {
  std::vector<Chart> charts;
  for (Figure& figure : figures) charts.push_back(std::move(figure.chart));
  set_ranges(charts);
  for (std::size_t i = 0; i < figures.size(); ++i) figures[i].chart = std::move(charts[i]);
  std::erase_if(figures, [](const Figure& figure) { return figure.chart.series.empty(); });
  return figures;
}

/// One line an algorithm, all in one chart of factors.
template <class Value>
Figure figure_by_algorithm(std::span<const ComparisonRow> rows, Value value) {
  constexpr Marker markers[] = {Marker::circle,   Marker::square, Marker::diamond,
                                Marker::triangle, Marker::cross,  Marker::star};
  std::vector<Chart> charts(1);
  charts[0].axis = ValueAxis::factor;
  std::size_t hue = 0;
  for (const std::string& algorithm : algorithms_of(rows)) {
    Series series = series_of(rows, algorithm, value);
    series.label = series.algorithm = algorithm;
    series.css_class = hue_class(hue);
    series.marker = markers[(hue + hue / hues) % std::size(markers)];  // another when the colours begin again
    ++hue;
    if (!series.data.empty()) charts[0].series.push_back(std::move(series));
  }
  set_ranges(charts);
  return {"", std::move(charts[0])};
}

struct LineLook {
  Marker marker;
  double radius;
};

LineLook line_look(Source source) {
  static const std::map<Source, LineLook> looks = {
      {Source::hockney, {Marker::cross, 2.7}},   {Source::logp, {Marker::star, 2.7}},
      {Source::loggp, {Marker::hourglass, 2.7}}, {Source::plogp, {Marker::triangle, 2.7}},
      {Source::replay, {Marker::square, 3.9}},   {Source::smpi, {Marker::diamond, 5.2}},
      {Source::emulated, {Marker::circle, 6.4}}};
  return looks.at(source);
}

}  // namespace

Marker marker_of(Source source) { return line_look(source).marker; }

double radius_of(Source source) { return line_look(source).radius; }

std::vector<Figure> time_figures(std::span<const ComparisonRow> rows, const std::vector<Source>& sources) {
  std::vector<Figure> figures;
  for (const std::string& algorithm : algorithms_of(rows)) {
    Figure figure{algorithm, {}};
    figure.chart.title = algorithm;
    figure.chart.axis = ValueAxis::duration;
    figure.chart.axis_label = "completion time";
    Series bound = series_of(rows, algorithm, [](const ComparisonRow& row) -> std::optional<Datum> {
      if (row.bound_seconds <= 0) return std::nullopt;
      return Datum{axis_bytes(row.bytes), row.bound_seconds, ""};
    });
    bound.label = "lower bound";
    bound.css_class = "bound";
    bound.algorithm = algorithm;
    if (!bound.data.empty()) figure.chart.series.push_back(std::move(bound));
    for (auto source = sources.rbegin(); source != sources.rend(); ++source) {
      Series series = series_of(rows, algorithm, [&](const ComparisonRow& row) -> std::optional<Datum> {
        const auto seconds = row.seconds(*source);
        if (!seconds || *seconds <= 0) return std::nullopt;
        const double half_s = row.of(*source)->extra.value("half_interval_seconds", 0.0);
        const std::string interval = half_s > 0 ? fmt::format(" ± {}", format_seconds(half_s)) : std::string();
        return Datum{axis_bytes(row.bytes), *seconds,
                     fmt::format("{}, {}, {}: {}{} ({})", algorithm, name(*source), format_bytes(row.bytes),
                                 format_seconds(*seconds), interval, row.of(*source)->plan),
                     half_s};
      });
      series.label = label(*source);
      series.css_class = series.source = name(*source);
      series.marker = marker_of(*source);
      series.radius = radius_of(*source);
      series.algorithm = algorithm;
      if (!series.data.empty()) figure.chart.series.push_back(std::move(series));
    }
    figure.chart.description = fmt::format("{}: completion time by message size from {} sources, both axes logarithmic",
                                           algorithm, sources.size());
    figures.push_back(std::move(figure));
  }
  return with_common_axes(std::move(figures));
}

std::vector<Figure> error_figures(std::span<const ComparisonRow> rows, const Comparison& comparison,
                                  const Experiment& experiment) {
  std::vector<Figure> figures;
  for (const std::string& algorithm : algorithms_of(rows)) {
    Figure figure{algorithm, {}};
    figure.chart.title = algorithm;
    figure.chart.axis = ValueAxis::percent;
    figure.chart.axis_label = fmt::format("difference from {}, %", name(comparison.reference));
    std::string collective;
    for (auto source = comparison.sources.rbegin(); source != comparison.sources.rend(); ++source) {
      if (*source == comparison.reference) continue;
      Series series = series_of(rows, algorithm, [&](const ComparisonRow& row) -> std::optional<Datum> {
        collective = row.collective;
        const auto error = row.error(*source, comparison.reference);
        if (!error || !std::isfinite(*error)) return std::nullopt;
        return Datum{axis_bytes(row.bytes), *error * 100,
                     fmt::format("{}, {}, {}: {} % from {}", algorithm, name(*source), format_bytes(row.bytes),
                                 format_percent(*error), name(comparison.reference))};
      });
      series.label = label(*source);
      series.css_class = series.source = name(*source);
      series.marker = marker_of(*source);
      series.radius = radius_of(*source);
      series.algorithm = algorithm;
      if (!series.data.empty()) figure.chart.series.push_back(std::move(series));
    }
    std::vector<std::pair<SizeRange, double>> drawn;
    for (const Tolerance& tolerance : experiment.tolerances) {
      const bool here =
          tolerance.algorithms.empty() || std::find(tolerance.algorithms.begin(), tolerance.algorithms.end(),
                                                    collective + "/" + algorithm) != tolerance.algorithms.end();
      const auto same = [&](const auto& other) {
        return other.first.least == tolerance.bytes.least && other.first.greatest == tolerance.bytes.greatest &&
               other.second == tolerance.relative;
      };
      if (!here || tolerance.against != comparison.reference || std::any_of(drawn.begin(), drawn.end(), same)) continue;
      drawn.emplace_back(tolerance.bytes, tolerance.relative);
      figure.chart.bands.push_back({axis_bytes(tolerance.bytes.least) / 1.25,
                                    axis_bytes(tolerance.bytes.greatest) * 1.25, -tolerance.relative * 100,
                                    tolerance.relative * 100});
    }
    figure.chart.description = fmt::format("{}: difference of each source from {} in percent, by message size",
                                           algorithm, name(comparison.reference));
    figures.push_back(std::move(figure));
  }
  return with_common_axes(std::move(figures));
}

Figure bound_figure(std::span<const ComparisonRow> rows, Source reference) {
  Figure figure = figure_by_algorithm(rows, [&](const ComparisonRow& row) -> std::optional<Datum> {
    const auto factor = row.over_bound(reference);
    if (!factor) return std::nullopt;
    return Datum{axis_bytes(row.bytes), *factor,
                 fmt::format("{}, {}: {:.2f} times the lower bound of {}", row.algorithm, format_bytes(row.bytes),
                             *factor, format_seconds(row.bound_seconds))};
  });
  figure.chart.axis_label = fmt::format("time ({}) / lower bound", name(reference));
  figure.chart.description =
      fmt::format("Time over the lower bound by message size, source {}, one line an algorithm", name(reference));
  figure.chart.least = std::min(figure.chart.least, 0.97);
  return figure;
}

Figure speed_up_figure(std::span<const ComparisonRow> rows, Source reference, const std::string& base) {
  std::vector<CellTime> times;
  std::vector<const ComparisonRow*> timed;
  for (const ComparisonRow& row : rows) {
    const auto seconds = row.seconds(reference);
    if (!seconds) continue;
    times.push_back({row.bytes, row.algorithm, *seconds});
    timed.push_back(&row);
  }
  const std::vector<std::optional<double>> factors = speed_ups(times, base);
  std::map<const ComparisonRow*, double> factor_of;
  for (std::size_t i = 0; i < timed.size(); ++i)
    if (factors[i]) factor_of[timed[i]] = *factors[i];
  Figure figure = figure_by_algorithm(rows, [&](const ComparisonRow& row) -> std::optional<Datum> {
    const auto found = factor_of.find(&row);
    if (found == factor_of.end()) return std::nullopt;
    const double seconds = *row.seconds(reference), factor = found->second;
    return Datum{axis_bytes(row.bytes), factor,
                 fmt::format("{}, {}: {} where {} takes {}, {:.2f} times", row.algorithm, format_bytes(row.bytes),
                             format_seconds(seconds), base, format_seconds(factor * seconds), factor)};
  });
  figure.chart.title = "over " + base;
  figure.chart.axis_label = fmt::format("speed-up ({})", name(reference));
  figure.chart.description = fmt::format(
      "How many times quicker than {} by message size, source {}, one line an algorithm", base, name(reference));
  figure.chart.least = std::min(figure.chart.least, 0.97);
  return figure;
}

std::vector<Figure> parameter_figures(const Network& network) {
  std::vector<Figure> figures;
  for (const LinkClass& of : network.classes) {
    Figure figure;
    figure.chart.title = of.name;
    figure.chart.axis_label = "time";
    figure.chart.description =
        fmt::format("{}: gap, send overhead and receive overhead by message size, both axes logarithmic", of.name);
    const auto add = [&](const char* label, const char* hue, Marker marker, const SizeFunction& function) {
      Series series;
      series.label = label;
      series.css_class = hue;
      series.marker = marker;
      for (const SizeFunction::Point& point : function.points()) {
        if (point.seconds <= 0) continue;
        const auto bytes = static_cast<std::int64_t>(point.bytes);
        series.data.push_back(
            {axis_bytes(bytes), point.seconds,
             fmt::format("{}, {}, {}: {}", of.name, label, format_bytes(bytes), format_seconds(point.seconds))});
      }
      if (!series.data.empty()) figure.chart.series.push_back(std::move(series));
    };
    add("gap g", "hue0", Marker::circle, of.gap);
    add("os, to send", "hue1", Marker::square, of.send_overhead);
    add("or, to receive", "hue2", Marker::diamond, of.receive_overhead);
    figures.push_back(std::move(figure));
  }
  return with_common_axes(std::move(figures));
}

}  // namespace isthmus
