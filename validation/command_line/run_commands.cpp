// isthmus predict, simulate, emulate: the time of plans on a platform, by models, under SMPI, on the emulated network.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "algorithms/errors.hpp"
#include "emulator/client/self_test.hpp"
#include "validation/command_line/commands.hpp"
#include "validation/command_line/options/choices.hpp"
#include "validation/command_line/options/output.hpp"
#include "validation/command_line/options/run_options.hpp"
#include "validation/command_line/options/timing.hpp"

namespace isthmus::command_line {
namespace {

void run_and_print(const RunOptions& options, const std::vector<Source>& sources, bool sources_named = true) {
  const Format format = format_named(options.format, true);
  std::vector<RunRequest> requests;
  for (const RunOptions& one : by_platform(options)) {
    requests.push_back(request_of(one));
    if (requests.back().points.empty())
      throw BadInput(fmt::format("no algorithm of {} serves this", fmt::join(one.whats, ", ")));
  }
  const Timings timings = time_plans(requests, sources, options, sources_named);
  fmt::print("{}", format_records(timings.records, format, look_of_output()));
  print_notes(timings.notes);
}

void print_self_test(const RunOptions& options) {
  const AgentReport result = self_test(options.emulation);
  if (format_named(options.format) == Format::json) {
    for (const Achieved& link : result.achieved) fmt::print("{}\n", nlohmann::json(link).dump());
    return;
  }
  const auto percent = [](double got, double asked) { return 100 * (got / asked - 1); };
  fmt::print("{:>9}  {:>9}  {:>8}  {:>7}    {:>8}  {:>8}  {:>7}\n", "latency", "achieved", "off by", "", "rate",
             "achieved", "off by");
  fmt::print("{:>9}  {:>9}  {:>8}  {:>7}    {:>8}  {:>8}  {:>7}\n", "ms", "ms", "us", "%", "Mbit/s", "Mbit/s", "%");
  for (const Achieved& link : result.achieved) {
    fmt::print("{:9.3f}  {:9.3f}  {:+8.1f}  {:+7.2f}    {:8.1f}  {:8.1f}  {:+7.2f}\n", link.asked_latency_s * 1e3,
               link.latency_s * 1e3, (link.latency_s - link.asked_latency_s) * 1e6,
               percent(link.latency_s, link.asked_latency_s), link.asked_bandwidth_Bps * 8e-6,
               link.bandwidth_Bps * 8e-6, percent(link.bandwidth_Bps, link.asked_bandwidth_Bps));
  }
  for (const auto& [name, value] : result.provenance) {
    if (name == "substrate" || name == "kernel") fmt::print("{}: {}\n", name, value);
  }
}

}  // namespace

void add_predict(CLI::App& program) {
  CLI::App* command = program.add_subcommand("predict", "the time of plans by model");
  auto options = std::make_shared<RunOptions>();
  auto models = std::make_shared<std::vector<std::string>>(std::vector<std::string>{"plogp", "replay"});
  add_plan_options(*command, *options);
  command
      ->add_option("--source,--model", *models,
                   "hockney, logp, loggp, plogp (closed forms, if there are any), replay; default: the last two")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(one_of({"hockney", "logp", "loggp", "plogp", "replay"}));
  add_output_options(*command, *options);
  command->callback([options, models, command] {
    std::vector<Source> sources;
    for (const std::string& model : *models) sources.push_back(source_named(model));
    run_and_print(*options, sources, command->count("--source") > 0);
  });
}

void add_simulate(CLI::App& program) {
  CLI::App* command = program.add_subcommand("simulate", "the time of plans under SimGrid's SMPI");
  auto options = std::make_shared<RunOptions>();
  add_plan_options(*command, *options);
  add_repetition_options(*command, *options);
  command
      ->add_option("--queueing", options->queueing,
                   "how messages share a link: one after the other (fifo), or all at once (fluid, SimGrid's own model)")
      ->capture_default_str()
      ->check(one_of({"fifo", "fluid"}));
  add_conditions_option(*command, *options);
  command
      ->add_option("--warm-up", options->warm_up,
                   "uncounted repetitions at the start; without ambient traffic there are none")
      ->capture_default_str()
      ->check(CLI::Range(0, 10000));
  add_timeout_option(*command, options->emulation);
  add_output_options(*command, *options);
  command->callback([options] { run_and_print(*options, {Source::smpi}); });
}

void add_emulate(CLI::App& program) {
  CLI::App* command = program.add_subcommand("emulate", "the time of plans, with real MPI on the emulated network");
  auto options = std::make_shared<RunOptions>();
  auto self = std::make_shared<bool>(false);
  add_plan_options(*command, *options);
  // The self-test brings its own network.
  const std::vector<std::string> needed{"PLATFORM", "WHAT"};
  for (const std::string& name : needed) command->get_option(name)->required(false);
  command->add_flag(
      "--self-test", *self,
      "instead of a run: latencies of 1 to 200 ms and rates of 1 to 500 Mbit/s on this machine, asked for "
      "and achieved");
  add_repetition_options(*command, *options);
  command->add_option("--warm-up", options->warm_up, "uncounted repetitions at the start")
      ->capture_default_str()
      ->check(CLI::Range(0, 10000));
  add_substrate_options(*command, options->emulation);
  add_conditions_option(*command, *options);
  add_room_options(*command, options->emulation);
  add_timeout_option(*command, options->emulation);
  add_output_options(*command, *options);
  command->callback([options, self, command, needed] {
    if (*self) return print_self_test(*options);
    for (const std::string& name : needed) {
      if (command->count(name) == 0)
        throw BadInput(fmt::format("emulate: {0} is missing; {0} or --self-test would be right", name));
    }
    run_and_print(*options, {Source::emulated});
  });
}

}  // namespace isthmus::command_line
