// isthmus sensitivity: which link pays most for a collective.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "validation/command_line/commands.hpp"
#include "validation/command_line/options/output.hpp"
#include "validation/command_line/options/run_options.hpp"
#include "validation/command_line/options/timing.hpp"
#include "validation/harness/notes.hpp"
#include "validation/studies/sensitivity.hpp"
#include "validation/text/units.hpp"

namespace isthmus::command_line {

void add_sensitivity(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "sensitivity", "which link pays most: what more bandwidth or less latency of each link would save, by model");
  struct Options : RunOptions {
    double change_percent = 10;
  };
  auto options = std::make_shared<Options>();
  add_plan_options(*command, *options);
  command->add_option("--change", options->change_percent, "how much more bandwidth or less latency, in percent")
      ->capture_default_str()
      ->check(CLI::Range(1e-3, 99.0));
  command->add_option("--format", options->format, "table, csv or json (a line for each link)")->capture_default_str();
  add_quiet_option(*command, *options);
  command->callback([options] {
    const Format format = format_named(options->format);
    std::vector<RunRequest> requests;
    std::size_t points = 0;
    for (const RunOptions& one : by_platform(*options)) {
      requests.push_back(request_of(one));
      print_notes(notes_of_profiles(requests.back().placed.network()));
      points += requests.back().points.size();
    }
    std::string text;
    {
      Progress progress = make_progress(options->quiet, points);
      for (const RunRequest& request : requests)
        for (const RequestedPoint& point : request.points) {
          progress.begin(fmt::format("{} of {} on {}", name(point.problem.collective),
                                     format_bytes(point.problem.bytes()), request.placed.network().name));
          const auto on_step = [&](std::size_t done, std::size_t all) {
            progress.now(fmt::format("link {} of {}", done + 1, all));
          };
          const Sensitivity found = find_sensitivity(request.placed, point, options->change_percent / 100, on_step);
          text += format_sensitivity(found, request.placed, format, look_of_output(), text.empty(), options->set_links);
          progress.step();
        }
    }
    fmt::print("{}", text);
  });
}

}  // namespace isthmus::command_line
