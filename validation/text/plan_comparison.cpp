#include "validation/text/plan_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
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

using Records = std::vector<const Record*>;

bool same_scene(const Record& a, const Record& b) {
  return a.source == b.source && a.network_digest == b.network_digest && a.platform == b.platform &&
         a.collective == b.collective && a.ranks == b.ranks && a.root == b.root;
}

/// A plan as asked for, and what was chosen for it.
std::string asked_and_chosen(const Record& record) {
  const std::string plan = short_plan(record.plan), asked = short_plan(record.requested);
  if (asked == plan || plan.starts_with(asked + ":")) return plan;
  return asked == "auto" ? "auto: " + plan : asked + ": " + plan;
}

std::string heading(const Record& record) {
  std::string text =
      fmt::format("{} on {}, {}", record.collective,
                  platform_text(record.platform, record.settings.value("set", std::vector<std::string>())),
                  counted(record.ranks, "rank"));
  if (has_root(collective_named(record.collective))) text += fmt::format(", root {}", record.root);
  return printable(fmt::format("{}, by {}", text, label(record.source)));
}

class Block {
 public:
  Block(Records records, const std::string& baseline) : records_(std::move(records)), baseline_(baseline) {
    std::ranges::stable_sort(records_, {}, &Record::bytes);
    for (const Record* record : records_) repeated_ = repeated_ || record->extra.contains("half_interval_seconds");
  }

  std::string text(Look look) {
    std::vector<TextTable::Column> columns{{"bytes", ""}, {"plan", "", Align::left}, {"time", "ms"}};
    if (repeated_) columns.push_back({"+-", "ms"});
    columns.push_back({"x bound", ""});
    columns.push_back({"speed-up", fmt::format("over {}", baseline_)});
    TextTable table(columns);
    for (std::size_t i = 0; i < records_.size(); ++i) {
      const Record& record = *records_[i];
      if (i > 0 && record.bytes != records_[i - 1]->bytes) table.gap();
      add_plan(table, record);
      if (i + 1 == records_.size() || records_[i + 1]->bytes != record.bytes) add_bound(table, record);
    }
    return table.text(look.colour, look.width) + means(look);
  }

 private:
  const Record* baseline_at(std::int64_t bytes) const {
    for (const Record* record : records_)
      if (record->bytes == bytes && record->requested == baseline_) return record;
    return nullptr;
  }

  void add_plan(TextTable& table, const Record& record) {
    const auto factor = over_bound(record.seconds, record.bound_seconds);
    const Record* baseline = baseline_at(record.bytes);
    std::string speed_up;
    if (baseline != nullptr && baseline != &record && record.seconds > 0) {
      speed_up = format_factor(baseline->seconds / record.seconds);
      speed_ups_[record.requested].push_back(baseline->seconds / record.seconds);
    }
    std::vector<TextTable::Cell> cells{format_bytes(record.bytes), asked_and_chosen(record),
                                       format_milliseconds(record.seconds)};
    if (repeated_) {
      const auto half = record.extra.find("half_interval_seconds");
      cells.emplace_back(half == record.extra.end() ? std::string()
                                                    : format_half_interval(half->get<double>(), record.seconds));
    }
    cells.emplace_back(factor ? format_factor(*factor) : std::string());
    cells.emplace_back(speed_up);
    table.add(std::move(cells));
  }

  void add_bound(TextTable& table, const Record& record) const {
    if (record.bound_seconds <= 0) return;
    std::vector<TextTable::Cell> cells{format_bytes(record.bytes), std::string("lower bound"),
                                       format_milliseconds(record.bound_seconds)};
    if (repeated_) cells.emplace_back();
    cells.emplace_back(std::string("1.00"));
    cells.emplace_back();
    table.add(std::move(cells));
  }

  std::string means(Look look) const {
    std::string text;
    for (const auto& [plan, ratios] : speed_ups_) {
      double logarithms = 0;
      for (const double ratio : ratios) logarithms += std::log(ratio);
      const double mean = std::exp(logarithms / static_cast<double>(ratios.size()));
      const std::string sizes =
          ratios.size() > 1 ? fmt::format(" in the geometric mean of {} sizes", ratios.size()) : std::string();
      const std::string factor = format_factor(std::max(mean, 1 / mean));
      const std::string relation = factor == "1.00" ? "as fast as"
                                   : mean > 1       ? factor + " times faster than"
                                                    : factor + " times slower than";
      text += wrapped("", fmt::format("{} is {} {}{}.", short_plan(plan), relation, baseline_, sizes), look.width);
    }
    return text;
  }

  Records records_;
  std::string baseline_;
  bool repeated_ = false;
  std::map<std::string, std::vector<double>> speed_ups_;  // by the plan as asked for
};

}  // namespace

std::string plan_comparison(std::span<const Record> records, const std::string& baseline, Look look) {
  std::vector<Records> scenes;
  for (const Record& record : records) {
    const auto scene = std::ranges::find_if(scenes, [&](const Records& of) { return same_scene(*of.front(), record); });
    if (scene != scenes.end())
      scene->push_back(&record);
    else
      scenes.push_back({&record});
  }
  std::string text;
  for (const Records& scene : scenes)
    text += fmt::format("{}{}\n{}", text.empty() ? "" : "\n", wrapped("", heading(*scene.front()), look.width),
                        Block(scene, baseline).text(look));
  return text;
}

}  // namespace isthmus
