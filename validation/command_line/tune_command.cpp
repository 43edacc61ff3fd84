// isthmus tune: decision tables, and their export.
#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "algorithms/errors.hpp"
#include "algorithms/process/whole_file.hpp"
#include "algorithms/tuning/table_exports.hpp"
#include "validation/command_line/commands.hpp"
#include "validation/command_line/output.hpp"
#include "validation/command_line/run_options.hpp"
#include "validation/studies/tune.hpp"
#include "validation/text/plan_text.hpp"
#include "validation/text/text_table.hpp"
#include "validation/text/units.hpp"

namespace isthmus::command_line {
namespace {

struct TuneArguments {
  RunOptions run;
  std::vector<std::string> collectives, exports;
  std::vector<int> roots{0};
  std::string by = "replay", output;
  double close_percent = 25, budget_s = 0;
  int max_plans = 8;
  std::int64_t effort_messages = default_effort_messages;
  bool all = false, verbose = false;
};

struct Form {
  const char* name;
  std::string (*write)(const DecisionTable& table);
};
constexpr Form forms[] = {{"openmpi", openmpi_rules},
                          {"openmpi-json", openmpi_rules_json},
                          {"mpich", mpich_selection},
                          {"nccl", nccl_tuner_csv}};

/// FORM=FILE
std::pair<const Form*, std::string> export_of(const std::string& text) {
  const std::size_t equals = text.find('=');
  for (const Form& form : forms)
    if (equals != std::string::npos && text.substr(0, equals) == form.name && equals + 1 < text.size())
      return {&form, text.substr(equals + 1)};
  throw BadInput(
      fmt::format("--export {}: no form; FORM=FILE with openmpi, openmpi-json, mpich or nccl would be right", text));
}

std::string table_of(const Tuned& tuned) {
  TextTable table({{"collective", "", Align::left},
                   {"root", ""},
                   {"bytes", ""},
                   {"plan", "", Align::left},
                   {"time", "ms"},
                   {"by", "", Align::left},
                   {"model's regret", "%"}});
  for (std::size_t i = 0; i < tuned.table.decisions.size(); ++i) {
    const Decision& decision = tuned.table.decisions[i];
    table.add({std::string(name(decision.collective)), std::to_string(decision.root), format_bytes(decision.bytes),
               short_plan(request_text(decision.best().plan)), format_milliseconds(decision.best().seconds),
               decision.by, decision.by == "replay" ? "" : fmt::format("{:.1f}", 100 * tuned.regret[i])});
  }
  return table.text(isatty(STDOUT_FILENO) != 0);
}

void run_tuning(const TuneArguments& arguments) {
  TuneRequest request{.run = placed(arguments.run)};
  request.run.repetitions = arguments.run.repetitions;
  request.run.emulation = arguments.run.emulation;
  for (const std::string& text : arguments.collectives) request.collectives.push_back(collective_named(text));
  request.sizes = parse_sizes(arguments.run.bytes);
  request.roots = arguments.roots;
  request.effort_messages = arguments.effort_messages;
  for (const int root : request.roots) {
    if (root < 0 || root >= request.run.placed.size())
      throw BadInput(fmt::format("--roots {}: no rank; 0..{} would be right", root, request.run.placed.size() - 1));
  }
  request.by = source_named(arguments.by);
  request.close = arguments.all ? -1 : arguments.close_percent / 100;
  request.max_plans = arguments.all ? 1 << 20 : arguments.max_plans;
  request.budget_s = arguments.budget_s;
  if (arguments.verbose) {
    request.progress = print_error_line;
    request.run.progress = request.progress;
  }
  std::vector<std::pair<const Form*, std::string>> exports;
  for (const std::string& text : arguments.exports) exports.push_back(export_of(text));

  const Tuned tuned = tune(request);
  for (const auto& [form, file] : exports) write_whole_file(file, form->write(tuned.table));
  const std::string json = to_json(tuned.table).dump(1, ' ', true, nlohmann::json::error_handler_t::replace) + "\n";
  if (!arguments.output.empty()) write_whole_file(arguments.output, json);
  if (arguments.run.format == "json")
    fmt::print("{}", json);
  else
    fmt::print("{}", table_of(tuned));
}

}  // namespace

void add_tune(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("tune", "decision tables: the best plan by collective, size and root; exports for others");
  auto arguments = std::make_shared<TuneArguments>();
  RunOptions& run = arguments->run;
  run.bytes = "1..1Mi";
  command->add_option("PLATFORM", run.platform, "SimGrid XML file, or a network in JSON")->required();
  command->add_option("COLLECTIVE", arguments->collectives, "one or more")->required();
  command->add_option("--bytes", run.bytes, "sizes")->capture_default_str();
  command->add_option("--roots", arguments->roots, "ranks of roots, e.g. 0,4")->delimiter(',')->capture_default_str();
  add_placement_options(*command, run);
  command
      ->add_option("--by", arguments->by,
                   "replay (the model alone), or the model's short list timed in smpi or emulated")
      ->capture_default_str()
      ->check(CLI::IsMember({"replay", "smpi", "emulated"}));
  command
      ->add_option("--close", arguments->close_percent,
                   "the short list: plans that the model puts within this many percent of its best")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  command->add_option("--plans", arguments->max_plans, "the short list: at most so many plans for a size")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command->add_option("--effort", arguments->effort_messages, "messages that the model may replay for each decision")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command->add_flag("--all", arguments->all, "time every plan that the model tried, without a short list");
  command->add_option("--budget", arguments->budget_s, "seconds for timing; later decisions are by model")
      ->check(CLI::PositiveNumber);
  command->add_option("--repetitions", run.repetitions)->capture_default_str()->check(CLI::Range(1, 10000));
  command->add_option("-o,--output", arguments->output, "file for the table, in JSON");
  command->add_option("--export", arguments->exports,
                      "FORM=FILE: openmpi (dynamic rules), openmpi-json, mpich (selection JSON), nccl (tuner CSV)");
  command->add_option("--format", run.format, "table or json")
      ->capture_default_str()
      ->check(CLI::IsMember({"table", "json"}));
  add_substrate_options(*command, run.emulation);
  add_timeout_option(*command, run.emulation);
  command->add_flag("--verbose", arguments->verbose, "print progress on the standard error");
  command->callback([arguments] { run_tuning(*arguments); });
}

}  // namespace isthmus::command_line
