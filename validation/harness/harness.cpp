#include "validation/harness/harness.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "algorithms/errors.hpp"
#include "platforms/reader.hpp"
#include "validation/text/progress.hpp"
#include "validation/text/units.hpp"

namespace isthmus {
namespace {

RunRequest request_of(const Experiment& experiment, const std::string& platform_file, int ranks) {
  RunRequest request;
  request.platform_file = platform_file;
  request.network = read_platform(platform_file);
  request.placement = place(request.network, experiment.placement, experiment.ranks_per_host, ranks);
  request.repetitions = experiment.repetitions;
  request.confidence = experiment.confidence;
  request.warm_up = experiment.warm_up;
  request.emulation = experiment.emulation;
  if (std::binary_search(experiment.sources.begin(), experiment.sources.end(), Source::emulated))
    settle_substrate(request);
  const Topology topology = topology_of(request.network, request.placement);
  for (const PlanRequest& plan : experiment.plans)
    for (const std::int64_t bytes : experiment.sizes_of(plan)) {
      const Problem problem = experiment.problem(plan, bytes);
      if (!plan.one_of_all || serves(plan.plan, topology, problem)) add_point(request, plan, problem);
    }
  return request;
}

/// Rows are told apart by their platform's name.
void require_own_name(const RunRequest& request, const std::vector<Scene>& scenes) {
  for (const Scene& other : scenes) {
    if (other.network.name != request.network.name) continue;
    throw BadInput(
        fmt::format("{}: its platform is called {}, like that of {}; rows are told apart by this name, so names must "
                    "differ",
                    request.platform_file, request.network.name, other.platform_file));
  }
}

/// One source on one platform: what the store holds, and what is still to be run.
struct Task {
  Source source;
  std::vector<std::optional<Record>> records;  // by point; none for points without an answer, or not run yet
  RunRequest missing;
  std::vector<std::size_t> missing_points;
};

Task task_of(Source source, const RunRequest& request, const Store& store) {
  Task task = {source, {}, request, {}};
  task.records.resize(request.points.size());
  task.missing.points.clear();
  for (std::size_t i = 0; i < request.points.size(); ++i) {
    if (!answers(source, request, request.points[i])) continue;
    task.records[i] = store.find(identity(record_template(source, request, request.points[i])));
    if (task.records[i]) continue;
    task.missing.points.push_back(request.points[i]);
    task.missing_points.push_back(i);
  }
  return task;
}

std::string name_of(const Record& record) { return record.collective + "/" + record.requested; }

std::vector<Check> checks_of(const Experiment& experiment, std::span<const Record> records) {
  const auto point_of = [](const Record& record, Source source) {
    return std::tuple(record.network_digest, record.ranks, name_of(record), record.bytes, source);
  };
  std::map<std::tuple<std::string, int, std::string, std::int64_t, Source>, const Record*> by_point;
  for (const Record& record : records) by_point[point_of(record, record.source)] = &record;
  std::vector<Check> checks;
  for (const Tolerance& tolerance : experiment.tolerances) {
    const std::size_t before = checks.size();
    for (const Record& record : records) {
      if (record.source != tolerance.source || !tolerance.applies_to(name_of(record), record.bytes)) continue;
      const auto other = by_point.find(point_of(record, tolerance.against));
      if (other == by_point.end()) continue;
      const double reference = other->second->seconds;
      const double error = reference > 0 ? record.seconds / reference - 1 : (record.seconds > 0 ? INFINITY : 0);
      checks.push_back({tolerance.source, tolerance.against, record.platform, record.ranks, name_of(record),
                        record.bytes, error, tolerance.relative});
    }
    if (checks.size() == before)
      throw BadInput(
          fmt::format("{}: tolerances: {} against {} applies to no point; sizes and algorithms that are in the "
                      "experiment would be right",
                      experiment.file, name(tolerance.source), name(tolerance.against)));
  }
  return checks;
}

/// Which algorithm of each collective is the fastest on each platform, at the most ranks and the largest size.
std::string fastest_at_largest(const Comparison& comparison) {
  std::map<std::pair<std::string, std::string>, std::vector<const ComparisonRow*>> contests;
  std::map<std::string, std::set<int>> ranks;
  for (const ComparisonRow& row : comparison.rows) {
    if (row.of(comparison.reference) == nullptr) continue;
    std::vector<const ComparisonRow*>& rows = contests[{row.platform, row.collective}];
    ranks[row.platform].insert(row.ranks);
    const auto place = [](const ComparisonRow& of) { return std::pair(of.ranks, of.bytes); };
    if (!rows.empty() && place(row) > place(*rows.front())) rows.clear();
    if (rows.empty() || place(row) == place(*rows.front())) rows.push_back(&row);
  }
  std::set<std::string> collectives;
  for (const ComparisonRow& row : comparison.rows) collectives.insert(row.collective);
  const auto name_of = [&](const ComparisonRow& row) {
    return collectives.size() > 1 ? row.collective + "/" + row.algorithm : row.algorithm;
  };
  std::string text;
  for (auto& [contest, rows] : contests) {
    if (rows.size() < 2) continue;
    const auto slower = [&](const ComparisonRow* a, const ComparisonRow* b) {
      return *a->seconds(comparison.reference) < *b->seconds(comparison.reference);
    };
    std::sort(rows.begin(), rows.end(), slower);
    const double best = *rows[0]->seconds(comparison.reference), next = *rows[1]->seconds(comparison.reference);
    const std::string& platform = rows[0]->platform;
    text += fmt::format(" At {} on {}, {} is the fastest: {}", format_bytes(rows[0]->bytes),
                        ranks[platform].size() > 1 ? fmt::format("{} ({} ranks)", platform, rows[0]->ranks) : platform,
                        name_of(*rows[0]), format_seconds(best));
    if (next >= best * 1.095) {
      text += fmt::format(", {:.2g} times faster than {}", next / best, name_of(*rows[1]));
    } else if (next > best * 1.005) {
      text += fmt::format(", {:.0f} % faster than {}", 100 * (next / best - 1), name_of(*rows[1]));
    }
    if (const auto over = rows[0]->over_bound(comparison.reference))
      text += fmt::format(", {:.2f} times the lower bound", *over);
    text += ".";
  }
  return text;
}

}  // namespace

std::string Check::text() const {
  return fmt::format("{} of {} at {} on {}, {} ranks: {} % from {}, {:.3g} % tolerated", name(source), algorithm,
                     format_bytes(bytes), platform, ranks, format_percent(error), name(against), tolerance * 100);
}

std::vector<Check> Outcome::missed() const {
  std::vector<Check> found;
  for (const Check& check : checks)
    if (!check.met()) found.push_back(check);
  std::stable_sort(found.begin(), found.end(), [](const Check& a, const Check& b) {
    return std::abs(a.error) - a.tolerance > std::abs(b.error) - b.tolerance;
  });
  return found;
}

Outcome run_experiment(const Experiment& experiment, Store& store, std::FILE* progress_file,
                       const RunSource& run_source) {
  Outcome outcome;
  std::vector<Task> tasks;
  std::size_t missing = 0;
  for (const std::string& platform : experiment.platforms) {
    for (const int ranks : experiment.ranks) {
      const RunRequest request = request_of(experiment, platform, ranks);
      if (ranks == experiment.ranks.front()) require_own_name(request, outcome.scenes);
      outcome.scenes.push_back({platform, request.network, request.placement});
      for (const Source source : experiment.sources) {
        tasks.push_back(task_of(source, request, store));
        missing += tasks.back().missing_points.size();
        for (const auto& record : tasks.back().records) outcome.reused += record.has_value();
      }
    }
  }

  Progress progress(progress_file, isatty(fileno(progress_file)) == 1, missing == 0 ? 0 : missing + outcome.reused,
                    outcome.reused);
  for (Task& task : tasks) {
    if (!task.missing_points.empty()) {
      progress.begin(fmt::format("{}, {}", name(task.source),
                                 experiment.ranks.size() > 1 ? fmt::format("{}, {} ranks", task.missing.network.name,
                                                                           task.missing.placement.size())
                                                             : task.missing.network.name));
      task.missing.progress = [&](const std::string& detail) { progress.now(detail); };
      const std::vector<Record> records = run_and_store(
          task.source, task.missing, store, [&] { progress.step(); }, run_source);
      for (std::size_t i = 0; i < records.size(); ++i) task.records[task.missing_points[i]] = records[i];
    }
    for (auto& record : task.records)
      if (record) outcome.records.push_back(std::move(*record));
  }
  outcome.checks = checks_of(experiment, outcome.records);
  return outcome;
}

std::string verdict(const Experiment& experiment, const Outcome& outcome) {
  const std::vector<Check> missed = outcome.missed();
  std::string text;
  if (outcome.checks.empty()) {
    text = fmt::format("{} results, no tolerances asked for.", outcome.records.size());
  } else {
    text = missed.empty() ? fmt::format("All {} comparisons are within their tolerance.", outcome.checks.size())
                          : fmt::format("{} of {} comparisons are out of tolerance; the worst is {}.", missed.size(),
                                        outcome.checks.size(), missed.front().text());
    std::map<std::pair<Source, Source>, const Check*> largest;
    for (const Check& check : outcome.checks) {
      const Check*& held = largest[{check.source, check.against}];
      if (held == nullptr || std::abs(check.error) > std::abs(held->error)) held = &check;
    }
    for (const auto& [pair, check] : largest) {
      const std::string error = format_percent(std::abs(check->error));
      text += fmt::format(" {} differs from {} by {} % at most ({} at {}).", name(pair.first), name(pair.second),
                          error.front() == '+' ? error.substr(1) : error, check->algorithm, format_bytes(check->bytes));
    }
  }
  const auto wide = std::count_if(outcome.records.begin(), outcome.records.end(), is_unsettled);
  if (wide > 0) {
    text += fmt::format(" {} results are less certain than asked for: {} repetitions did not do.", wide,
                        experiment.repetitions);
  }
  return text + fastest_at_largest(compare(outcome.records, experiment.reference));
}

void require_tolerances(const Outcome& outcome) {
  const std::vector<Check> missed = outcome.missed();
  if (missed.empty()) return;
  std::string text = fmt::format("{} of {} comparisons are out of tolerance: ", missed.size(), outcome.checks.size());
  constexpr std::size_t shown = 3;
  for (std::size_t i = 0; i < std::min(missed.size(), shown); ++i) text += (i > 0 ? "; " : "") + missed[i].text();
  if (missed.size() > shown) text += fmt::format("; and {} more", missed.size() - shown);
  throw Refused(text);
}

bool is_missed(const Outcome& outcome, const ComparisonRow& row, Source source) {
  return std::any_of(outcome.checks.begin(), outcome.checks.end(), [&](const Check& check) {
    return !check.met() && check.source == source && check.platform == row.platform && check.ranks == row.ranks &&
           check.bytes == row.bytes && check.algorithm == row.collective + "/" + row.algorithm;
  });
}

}  // namespace isthmus
