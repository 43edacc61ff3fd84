// Records as a table for people, and as OSU's micro-benchmarks print them.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "algorithms/collective/problem.hpp"
#include "algorithms/text/counted.hpp"
#include "algorithms/text/printable.hpp"
#include "validation/records/quickest.hpp"
#include "validation/text/plan_text.hpp"
#include "validation/text/tables.hpp"
#include "validation/text/text_table.hpp"
#include "validation/text/units.hpp"
#include "validation/text/wrapped.hpp"

namespace isthmus {
namespace {

using TextOf = std::function<std::string(const Record&)>;

struct Field {
  TextTable::Column column;
  TextOf text;
};

bool has_price(const Record& record) { return record.extra.contains("price") && record.extra["price"].is_number(); }

std::vector<double> repetition_seconds(const Record& record) {
  return record.extra.value("repetition_seconds", std::vector<double>());
}

bool is_repeated(const Record& record) { return repetition_seconds(record).size() > 1; }

std::string source_text(const Record& record) { return label(record.source); }

std::string changed_platform(const Record& record) {
  return platform_text(record.platform, record.settings.value("set", std::vector<std::string>()));
}

std::string plan_text(const Record& record) { return short_plan(record.plan); }

std::string full_plan_text(const Record& record) { return record.collective + "/" + plan_text(record); }

std::string bytes_text(const Record& record) {
  return record.bytes == 0 && record.collective == name(Collective::barrier) ? std::string()
                                                                             : format_bytes(record.bytes);
}

std::string ranks_text(const Record& record) { return counted(record.ranks, "rank"); }

std::string root_text(const Record& record) {
  return has_root(collective_named(record.collective)) ? std::to_string(record.root) : std::string();
}

std::string lower_bound_text(const Record& record) {
  return record.bound_seconds > 0 ? format_milliseconds(record.bound_seconds) : std::string();
}

bool same_for_all(std::span<const Record> records, const TextOf& text) {
  return std::ranges::all_of(records, [&](const Record& record) { return text(record) == text(records.front()); });
}

/// Whether several records have the same bound, which then stands in the heading.
bool has_one_bound(std::span<const Record> records) {
  return records.size() > 1 && records.front().bound_seconds > 0 && same_for_all(records, lower_bound_text);
}

/// What differs between the records: the columns before the times. What does not is in the heading.
std::vector<Field> different(std::span<const Record> records) {
  std::vector<Field> fields;
  const auto add = [&](TextTable::Column column, const TextOf& text) {
    if (!same_for_all(records, text)) fields.push_back({std::move(column), text});
  };
  const bool one_collective = same_for_all(records, [](const Record& record) { return record.collective; });
  add({"source", "", Align::left}, source_text);
  add({"platform", "", Align::left}, changed_platform);
  add({"algorithm", "", Align::left}, one_collective ? plan_text : full_plan_text);
  add({"bytes", ""}, bytes_text);
  add({"ranks", ""}, [](const Record& record) { return std::to_string(record.ranks); });
  add({"root", ""}, root_text);
  return fields;
}

/// `broadcast/magpie of 64 KiB on das-4x4, 16 ranks, root 0, by replay`, less what differs.
std::string heading(std::span<const Record> records) {
  const Record& first = records.front();
  std::string text;
  if (same_for_all(records, full_plan_text))
    text = full_plan_text(first);
  else if (same_for_all(records, [](const Record& record) { return record.collective; }))
    text = first.collective;
  const auto add = [&](std::string_view before, const TextOf& value_of, std::string_view between = "") {
    const std::string value = value_of(first);
    if (!value.empty() && same_for_all(records, value_of))
      text += fmt::format("{}{}{}", text.empty() ? "" : between, before, value);
  };
  add(text.empty() ? "" : " of ", bytes_text);
  add(text.empty() ? "" : " on ", changed_platform);
  add("", ranks_text, ", ");
  add("root ", root_text, ", ");
  if (has_one_bound(records)) text += fmt::format(", lower bound {} ms", lower_bound_text(first));
  add("by ", source_text, ", ");
  return text;
}

/// Times, and what they are to be compared with.
std::vector<Field> times(std::span<const Record> records) {
  std::vector<Field> fields;
  const bool repeated = std::ranges::any_of(records, is_repeated);
  if (repeated)
    fields.push_back({{"least", "ms"}, [](const Record& record) {
                        const std::vector<double> seconds = repetition_seconds(record);
                        return seconds.empty() ? std::string() : format_milliseconds(std::ranges::min(seconds));
                      }});
  fields.push_back(
      {{repeated ? "median" : "time", "ms"}, [](const Record& record) { return format_milliseconds(record.seconds); }});
  if (repeated)
    fields.push_back({{"+-", "ms"}, [](const Record& record) {
                        const std::vector<double> seconds = repetition_seconds(record);
                        if (seconds.size() < 2) return std::string();
                        const auto [least, most] = std::ranges::minmax(seconds);
                        return format_half_interval(record.extra.value("half_interval_seconds", (most - least) / 2),
                                                    record.seconds);
                      }});
  if (!has_one_bound(records)) fields.push_back({{"bound", "ms"}, lower_bound_text});
  fields.push_back({{"time/bound", ""}, [](const Record& record) {
                      const auto factor = over_bound(record.seconds, record.bound_seconds);
                      return factor ? format_factor(*factor) : std::string();
                    }});
  if (std::ranges::any_of(records, has_price))
    fields.push_back({{"price", ""}, [](const Record& record) {
                        return has_price(record) ? fmt::format("{:.4g}", record.extra["price"].get<double>())
                                                 : std::string();
                      }});
  return fields;
}

}  // namespace

std::string platform_text(const std::string& platform, std::span<const std::string> set_links) {
  return set_links.empty() ? platform : fmt::format("{} with {}", platform, fmt::join(set_links, ", "));
}

std::string record_table(std::span<const Record> records, Look look) {
  if (records.empty()) return {};
  std::vector<Field> fields = different(records);
  std::ranges::move(times(records), std::back_inserter(fields));
  std::vector<TextTable::Column> columns;
  for (const Field& field : fields) columns.push_back(field.column);
  TextTable table(columns);
  for (const Record& record : records) {
    std::vector<TextTable::Cell> cells;
    for (const Field& field : fields) cells.emplace_back(field.text(record));
    table.add(std::move(cells));
  }
  return wrapped("", printable(heading(records)), look.width) + table.text(look.colour, look.width);
}

std::string record_osu(std::span<const Record> records) {
  constexpr int size_width = 16, latency_width = 24;  // of OSU's own columns
  std::string text;
  const auto scene_of = [](const Record& record) {
    return fmt::format("{}/{} on {}, {}, root {}, by {}", record.collective, short_plan(record.requested),
                       changed_platform(record), ranks_text(record), record.root, name(record.source));
  };
  std::vector<std::string> scenes;
  for (const Record& record : records)
    if (const std::string scene = scene_of(record); std::ranges::find(scenes, scene) == scenes.end())
      scenes.push_back(scene);
  for (const std::string& scene : scenes) {
    text += fmt::format("{}# {}\n{:<{}}{:>{}}\n", text.empty() ? "" : "\n", printable(scene), "# Size", size_width,
                        "Avg Latency(us)", latency_width);
    for (const Record& record : records)
      if (scene_of(record) == scene)
        text += fmt::format("{:<{}}{:>{}.2f}\n", record.bytes, size_width, record.seconds * 1e6, latency_width);
  }
  return text;
}

}  // namespace isthmus
