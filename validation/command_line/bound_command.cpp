// isthmus bound: what no schedule can beat, the links that make it so, and what would lower it.
#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "algorithms/errors.hpp"
#include "validation/command_line/commands.hpp"
#include "validation/command_line/run_options.hpp"
#include "validation/studies/bound.hpp"

namespace isthmus::command_line {

void add_bound(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "bound", "what no schedule of a collective can beat, the links that make it so, and what would lower it");
  auto options = std::make_shared<RunOptions>();
  add_problem_options(*command, *options);
  command->add_option("COLLECTIVE", options->what, "e.g. allgather")->required();
  command->add_option("--format", options->format, "table, csv or json (a line for each size)")->capture_default_str();
  command->callback([options] {
    const Format format = format_named(options->format);
    if (const std::size_t slash = options->what.find('/'); slash != std::string::npos)
      throw BadInput(fmt::format("{}: a bound holds for all algorithms of a collective; `{}` would be right",
                                 options->what, options->what.substr(0, slash)));
    const Collective collective = collective_named(options->what);
    const RunRequest request = placed(*options);
    const bool colour = isatty(STDOUT_FILENO) != 0;
    bool is_first = true;
    for (const Problem& problem : problems_of(*options, collective)) {
      fmt::print("{}", format_bound(explain_bound(request.placed, problem), request.placed, format, colour, is_first));
      is_first = false;
    }
  });
}

}  // namespace isthmus::command_line
