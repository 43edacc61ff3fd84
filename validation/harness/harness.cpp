#include "validation/harness/harness.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>

#include "algorithms/errors.hpp"
#include "algorithms/network/network_json.hpp"
#include "platforms/reader.hpp"
#include "validation/harness/notes.hpp"
#include "validation/records/quickest.hpp"
#include "validation/text/progress.hpp"
#include "validation/text/sentences.hpp"

namespace isthmus {
namespace {

bool is_terminal(std::FILE* file) { return file != nullptr && isatty(fileno(file)) == 1; }

RunRequest request_of(const Experiment& experiment, const std::string& platform_file, int ranks, Progress& choosing) {
  Network network = read_platform(platform_file);
  Placement placement = place_ranks(network, experiment.placement, experiment.ranks_per_host, ranks);
  RunRequest request{.platform_file = platform_file, .placed = {std::move(network), std::move(placement)}};
  request.repetitions = experiment.repetitions;
  request.confidence = experiment.confidence;
  request.warm_up = experiment.warm_up;
  request.emulation = experiment.emulation;
  if (std::binary_search(experiment.sources.begin(), experiment.sources.end(), Source::emulated))
    settle_substrate(request);
  for (const PlanRequest& plan : experiment.plans)
    for (const std::int64_t bytes : experiment.sizes_of(plan)) {
      const Problem problem = experiment.problem(plan, bytes);
      if (!plan.one_of_all || serves(plan.plan, request.placed.topology(), problem)) add_point(request, plan, problem);
      choosing.step();
    }
  return request;
}

/// Throws BadInput when two platforms have the same name: rows of results are identified by it.
void require_own_name(const RunRequest& request, const std::vector<Scene>& scenes) {
  for (const Scene& other : scenes) {
    if (other.placed.network().name != request.placed.network().name) continue;
    throw BadInput(
        fmt::format("{}: its platform is called {}, like that of {}; rows are told apart by this name, so names must "
                    "differ",
                    request.platform_file, request.placed.network().name, other.platform_file));
  }
}

/// One source on one platform: the records that the store holds, and the points that are still to be run.
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

/// Whether the request has a point that both sources of the tolerance answer.
bool applies_in(const Tolerance& tolerance, const RunRequest& request) {
  return std::ranges::any_of(request.points, [&](const RequestedPoint& point) {
    return tolerance.applies_to(fmt::format("{}/{}", name(point.problem.collective), point.requested),
                                point.problem.bytes()) &&
           answers(tolerance.source, request, point) && answers(tolerance.against, request, point);
  });
}

/// Throws BadInput when none of the runs has two numbers that the tolerance compares.
void require_to_apply(const Tolerance& tolerance, const Experiment& experiment,
                      const std::vector<RunRequest>& requests) {
  const auto runs = [&](Source source) {
    return std::binary_search(experiment.sources.begin(), experiment.sources.end(), source);
  };
  if (runs(tolerance.source) && runs(tolerance.against) &&
      std::ranges::any_of(requests, [&](const RunRequest& request) { return applies_in(tolerance, request); }))
    return;
  throw BadInput(
      fmt::format("{}: tolerances: {} against {} applies to no point; sizes and algorithms of the "
                  "experiment, for which both give a time, would be right",
                  experiment.file, name(tolerance.source), name(tolerance.against)));
}

/// A note where the source answers no point of the experiment.
std::optional<Note> note_of_silence(Source source, const std::vector<RunRequest>& requests) {
  std::string first_reason;
  for (const RunRequest& request : requests)
    for (const RequestedPoint& point : request.points) {
      const std::string reason = why_unanswerable(source, request, point);
      if (reason.empty()) return std::nullopt;
      if (first_reason.empty()) first_reason = reason;
    }
  if (first_reason.empty()) return std::nullopt;  // there is no point
  return Note{Note::Kind::no_answer, fmt::format("{} answers no point: {}", name(source), first_reason), ""};
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
    for (const Record& record : records) {
      if (record.source != tolerance.source || !tolerance.applies_to(name_of(record), record.bytes)) continue;
      const auto other = by_point.find(point_of(record, tolerance.against));
      if (other == by_point.end()) continue;
      const double reference = other->second->seconds;
      const double error = relative_error(record.seconds, reference).value_or(record.seconds > 0 ? INFINITY : 0);
      checks.push_back({tolerance.source, tolerance.against, record.platform, record.ranks, name_of(record),
                        record.bytes, error, tolerance.relative});
    }
  }
  return checks;
}

/// One for each platform and number of ranks; what there is to note about them goes into the outcome. Throws BadInput
/// for a tolerance that applies to none.
std::vector<RunRequest> requests_of(const Experiment& experiment, Outcome& outcome, std::FILE* progress_file) {
  constexpr double quick_s = 3;
  std::size_t points = 0;
  for (const PlanRequest& plan : experiment.plans) points += experiment.sizes_of(plan).size();
  points *= progress_file != nullptr ? experiment.platforms.size() * experiment.ranks.size() : 0;
  Progress choosing(progress_file, is_terminal(progress_file), points, 0, quick_s);
  std::vector<RunRequest> requests;
  for (const std::string& platform : experiment.platforms) {
    choosing.begin(fmt::format("choosing plans for {}", platform));
    for (const int ranks : experiment.ranks) {
      const RunRequest& request = requests.emplace_back(request_of(experiment, platform, ranks, choosing));
      if (ranks == experiment.ranks.front()) {
        require_own_name(request, outcome.scenes);
        std::ranges::move(warnings_about(request.placed.network()), std::back_inserter(outcome.notes));
        if (std::ranges::any_of(experiment.sources, leaves_profiles_out))
          std::ranges::move(notes_of_profiles(request.placed.network()), std::back_inserter(outcome.notes));
      }
      outcome.scenes.push_back({platform, request.placed});
    }
  }
  for (const Tolerance& tolerance : experiment.tolerances) require_to_apply(tolerance, experiment, requests);
  for (const Source source : experiment.sources)
    if (const auto note = note_of_silence(source, requests)) outcome.notes.push_back(*note);
  return requests;
}

}  // namespace

Outcome run_experiment(const Experiment& experiment, Store& store, std::FILE* progress_file,
                       const RunSource& run_source) {
  Outcome outcome;
  const std::vector<RunRequest> requests = requests_of(experiment, outcome, progress_file);
  std::vector<Task> tasks;
  std::size_t missing = 0;
  for (const RunRequest& request : requests) {
    for (const Source source : experiment.sources) {
      tasks.push_back(task_of(source, request, store));
      missing += tasks.back().missing_points.size();
      for (const auto& record : tasks.back().records) outcome.reused += record.has_value();
    }
  }

  const bool shown = progress_file != nullptr && missing > 0;
  Progress progress(progress_file, is_terminal(progress_file), shown ? missing + outcome.reused : 0, outcome.reused);
  for (Task& task : tasks) {
    if (!task.missing_points.empty()) {
      progress.begin(
          fmt::format("{}, {}", name(task.source),
                      experiment.ranks.size() > 1
                          ? fmt::format("{}, {} ranks", task.missing.placed.network().name, task.missing.placed.size())
                          : task.missing.placed.network().name));
      task.missing.progress = [&](const std::string& detail) { progress.now(detail); };
      const std::vector<Record> records = run_and_store(
          task.source, task.missing, store, [&] { progress.step(); }, run_source);
      for (std::size_t i = 0; i < records.size(); ++i) task.records[task.missing_points[i]] = records[i];
    }
    for (auto& record : task.records)
      if (record) outcome.records.push_back(std::move(*record));
  }
  outcome.checks = checks_of(experiment, outcome.records);
  if (const auto note = note_of_starvation(outcome.records)) outcome.notes.push_back(*note);
  return outcome;
}

ExperimentVerdict verdict(const Experiment& experiment, const Outcome& outcome) {
  return verdict_on(outcome.records, outcome.checks, experiment.reference, experiment.repetitions);
}

void require_tolerances(const Outcome& outcome) {
  const std::vector<Check> found = missed(outcome.checks);
  if (found.empty()) return;
  std::string text = fmt::format("{} of {} comparisons are out of tolerance: ", found.size(), outcome.checks.size());
  constexpr std::size_t shown = 3;
  for (std::size_t i = 0; i < std::min(found.size(), shown); ++i) text += (i > 0 ? "; " : "") + sentence(found[i]);
  if (found.size() > shown) text += fmt::format("; and {} more", found.size() - shown);
  throw Refused(text);
}

bool is_missed(const Outcome& outcome, const ComparisonRow& row, Source source) {
  return std::any_of(outcome.checks.begin(), outcome.checks.end(), [&](const Check& check) {
    return !check.met() && check.source == source && check.platform == row.platform && check.ranks == row.ranks &&
           check.bytes == row.bytes && check.algorithm == row.collective + "/" + row.algorithm;
  });
}

}  // namespace isthmus
