// isthmus validate: an experiment's model, simulation and measurement side by side.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "algorithms/errors.hpp"
#include "validation/command_line/commands.hpp"
#include "validation/command_line/options/output.hpp"
#include "validation/command_line/options/run_options.hpp"
#include "validation/harness/harness.hpp"
#include "validation/report/report.hpp"
#include "validation/text/sentences.hpp"
#include "validation/text/tables.hpp"
#include "validation/text/wrapped.hpp"

namespace isthmus::command_line {

void add_validate(CLI::App& program, const std::string& typed) {
  CLI::App* command = program.add_subcommand("validate", "model, simulation and measurement side by side");
  struct Options {
    std::string experiment, store, report, format = "table", substrate;
    bool quiet = false;
  };
  auto options = std::make_shared<Options>();
  command
      ->add_option("EXPERIMENT", options->experiment, "a JSON file, e.g. validation/experiments/das-4x4-broadcast.json")
      ->required();
  command->add_option("--report", options->report, "folder for the HTML report");
  command->add_option("--store", options->store, "SQLite file; an interrupted run continues from it")
      ->default_str("isthmus.sqlite");
  command->add_option("--format", options->format, "table, csv, json or osu")->capture_default_str();
  command->add_option("--substrate", options->substrate, substrates_help() + "; overrides the experiment's");
  command->add_flag("--quiet", options->quiet, "no progress");
  command->callback([options, typed] {
    const Format format = format_named(options->format, true);
    Experiment experiment = read_experiment(options->experiment);
    if (!options->substrate.empty()) experiment.emulation.substrate = options->substrate;
    const std::filesystem::path file = options->store.empty() ? "isthmus.sqlite" : options->store;
    std::error_code problem;
    if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), problem);
    if (problem)
      throw BadInput(fmt::format("--store {}: its folder cannot be made: {}", file.string(), problem.message()));
    if (!options->report.empty()) report_file(experiment, options->report);
    Store store(file);
    const Outcome outcome = run_experiment(experiment, store, options->quiet ? nullptr : stderr);
    const Look look = look_of_output();
    if (format == Format::table) {
      const auto missed = [&](const ComparisonRow& row, Source source) { return is_missed(outcome, row, source); };
      const Comparison comparison = compare(outcome.records, experiment.reference);
      fmt::print("{}\n{}", comparison_table(comparison, look, missed, experiment.table_by_size),
                 wrapped("", sentences(verdict(experiment, outcome)), look.width));
    } else {
      fmt::print("{}", format_records(outcome.records, format, look));
    }
    if (!options->report.empty()) {
      const std::string page =
          write_report(experiment, outcome, report_context(typed, version_line()), options->report);
      fmt::print(format == Format::table ? stdout : stderr, "report: {}\n", page);
    }
    print_notes(outcome.notes);
    std::fflush(stdout);
    require_tolerances(outcome);
  });
}

}  // namespace isthmus::command_line
