// isthmus discover: the network between the hosts that ranks run on, found by measuring.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "algorithms/collective/algorithm.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/network/network_json.hpp"
#include "algorithms/process/whole_file.hpp"
#include "algorithms/text/sizes.hpp"
#include "validation/command_line/commands.hpp"
#include "validation/command_line/options/choices.hpp"
#include "validation/command_line/options/output.hpp"
#include "validation/command_line/options/run_options.hpp"
#include "validation/command_line/options/timing.hpp"
#include "validation/report/residual_picture.hpp"
#include "validation/report/standalone.hpp"
#include "validation/studies/discovery.hpp"
#include "validation/text/describe.hpp"
#include "validation/text/discovery_text.hpp"

namespace isthmus::command_line {
namespace {

struct DiscoverArguments {
  RunOptions run;
  DiscoverySettings settings;
  std::string world = "smpi", output, picture, format, most = "1Mi";
  bool here = false, verbose = false;
};

Discovered found(const DiscoverArguments& arguments, const std::vector<std::string>& launcher) {
  const RunOptions& run = arguments.run;
  if (arguments.here) {
    if (!run.conditions.empty()) throw BadInput("discover: both --here and --conditions; one of them would be right");
    if (!run.platform.empty()) throw BadInput("discover: both PLATFORM and --here; one of them would be right");
    return discover_here(launcher.empty() ? std::vector<std::string>{"mpirun"} : launcher, arguments.settings,
                         run.emulation.timeout_s);
  }
  if (run.platform.empty()) throw BadInput("discover: no PLATFORM; one, or --here for real machines, would be right");
  if (!launcher.empty()) throw BadInput("discover: a command after `--` starts ranks; with --here it would be right");
  Network platform = read_platform_with_warnings(run);
  Placement placement = placement_of(run, platform);
  DiscoveryRequest request{.platform_file = run.platform, .placed = {std::move(platform), std::move(placement)}};
  request.world = source_named(arguments.world);
  request.settings = arguments.settings;
  if (request.world != Source::emulated && !run.conditions.empty())
    throw BadInput("discover: --conditions are of the emulated network; --in emulated would be right");
  request.emulation = emulation_of(run);
  Progress progress = make_progress(run.quiet || arguments.verbose, 1);
  progress.begin(fmt::format("{}, {}", arguments.world, request.placed.network().name));
  request.progress = [&](const std::string& detail) { progress.now(detail); };
  if (arguments.verbose) request.progress = print_error_line;
  Discovered discovered = discover(request);
  discovered.network.name = request.placed.network().name + "-discovered";
  return discovered;
}

void run_discovery(DiscoverArguments arguments, const std::vector<std::string>& launcher) {
  arguments.settings.long_bytes = parse_size(arguments.most);
  if (arguments.settings.long_bytes < 1024 || arguments.settings.long_bytes > 1 << 30)
    throw BadInput(fmt::format("--max-bytes {}: from 1Ki to 1Gi would be right", arguments.most));
  const Format format = output_format(arguments.format, arguments.output);
  require_svg("--picture", arguments.picture);
  check_network_outputs({arguments.picture, arguments.output}, arguments.run.platform);
  Discovered discovered = found(arguments, launcher);
  if (!arguments.picture.empty()) write_whole_file(arguments.picture, standalone_svg(draw_discovery(discovered)));
  if (!arguments.output.empty()) {
    discovered.network.name = std::filesystem::path(arguments.output).stem().string();
    write_whole_file(arguments.output, to_json(discovered).dump(1) + "\n");
  }
  switch (format) {
    case Format::csv:
      fmt::print("{}", discovery_csv(discovered));
      break;
    case Format::table:
      print_network(discovered.network);
      fmt::print("{}", discovery_table(discovered, look_of_output()));
      print_notes(discovered.notes);
      break;
    default:
      fmt::print("{}\n", to_json(discovered).dump(1));
  }
}

/// How groups are found.
void add_group_options(CLI::App& command, const std::shared_ptr<DiscoverArguments>& arguments) {
  command.add_option("--alike", arguments->settings.alike, "a group is nearer than what is around it by this factor")
      ->capture_default_str()
      ->check(CLI::Range(1.0, 1000.0));
  command.add_option_function<std::string>(
      "--rule", [arguments](const std::string& rule) { set_rule(arguments->settings, rule); },
      "how groups are found: levels (--alike), or eco[:THRESHOLD], one level of subnets by the 20 % rule of Lowekamp "
      "1995; default: levels");
}

/// How, and how much, is measured.
void add_measuring_options(CLI::App& command, DiscoverArguments& arguments) {
  DiscoverySettings& settings = arguments.settings;
  command
      .add_option("--in-full", settings.max_in_full,
                  "up to this number of hosts every pair is measured; beyond it a sample of pairs")
      ->capture_default_str()
      ->check(CLI::Range(2, 1000000));
  command.add_option("--repetitions", settings.repetitions, "repetitions of an empty round trip; the quickest counts")
      ->capture_default_str()
      ->check(CLI::Range(1, 10000));
  command.add_option("--max-bytes,--most", arguments.most, "the longest message, for bandwidth")->capture_default_str();
  command.add_flag("--rounds", settings.in_rounds, "disjoint pairs measure at the same time; else one after the other");
  command.add_flag("!--no-datagrams", settings.datagrams,
                   "measure with messages alone, not with trains of datagrams between distant hosts");
  command.add_flag("!--no-load", settings.under_load,
                   "do not measure several pairs at once, for links that they share");
  command
      .add_option("--answer", settings.answer_s,
                  "seconds within which every rank must answer, not with smpi; default: any time")
      ->check(CLI::Range(0.0, 1e6));
  command.add_option("--budget", settings.budget_s, "seconds for all measurements; default: any time")
      ->check(CLI::Range(0.0, 1e9));
  command.add_flag("--without-silent", settings.without_silent,
                   "leave out hosts that do not answer; else the command fails and names them");
  command.add_flag("--common-clock", settings.common_clock,
                   "with --here: all hosts read one clock, which tells the latencies of both directions apart");
}

}  // namespace

void add_discover(CLI::App& program, const std::vector<std::string>& words) {
  CLI::App* command = program.add_subcommand(
      "discover",
      "finds groups of hosts and the links between them by measuring, and gives the network as JSON: "
      "isthmus discover PLATFORM, or --here [-- mpirun --hostfile FILE]");
  auto arguments = std::make_shared<DiscoverArguments>();
  RunOptions& run = arguments->run;
  add_platform_option(*command, run)->required(false);
  command->add_flag("--here", arguments->here,
                    "measure on real machines: the command after `--` starts the ranks; default: mpirun");
  command->add_option("--source,--in", arguments->world, "where to measure the platform: smpi or emulated")
      ->capture_default_str()
      ->check(one_of({"smpi", "emulated"}));
  add_placement_options(*command, run);
  command->add_option("-o,--output", arguments->output, "file for the network; default: standard output");
  add_output_format(*command, arguments->format,
                    "csv, a line for each route, and for each test of several streams at once");
  command->add_option("--picture", arguments->picture,
                      "file for a picture of the network, and of how far it is from what was measured (SVG)");
  add_group_options(*command, arguments);
  add_measuring_options(*command, *arguments);
  add_substrate_options(*command, run.emulation);
  add_conditions_option(*command, run);
  add_timeout_option(*command, run.emulation);
  add_quiet_option(*command, run);
  command->add_flag("--verbose", arguments->verbose, "print progress on the standard error");
  command->callback([arguments, words, command] {
    if (!arguments->here) refuse_without(*command, {"--common-clock"}, "--here");
    if (arguments->world != "emulated") refuse_emulation_options(*command);
    run_discovery(*arguments, words);
  });
}

}  // namespace isthmus::command_line
