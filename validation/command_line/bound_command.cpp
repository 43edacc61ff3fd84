// isthmus bound: what no schedule can beat, the links that make it so, and what would lower it.
#include <fmt/format.h>

#include <memory>

#include "validation/command_line/commands.hpp"
#include "validation/command_line/options/run_options.hpp"
#include "validation/studies/bound.hpp"

namespace isthmus::command_line {

void add_bound(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "bound", "what no schedule of a collective can beat, the links that make it so, and what would lower it");
  auto options = std::make_shared<RunOptions>();
  add_collective_options(*command, *options);
  command->add_option("--format", options->format, "table, csv or json (a line for each size)")->capture_default_str();
  command->callback([options] {
    const Format format = format_named(options->format);
    bool is_first = true;
    for (const RunOptions& one : by_platform(*options)) {
      const std::vector<Collective> collectives =
          collectives_of(one, "a bound holds for all algorithms of a collective");
      const RunRequest request = placed(one);
      for (const Collective collective : collectives)
        for (const Problem& problem : problems_of(one, collective)) {
          fmt::print("{}", format_bound(explain_bound(request.placed, problem), request.placed, format,
                                        look_of_output(), is_first, one.set_links));
          is_first = false;
        }
    }
  });
}

}  // namespace isthmus::command_line
