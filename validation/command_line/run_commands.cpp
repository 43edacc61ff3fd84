// isthmus predict, simulate, emulate: the time of plans on a platform, from one kind of source each.
#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <optional>

#include "algorithms/errors.hpp"
#include "validation/command_line/commands.hpp"
#include "validation/command_line/run_options.hpp"
#include "validation/sources.hpp"
#include "validation/store.hpp"

namespace isthmus::command_line {
namespace {

/// The points of a request that a source can answer.
RunRequest answerable(const RunRequest& request, Source source) {
  RunRequest some = request;
  std::erase_if(some.points, [&](const RequestedPoint& point) { return !answers(source, request, point); });
  return some;
}

void run_and_print(const RunOptions& options, const std::vector<Source>& sources) {
  const Format format = format_named(options.format);
  const RunRequest request = request_of(options);
  std::optional<Store> store;
  if (!options.store.empty()) store.emplace(options.store);
  std::vector<Record> records;
  for (Source source : sources) {
    run(source, answerable(request, source), [&](std::size_t, const Record& record) {
      if (store) store->put(record);
      records.push_back(record);
    });
  }
  if (records.empty())
    throw BadInput(fmt::format("--model {}: no closed form for {} on {}; --model replay times any schedule",
                               name(sources.front()), options.what, request.network.name));
  fmt::print("{}", format_records(records, format, isatty(STDOUT_FILENO) != 0));
}

}  // namespace

void add_predict(CLI::App& program) {
  CLI::App* command = program.add_subcommand("predict", "the time of plans by model");
  auto options = std::make_shared<RunOptions>();
  auto models = std::make_shared<std::vector<std::string>>(std::vector<std::string>{"plogp", "replay"});
  add_plan_options(*command, *options);
  command
      ->add_option(
          "--model", *models,
          "hockney, logp, loggp, plogp (closed forms, where there are any), replay; the last two when left out")
      ->delimiter(',')
      ->check(CLI::IsMember({"hockney", "logp", "loggp", "plogp", "replay"}));
  add_output_options(*command, *options);
  command->callback([options, models] {
    std::vector<Source> sources;
    for (const std::string& model : *models) sources.push_back(source_named(model));
    run_and_print(*options, sources);
  });
}

void add_simulate(CLI::App& program) {
  CLI::App* command = program.add_subcommand("simulate", "the time of plans under SimGrid's SMPI");
  auto options = std::make_shared<RunOptions>();
  add_plan_options(*command, *options);
  command->add_option("--repetitions", options->repetitions)->capture_default_str()->check(CLI::Range(1, 10000));
  command
      ->add_option(
          "--queueing", options->queueing,
          "links cross messages in turn (fifo) or all at once with a share each, as SimGrid's own model (fluid)")
      ->capture_default_str()
      ->check(CLI::IsMember({"fifo", "fluid"}));
  command->add_option("--timeout", options->timeout_s, "seconds for the whole")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  add_output_options(*command, *options);
  command->callback([options] { run_and_print(*options, {Source::smpi}); });
}

void add_emulate(CLI::App& program) {
  CLI::App* command = program.add_subcommand("emulate", "the time of plans, with real MPI on the emulated network");
  auto options = std::make_shared<RunOptions>();
  add_plan_options(*command, *options);
  command->add_option("--repetitions", options->repetitions)->capture_default_str()->check(CLI::Range(1, 10000));
  command->add_option("--warm-up", options->warm_up, "repetitions before those that count")
      ->capture_default_str()
      ->check(CLI::Range(0, 10000));
  command->add_option("--substrate", options->substrate, substrates_help())->capture_default_str();
  command->add_option("--tolerance", options->tolerance, tolerance_help())->check(CLI::PositiveNumber);
  command->add_option("--timeout", options->timeout_s, "seconds for the whole")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  add_output_options(*command, *options);
  command->callback([options] { run_and_print(*options, {Source::emulated}); });
}

}  // namespace isthmus::command_line
