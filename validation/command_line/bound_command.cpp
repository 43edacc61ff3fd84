// isthmus bound: what no schedule can beat, the links that make it so, and what would lower it.
#include <fmt/format.h>

#include <memory>

#include "validation/command_line/commands.hpp"
#include "validation/command_line/options/questions.hpp"
#include "validation/studies/bound.hpp"

namespace isthmus::command_line {

void add_bound(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "bound", "what no schedule of a collective can beat, the links that make it so, and what would lower it");
  auto options = std::make_shared<RunOptions>();
  add_collective_options(*command, *options);
  command->add_option("--format", options->format, "table, csv or json (a line for each size)")->capture_default_str();
  add_quiet_option(*command, *options);
  command->callback([options] {
    const Format format = format_named(options->format);
    const auto answer = [&](const RunRequest& request, const Problem& problem, bool is_first) {
      return format_bound(explain_bound(request.placed, problem), request.placed, format, look_of_output(), is_first,
                          options->set_links);
    };
    fmt::print("{}", answers_of(*options, "a bound holds for all algorithms of a collective", answer));
  });
}

}  // namespace isthmus::command_line
