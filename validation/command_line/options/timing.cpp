#include "validation/command_line/options/timing.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "algorithms/errors.hpp"
#include "validation/harness/notes.hpp"
#include "validation/harness/run_and_store.hpp"

namespace isthmus::command_line {
namespace {

RunRequest answerable(const RunRequest& request, Source source) {
  RunRequest some = request;
  std::erase_if(some.points, [&](const RequestedPoint& point) { return !answers(source, request, point); });
  return some;
}

}  // namespace

Progress make_progress(bool quiet, std::size_t steps) {
  constexpr double patience_s = 2;
  const bool shown = !quiet && isatty(STDERR_FILENO) != 0;
  return {stderr, shown, shown ? steps : 0, 0, patience_s};
}

Timings time_plans(std::span<const RunRequest> requests, std::span<const Source> sources, const RunOptions& options,
                   bool sources_named) {
  std::vector<std::pair<Source, RunRequest>> runs;
  std::size_t points = 0;
  for (const Source source : sources)
    for (const RunRequest& request : requests) {
      runs.emplace_back(source, answerable(request, source));
      points += runs.back().second.points.size();
    }
  if (points == 0) {
    const RunRequest& request = requests.front();
    throw BadInput(why_unanswerable(sources.front(), request, request.points.front()));
  }
  std::optional<Store> store;
  if (!options.store.empty()) store.emplace(options.store);
  Timings timings;
  Progress progress = make_progress(options.quiet, points);
  for (auto& [source, request] : runs) {
    if (request.points.empty()) continue;
    progress.begin(fmt::format("{}, {}", name(source), request.placed.network().name));
    request.progress = [&](const std::string& detail) { progress.now(detail); };
    const auto step = [&] { progress.step(); };
    const std::vector<Record> done = store ? run_and_store(source, request, *store, step)
                                           : run(source, request, [&](std::size_t, const Record&) { progress.step(); });
    timings.records.insert(timings.records.end(), done.begin(), done.end());
  }
  for (const Source source : sources)
    for (const RunRequest& request : requests)
      if (const std::optional<Note> note = sources_named ? note_of_unanswered(source, request) : std::nullopt)
        timings.notes.push_back(*note);
  if (std::ranges::any_of(sources, leaves_profiles_out))
    for (const RunRequest& request : requests)
      std::ranges::move(notes_of_profiles(request.placed.network()), std::back_inserter(timings.notes));
  std::ranges::move(notes_about(timings.records), std::back_inserter(timings.notes));
  return timings;
}

}  // namespace isthmus::command_line
