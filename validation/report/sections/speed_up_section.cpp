#include "validation/report/sections/speed_up_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>

#include "validation/text/plan_text.hpp"

namespace isthmus {
namespace {

constexpr std::size_t max_baselines = 8;

using Times = std::map<std::string, std::map<std::int64_t, double>>;  // by algorithm and size

Times times_of(std::span<const ComparisonRow> rows, Source reference) {
  Times times;
  for (const ComparisonRow& row : rows)
    if (const auto seconds = row.seconds(reference); seconds && *seconds > 0)
      times[row.algorithm][row.bytes] = *seconds;
  return times;
}

std::vector<std::string> in_order(std::span<const ComparisonRow> rows, const Times& times) {
  std::vector<std::string> names;
  for (const ComparisonRow& row : rows)
    if (times.contains(row.algorithm) && std::ranges::find(names, row.algorithm) == names.end())
      names.push_back(row.algorithm);
  return names;
}

std::optional<double> mean_speed_up(const std::map<std::int64_t, double>& of,
                                    const std::map<std::int64_t, double>& over) {
  double sum = 0;
  int count = 0;
  for (const auto& [bytes, seconds] : of)
    if (const auto base = over.find(bytes); base != over.end()) {
      sum += std::log(base->second / seconds);
      ++count;
    }
  if (count == 0) return std::nullopt;
  return std::exp(sum / count);
}

}  // namespace

std::vector<std::string> baselines_of(std::span<const ComparisonRow> rows, Source reference) {
  std::vector<std::string> names = in_order(rows, times_of(rows, reference));
  if (names.size() < 2) return {};
  std::ranges::reverse(names);
  if (names.size() > max_baselines) names.resize(max_baselines);
  return names;
}

Element baseline_choice(const std::vector<std::string>& baselines) {
  Element select("select");
  select.set("data-baselines", "");
  for (const std::string& baseline : baselines)
    select.add(text_element("option", short_plan(baseline)).set("value", baseline));
  return Element("p").set("class", "tools").add(Element("label").add(text_element("span", "baseline")).add(select));
}

Element geometric_means(std::span<const ComparisonRow> rows, const std::vector<std::string>& baselines,
                        Source reference) {
  const Times times = times_of(rows, reference);
  Element head("tr"), body("tbody");
  head.add(text_element("th", "algorithm").set("scope", "col").set("class", "text"));
  for (const std::string& baseline : baselines)
    head.add(text_element("th", "over " + short_plan(baseline)).set("scope", "col"));
  for (const std::string& algorithm : in_order(rows, times)) {
    Element line("tr");
    line.set("data-algorithm", algorithm);
    line.add(text_element("td", short_plan(algorithm)).set("class", "text"));
    for (const std::string& baseline : baselines) {
      const auto mean = algorithm == baseline ? std::nullopt : mean_speed_up(times.at(algorithm), times.at(baseline));
      line.add(text_element("td", mean ? fmt::format("{:.2f}", *mean) : "–"));
    }
    body.add(line);
  }
  return table_element(head, body, "geometric means of speed-ups");
}

}  // namespace isthmus
