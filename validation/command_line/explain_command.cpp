// isthmus explain: every candidate of the automatic choice, what its time is made of, and what would change the choice.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "validation/command_line/commands.hpp"
#include "validation/command_line/options/run_options.hpp"
#include "validation/command_line/options/timing.hpp"
#include "validation/studies/explain.hpp"
#include "validation/text/units.hpp"

namespace isthmus::command_line {

void add_explain(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "explain", "every candidate plan of a collective, what its predicted time is made of, the bound, the choice");
  struct Options : RunOptions {
    bool all = false;
  };
  auto options = std::make_shared<Options>();
  add_collective_options(*command, *options);
  command->add_flag("--all", options->all,
                    "search every algorithm as far as if it were named alone, and list every plan that was tried; "
                    "default: the best of each algorithm that the search for the choice saw");
  command->add_option("--format", options->format, "table, csv or json (a line for each plan)")->capture_default_str();
  add_quiet_option(*command, *options);
  command->callback([options] {
    const Format format = format_named(options->format);
    const Look look = look_of_output();
    std::vector<std::pair<RunRequest, Problem>> questions;
    for (const RunOptions& one : by_platform(*options)) {
      const std::vector<Collective> collectives =
          collectives_of(one, "explain compares all algorithms of a collective");
      const RunRequest request = placed(one);
      for (const Collective collective : collectives)
        for (const Problem& problem : problems_of(one, collective)) questions.emplace_back(request, problem);
    }
    std::string text;
    {
      Progress progress = make_progress(options->quiet, questions.size());
      for (const auto& [request, problem] : questions) {
        progress.begin(fmt::format("{} of {} on {}", name(problem.collective), format_bytes(problem.bytes()),
                                   request.placed.network().name));
        const Explanation explanation = explain(request.placed, problem, options->all);
        text += format_explanation(explanation, request.placed, format, look, text.empty(), options->set_links);
        progress.step();
      }
    }
    fmt::print("{}", text);
  });
}

}  // namespace isthmus::command_line
