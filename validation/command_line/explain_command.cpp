// isthmus explain: every candidate of the automatic choice, what its time is made of, and what would change the choice.
#include <fmt/format.h>

#include <memory>

#include "algorithms/errors.hpp"
#include "validation/command_line/commands.hpp"
#include "validation/command_line/options/questions.hpp"
#include "validation/studies/explain.hpp"

namespace isthmus::command_line {

void add_explain(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "explain", "every candidate plan of a collective, what its predicted time is made of, the bound, the choice");
  struct Options : RunOptions {
    bool all = false, ahead = false;
  };
  auto options = std::make_shared<Options>();
  add_collective_options(*command, *options);
  command->add_flag("--all", options->all,
                    "search every algorithm as far as if it were named alone, and list every plan that was tried; "
                    "default: the best of each algorithm that the search for the choice saw");
  command->add_flag("--ahead", options->ahead,
                    "say too from which size on the choice is another algorithm; this takes several further searches");
  command->add_option("--format", options->format, "table, csv or json (a line for each plan)")->capture_default_str();
  add_quiet_option(*command, *options);
  command->callback([options] {
    const Format format = format_named(options->format);
    if (options->ahead && format == Format::csv)
      throw BadInput("explain: CSV has no place for what --ahead finds; --format table or json would be right");
    const Look look = look_of_output();
    const auto answer = [&](const RunRequest& request, const Problem& problem, bool is_first) {
      const ExplainMore more{.every_plan = options->all, .ahead = options->ahead};
      return format_explanation(explain(request.placed, problem, more), request.placed, format, look, is_first,
                                options->set_links);
    };
    fmt::print("{}", answers_of(*options, "explain compares all algorithms of a collective", answer));
  });
}

}  // namespace isthmus::command_line
