// isthmus tune: decision tables, and their export.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "algorithms/errors.hpp"
#include "algorithms/process/whole_file.hpp"
#include "algorithms/text/counted.hpp"
#include "algorithms/text/printable.hpp"
#include "algorithms/tuning/table_exports.hpp"
#include "validation/command_line/commands.hpp"
#include "validation/command_line/options/choices.hpp"
#include "validation/command_line/options/output.hpp"
#include "validation/command_line/options/run_options.hpp"
#include "validation/command_line/options/timing.hpp"
#include "validation/harness/notes.hpp"
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
  bool (*has)(const Counterpart& there);
};
constexpr Form forms[] = {{"openmpi", openmpi_rules, is_in_openmpi},
                          {"openmpi-json", openmpi_rules_json, is_in_openmpi},
                          {"mpich", mpich_selection, is_in_mpich},
                          {"nccl", nccl_tuner_csv, is_in_nccl}};

/// FORM=FILE
std::pair<const Form*, std::string> export_of(const std::string& text) {
  const std::size_t equals = std::min(text.find('='), text.size());
  for (const Form& form : forms) {
    if (text.substr(0, equals) != form.name) continue;
    if (equals + 1 >= text.size())
      throw BadInput(fmt::format("--export {}: no file; {}=FILE would be right", text, form.name));
    return {&form, text.substr(equals + 1)};
  }
  throw BadInput(
      fmt::format("--export {}: no form; FORM=FILE with openmpi, openmpi-json, mpich or nccl would be right", text));
}

/// What the form of another library has no place for.
std::vector<Note> notes_of_left_out(const DecisionTable& table, const Form& form, const std::string& file) {
  std::vector<Note> notes;
  for (const Decision* decision : left_out(table, form.has))
    add_note(notes, {Note::Kind::no_answer,
                     fmt::format("{}={} has no place for {}, {}, root {}", form.name, file, name(decision->collective),
                                 format_bytes(decision->bytes), decision->root),
                     ""});
  return notes;
}

/// Whether a fact is the same for all decisions: it then stands in the heading.
template <typename Fact>
bool same_for_all(const DecisionTable& table, Fact Decision::*fact) {
  return std::ranges::all_of(table.decisions,
                             [&](const Decision& of) { return of.*fact == table.decisions.front().*fact; });
}

std::string table_of(const Tuned& tuned, const RunRequest& run) {
  const std::vector<Decision>& decisions = tuned.table.decisions;
  if (decisions.empty()) return {};
  const bool one_collective = same_for_all(tuned.table, &Decision::collective);
  const bool one_root = same_for_all(tuned.table, &Decision::root),
             one_source = same_for_all(tuned.table, &Decision::by);
  const bool measured =
      std::ranges::any_of(decisions, [](const Decision& of) { return of.by != name(Source::replay); });
  std::string heading =
      fmt::format("{}{}, {}", one_collective ? fmt::format("{} on ", name(decisions[0].collective)) : "",
                  platform_text(run.placed.network().name, run.set_links), counted(run.placed.size(), "rank"));
  if (one_root) heading += fmt::format(", root {}", decisions[0].root);
  if (one_source) heading += fmt::format(", by {}", decisions[0].by);
  std::vector<TextTable::Column> columns;
  if (!one_collective) columns.push_back({"collective", "", Align::left});
  if (!one_root) columns.push_back({"root", ""});
  columns.push_back({"bytes", ""});
  columns.push_back({"plan", "", Align::left});
  columns.push_back({"time", "ms"});
  if (!one_source) columns.push_back({"by", "", Align::left});
  if (measured) columns.push_back({"model's regret", "%"});
  TextTable table(columns);
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    const Decision& decision = decisions[i];
    std::vector<TextTable::Cell> cells;
    if (!one_collective) cells.emplace_back(std::string(name(decision.collective)));
    if (!one_root) cells.emplace_back(std::to_string(decision.root));
    cells.emplace_back(format_bytes(decision.bytes));
    cells.emplace_back(short_plan(request_text(decision.best().plan)));
    cells.emplace_back(format_milliseconds(decision.best().seconds));
    if (!one_source) cells.emplace_back(decision.by);
    if (measured)
      cells.emplace_back(decision.by == name(Source::replay) ? "" : fmt::format("{:.1f}", 100 * tuned.regret[i]));
    table.add(std::move(cells));
  }
  const Look look = look_of_output();
  return printable(heading) + "\n" + table.text(look.colour, look.width);
}

std::string csv_of(const Tuned& tuned) {
  std::string text = "collective,root,bytes,plan,seconds,by,regret\n";
  for (std::size_t i = 0; i < tuned.table.decisions.size(); ++i) {
    const Decision& decision = tuned.table.decisions[i];
    text += fmt::format("{},{},{},{},{},{},{}\n", name(decision.collective), decision.root, decision.bytes,
                        csv_field(request_text(decision.best().plan)), decision.best().seconds, decision.by,
                        tuned.regret[i]);
  }
  return text;
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
  request.by = measuring_source(arguments.by);
  request.close = arguments.all ? -1 : arguments.close_percent / 100;
  request.max_plans = arguments.all ? 1 << 20 : arguments.max_plans;
  request.budget_s = arguments.budget_s;
  if (arguments.verbose) {
    request.progress = print_error_line;
    request.run.progress = request.progress;
  }
  const bool measured = request.by != Source::replay;
  if (!measured) print_notes(notes_of_profiles(request.run.placed.network()));
  std::unique_ptr<Progress> progress;
  if (!arguments.verbose) {
    const std::size_t decisions = request.collectives.size() * request.sizes.size() * request.roots.size();
    progress.reset(
        new Progress(make_progress(arguments.run.quiet, decisions + (measured ? request.collectives.size() : 0))));
    request.progress = [&, begun = false](const std::string& what) mutable {
      if (begun) progress->step();
      begun = true;
      progress->begin(what);
    };
    request.run.progress = [&](const std::string& detail) { progress->now(detail); };
  }
  std::vector<std::pair<const Form*, std::string>> exports;
  for (const std::string& text : arguments.exports) exports.push_back(export_of(text));
  check_outputs({arguments.output}, {arguments.run.platform});
  for (const auto& [form, file] : exports) check_outputs({file}, {arguments.run.platform});

  const Tuned tuned = tune(request);
  progress.reset();
  for (const auto& [form, file] : exports) {
    write_whole_file(file, form->write(tuned.table));
    print_notes(notes_of_left_out(tuned.table, *form, file));
  }
  const std::string json = to_json(tuned.table).dump(1, ' ', true, nlohmann::json::error_handler_t::replace) + "\n";
  if (!arguments.output.empty()) write_whole_file(arguments.output, json);
  if (arguments.run.format == "json")
    fmt::print("{}", json);
  else
    fmt::print("{}", arguments.run.format == "csv" ? csv_of(tuned) : table_of(tuned, request.run));
}

}  // namespace

void add_tune(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("tune", "decision tables: the best plan by collective, size and root; exports for others");
  auto arguments = std::make_shared<TuneArguments>();
  RunOptions& run = arguments->run;
  run.bytes = "1..1Mi";
  add_platform_option(*command, run);
  command->add_option("COLLECTIVE", arguments->collectives, "one or more")->required();
  command->add_option("--bytes", run.bytes, "sizes")->capture_default_str();
  command->add_option("--root,--roots", arguments->roots, "ranks of roots, e.g. 0,4")
      ->delimiter(',')
      ->capture_default_str();
  add_placement_options(*command, run);
  command
      ->add_option("--source,--by", arguments->by,
                   "model (alone; the replay), or the model's short list timed in smpi or emulated")
      ->capture_default_str()
      ->check(one_of({"model", "replay", "smpi", "emulated"}));
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
  command->add_option("--repetitions", run.repetitions, "how often each plan is timed")
      ->capture_default_str()
      ->check(CLI::Range(1, 10000));
  command->add_option("-o,--output", arguments->output, "file for the table, in JSON");
  command->add_option("--export", arguments->exports,
                      "FORM=FILE: openmpi (dynamic rules), openmpi-json, mpich (selection JSON), nccl (tuner CSV)");
  command->add_option("--format", run.format, "table, csv or json: the decision table")
      ->capture_default_str()
      ->check(one_of({"table", "csv", "json"}));
  add_substrate_options(*command, run.emulation);
  add_timeout_option(*command, run.emulation);
  add_quiet_option(*command, run);
  command->add_flag("--verbose", arguments->verbose, "print progress on the standard error");
  command->callback([arguments, command] {
    const Source by = measuring_source(arguments->by);
    if (by == Source::replay)
      refuse_without(*command, {"--close", "--plans", "--all", "--budget", "--repetitions"},
                     "--source smpi or emulated");
    if (by != Source::emulated) refuse_emulation_options(*command);
    run_tuning(*arguments);
  });
}

}  // namespace isthmus::command_line
