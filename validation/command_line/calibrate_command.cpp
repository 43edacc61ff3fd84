// isthmus calibrate: P-LogP parameters of a platform's classes of links, measured.
#include <fmt/format.h>

#include <memory>
#include <string_view>

#include "algorithms/errors.hpp"
#include "algorithms/json/json_text.hpp"
#include "algorithms/process/whole_file.hpp"
#include "algorithms/text/counted.hpp"
#include "algorithms/text/lines.hpp"
#include "algorithms/text/sizes.hpp"
#include "validation/command_line/commands.hpp"
#include "validation/command_line/options/choices.hpp"
#include "validation/command_line/options/output.hpp"
#include "validation/command_line/options/run_options.hpp"
#include "validation/command_line/options/timing.hpp"
#include "validation/studies/calibration.hpp"
#include "validation/text/tables.hpp"
#include "validation/text/text_table.hpp"
#include "validation/text/units.hpp"

namespace isthmus::command_line {
namespace {

struct CalibrateArguments {
  RunOptions run;
  std::string world = "smpi", output, format, from, smpi, smpi_class, most = "1Mi";
  int members = 3;
  double member_tolerance_percent = 5;
  bool fit = false, task = false;
};

/// The lines that isthmus-measure printed.
std::vector<MeasuredPair> pairs_from(const std::string& file) {
  constexpr const char* needed = "the lines that isthmus-measure printed would be right";
  const std::string text = read_whole_file(file, needed);
  std::vector<MeasuredPair> pairs;
  int number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    if (!line.starts_with('{')) continue;
    try {
      pairs.push_back(measured_pair_from_json(parse_json(line, "measured pair", needed)));
    } catch (const BadInput& error) {
      throw BadInput(fmt::format("{}:{}: {}", file, number, error.what()));
    }
  }
  return pairs;
}

std::string estimate_text(const Estimate& estimate) {
  return fmt::format("{} +-{}", format_milliseconds(estimate.seconds), format_milliseconds(estimate.half_width_s));
}

std::string table_of(const Calibration& calibration) {
  TextTable table({{"class", "", Align::left},
                   {"hosts", "", Align::left},
                   {"L", "ms"},
                   {"bytes", ""},
                   {"g", "ms"},
                   {"os", "ms"},
                   {"or", "ms"},
                   {"members off", "%"}});
  for (const auto& [routes, measured, apart] : calibration.classes) {
    const auto name = [&](int host) { return calibration.network.hosts[host].name; };
    std::string off;
    for (const double one : apart) off += fmt::format("{}{:.1f}", off.empty() ? "" : " ", 100 * one);
    const MeasuredSize* rows[] = {&measured.sizes.front(), &measured.sizes.back()};
    for (const MeasuredSize* size : rows) {
      const bool first = size == rows[0];
      table.add({first ? routes.name : "",
                 first ? name(routes.host_pairs[0].first) + " " + name(routes.host_pairs[0].second) : "",
                 first ? estimate_text(measured.latency) : "", format_bytes(size->bytes), estimate_text(size->gap),
                 estimate_text(size->send_overhead), estimate_text(size->receive_overhead), first ? off : ""});
    }
  }
  return table.text(look_of_output().colour, look_of_output().width);
}

/// A line for each class and size, in seconds; half_width_s is half of the 95 % interval.
std::string csv_of(const Calibration& calibration) {
  std::string text =
      "class,from,to,latency_s,latency_half_width_s,bytes,gap_s,gap_half_width_s,send_overhead_s,"
      "send_overhead_half_width_s,receive_overhead_s,receive_overhead_half_width_s\n";
  const auto numbers = [](const Estimate& of) { return fmt::format("{},{}", of.seconds, of.half_width_s); };
  for (const auto& [routes, measured, apart] : calibration.classes) {
    const auto name = [&](int host) { return csv_field(calibration.network.hosts[host].name); };
    for (const MeasuredSize& size : measured.sizes)
      text += fmt::format("{},{},{},{},{},{},{},{}\n", csv_field(routes.name), name(routes.host_pairs[0].first),
                          name(routes.host_pairs[0].second), numbers(measured.latency), size.bytes, numbers(size.gap),
                          numbers(size.send_overhead), numbers(size.receive_overhead));
  }
  return text;
}

void run_calibration(const CalibrateArguments& arguments) {
  const Format format = output_format(arguments.format, arguments.output);
  CalibrationRequest request;
  request.platform_file = arguments.run.platform;
  request.network = read_platform_with_warnings(arguments.run);
  request.world = source_named(arguments.world);
  request.members = arguments.members;
  request.member_tolerance = arguments.member_tolerance_percent / 100;
  request.fit = arguments.fit;
  request.settings.max_bytes = parse_size(arguments.most);
  request.settings.repetitions = arguments.run.repetitions;
  request.emulation = arguments.run.emulation;
  if (request.settings.max_bytes < 4 || request.settings.max_bytes > 1 << 30)
    throw BadInput(fmt::format("--max-bytes {}: from 4 to 1Gi would be right", arguments.most));

  if (arguments.task) {
    const CalibrationSetup setup = calibration_setup(request);
    for (const int host : setup.placement.host_of_rank) fmt::print("# {}\n", request.network.hosts[host].name);
    fmt::print("{}\n", to_json(setup.task).dump());
    return;
  }
  check_network_outputs({arguments.smpi, arguments.output}, arguments.run.platform);
  const auto measure = [&] {
    Progress progress = make_progress(arguments.run.quiet, 1);
    progress.begin(fmt::format("{}, {}", arguments.world, request.network.name));
    request.progress = [&](const std::string& detail) { progress.now(detail); };
    return calibrate(request);
  };
  const auto take = [&] {
    const CalibrationSetup setup = calibration_setup(request);
    const std::vector<MeasuredPair> pairs = pairs_from(arguments.from);
    if (pairs.size() != setup.task.pairs.size())
      throw BadInput(fmt::format("{}: {} of ranks; {}, as isthmus-measure prints them for {}, would be right",
                                 arguments.from, counted(pairs.size(), "pair"), setup.task.pairs.size(),
                                 arguments.run.platform));
    return calibration_from(request, setup, pairs);
  };
  const Calibration calibration = arguments.from.empty() ? measure() : take();
  const std::string text = to_json(calibration).dump(1, ' ', true, nlohmann::json::error_handler_t::replace) + "\n";
  if (!arguments.smpi.empty()) {
    const std::string& of_class =
        arguments.smpi_class.empty() ? calibration.classes.front().routes.name : arguments.smpi_class;
    write_whole_file(arguments.smpi, smpi_config(request, calibration, of_class));
  }
  if (!arguments.output.empty()) write_whole_file(arguments.output, text);
  fmt::print("{}", format == Format::table ? table_of(calibration)
                   : format == Format::csv ? csv_of(calibration)
                                           : text);
}

}  // namespace

void add_calibrate(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "calibrate", "measures P-LogP parameters of a platform's classes of links, and gives the network as JSON");
  auto arguments = std::make_shared<CalibrateArguments>();
  RunOptions& run = arguments->run;
  run.repetitions = MeasuringTask{}.repetitions;
  add_platform_option(*command, run);
  command->add_option("--source,--in", arguments->world, "where to measure: smpi or emulated")
      ->capture_default_str()
      ->check(one_of({"smpi", "emulated"}));
  command->add_option("-o,--output", arguments->output, "file for the network; default: standard output");
  add_output_format(*command, arguments->format, "csv, a line for each class and size");
  command->add_option("--max-bytes,--most", arguments->most, "the largest size measured")->capture_default_str();
  command->add_option("--repetitions", run.repetitions, "repetitions of each measurement, at most")
      ->capture_default_str()
      ->check(CLI::Range(3, 10000));
  command->add_option("--members", arguments->members, "pairs of hosts that are measured in each class")
      ->capture_default_str()
      ->check(CLI::Range(1, 100));
  command->add_option("--member-tolerance", arguments->member_tolerance_percent, "how far they may differ, in percent")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command->add_flag("--fit", arguments->fit,
                    "also fit the innermost class from the flat barrier and the unsegmented chain broadcast");
  CLI::Option* smpi =
      command->add_option("--smpi", arguments->smpi, "file for the <config> settings that make SMPI match");
  command->add_option("--smpi-class", arguments->smpi_class, "the class that they match; default: the innermost")
      ->needs(smpi);
  command->add_flag("--task", arguments->task,
                    "print the hosts and the task for `mpirun ... isthmus-measure TASK` on your own machines");
  command->add_option("--from", arguments->from, "instead of measuring: file with what isthmus-measure printed");
  add_substrate_options(*command, run.emulation);
  add_timeout_option(*command, run.emulation);
  add_quiet_option(*command, run);
  command->callback([arguments, command] {
    if (arguments->world != "emulated") refuse_emulation_options(*command);
    run_calibration(*arguments);
  });
}

}  // namespace isthmus::command_line
