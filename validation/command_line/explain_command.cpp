// isthmus explain: every candidate of the automatic choice, what its time is made of, and what would change the choice.
#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "algorithms/errors.hpp"
#include "validation/command_line/commands.hpp"
#include "validation/command_line/run_options.hpp"
#include "validation/studies/explain.hpp"

namespace isthmus::command_line {

void add_explain(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "explain", "every candidate plan of a collective, what its predicted time is made of, the bound, the choice");
  struct Options : RunOptions {
    bool all = false;
  };
  auto options = std::make_shared<Options>();
  add_problem_options(*command, *options);
  command->add_option("COLLECTIVE", options->what, "e.g. allgather")->required();
  command->add_flag("--all", options->all,
                    "search every algorithm as far as if it were named alone, and list every plan that was tried; "
                    "default: the best of each algorithm that the search for the choice saw");
  command->add_option("--format", options->format, "table, csv or json (a line for each plan)")->capture_default_str();
  command->callback([options] {
    const Format format = format_named(options->format);
    if (options->what.find('/') != std::string::npos)
      throw BadInput(fmt::format("{}: explain compares all algorithms of a collective; `{}` would be right",
                                 options->what, options->what.substr(0, options->what.find('/'))));
    const Collective collective = collective_named(options->what);
    const RunRequest request = placed(*options);
    const bool colour = isatty(STDOUT_FILENO) != 0;
    bool is_first = true;
    for (const Problem& problem : problems_of(*options, collective)) {
      const Explanation explanation = explain(request.placed, problem, options->all);
      fmt::print("{}", format_explanation(explanation, request.placed, format, colour, is_first));
      is_first = false;
    }
  });
}

}  // namespace isthmus::command_line
