// isthmus compare: the automatic choice, the MPI's own collective, other plans and the bound in one table with ratios.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/collective/mpi_own.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/text/near_matches.hpp"
#include "validation/command_line/commands.hpp"
#include "validation/command_line/options/output.hpp"
#include "validation/command_line/options/run_options.hpp"
#include "validation/command_line/options/timing.hpp"
#include "validation/text/plan_comparison.hpp"

namespace isthmus::command_line {
namespace {

/// A collective alone stands for the automatic choice and the MPI's own.
std::vector<std::string> with_rivals(const std::vector<std::string>& whats) {
  std::vector<std::string> all;
  for (const std::string& what : whats) {
    if (what.find('/') != std::string::npos) {
      all.push_back(what);
      continue;
    }
    const std::string_view collective = name(collective_named(what));
    all.push_back(fmt::format("{}/auto", collective));
    all.push_back(fmt::format("{}/{}", collective, mpi_own(collective_named(what)).id));
  }
  return all;
}

/// The plan named by --baseline; else the MPI's own; else the last one.
std::string baseline_of(const std::string& asked, const std::vector<PlanRequest>& plans) {
  std::vector<std::string> names;
  for (const PlanRequest& plan : plans)
    if (std::ranges::find(names, plan.text) == names.end()) names.push_back(plan.text);
  if (asked.empty()) {
    const auto own =
        std::ranges::find_if(plans, [](const PlanRequest& plan) { return !plan.automatic && is_mpi_own(plan.plan); });
    return own == plans.end() ? names.back() : own->text;
  }
  const std::string plain = asked.substr(asked.find('/') == std::string::npos ? 0 : asked.find('/') + 1);
  if (std::ranges::find(names, plain) != names.end()) return plain;
  const std::vector<std::string_view> views(names.begin(), names.end());
  throw BadInput(fmt::format("--baseline {}: none of the plans compared{}", asked, near_matches(plain, views)));
}

}  // namespace

void add_compare(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "compare", "the automatic choice, the MPI's own collective and the lower bound in one table, with ratios");
  struct Options : RunOptions {
    std::vector<std::string> sources{"emulated"};
    std::string baseline;
  };
  auto options = std::make_shared<Options>();
  constexpr int enough_for_an_interval = few_repetitions;
  options->repetitions = enough_for_an_interval;
  add_plan_options(*command, *options);
  command->get_option("WHAT")->description(
      "one or more COLLECTIVE (the automatic choice and the MPI's own) or COLLECTIVE/ALGORITHM[:PARAMETERS], e.g. "
      "allreduce allreduce/mpi:selector=han; further platform files may stand before them");
  command->add_option("--source", options->sources, "emulated, smpi or model (the replay)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
  command->add_option("--baseline", options->baseline,
                      "the plan that speed-ups are over, e.g. mpi or ring; default: the MPI's own, else the last plan");
  add_repetition_options(*command, *options);
  add_substrate_options(*command, options->emulation);
  add_conditions_option(*command, *options);
  add_room_options(*command, options->emulation);
  add_timeout_option(*command, options->emulation);
  add_output_options(*command, *options);
  command->callback([options, command] {
    const Format format = format_named(options->format, true);
    std::vector<Source> sources;
    for (const std::string& source : options->sources) sources.push_back(measuring_source(source));
    const bool emulates = std::ranges::find(sources, Source::emulated) != sources.end();
    if (!emulates) refuse_emulation_options(*command);
    const bool varies = emulates || !options->conditions.empty();
    if (!varies && command->count("--repetitions") == 0 && options->confidence == 0) options->repetitions = 1;
    std::vector<RunRequest> requests;
    std::string baseline;
    for (RunOptions& one : by_platform(*options)) {
      one.whats = with_rivals(one.whats);
      const std::vector<PlanRequest> plans = plans_of(one);
      baseline = baseline_of(options->baseline, plans);
      requests.push_back(request_of(one, plans));
      if (requests.back().points.empty())
        throw BadInput(fmt::format("no algorithm of {} serves this", fmt::join(one.whats, ", ")));
    }
    const Timings timings = time_plans(requests, sources, *options, true);
    fmt::print("{}", format == Format::table ? plan_comparison(timings.records, baseline, look_of_output())
                                             : format_records(timings.records, format, look_of_output()));
    print_notes(timings.notes);
  });
}

}  // namespace isthmus::command_line
