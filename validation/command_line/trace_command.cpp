// isthmus trace: writes one schedule to a file, as a timeline, a tree, GOAL or JSON.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "algorithms/errors.hpp"
#include "algorithms/process/whole_file.hpp"
#include "algorithms/replay/forwarded.hpp"
#include "algorithms/replay/replay.hpp"
#include "algorithms/schedule/export_chrome_trace.hpp"
#include "algorithms/schedule/export_goal.hpp"
#include "algorithms/schedule/export_graphviz.hpp"
#include "algorithms/schedule/export_json.hpp"
#include "validation/command_line/commands.hpp"
#include "validation/command_line/options/choices.hpp"
#include "validation/command_line/options/output.hpp"
#include "validation/command_line/options/run_options.hpp"

namespace isthmus::command_line {
namespace {

/// The kind of output that the ending of the file name stands for.
std::string kind_of(const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension();
  if (ending == ".json") return "timeline";
  if (ending == ".dot" || ending == ".gv") return "tree";
  if (ending == ".goal") return "goal";
  throw BadInput(
      fmt::format("-o {}: unknown ending; .json (timeline), .dot (tree) or .goal, or --as timeline, tree, goal or "
                  "schedule, would be right",
                  file));
}

std::string traced(const std::string& kind, const RunRequest& request) {
  const RequestedPoint& point = request.points.front();
  const Topology& topology = request.placed.topology();
  const ProgramSource programs = source(point.plan, topology, point.problem);
  const Schedule schedule = materialise(request.placed.size(), programs);
  if (kind == "tree") return export_graphviz_ranks(schedule, point.problem.element_bytes);
  if (kind == "goal")
    return export_goal(schedule, {.element_bytes = point.problem.element_bytes,
                                  .reduce_s_per_byte = request.placed.network().transport.reduction_s_per_byte});
  if (kind == "schedule") return export_json(schedule);
  const Carried all = carried(request.placed, point.problem.element_bytes, programs);
  const Replay timed = replay(all.placed, point.problem.element_bytes, all.programs, true);
  return export_chrome_trace(materialise(all.placed.size(), all.programs), timed.timeline, point.problem.element_bytes);
}

}  // namespace

void add_trace(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("trace", "a schedule's timeline (for Perfetto), tree (Graphviz), GOAL or operations");
  struct Options : RunOptions {
    std::string file, kind;
  };
  auto options = std::make_shared<Options>();
  add_plan_options(*command, *options);
  command
      ->add_option("-o,--output", options->file,
                   ".json: timeline, .dot: tree, .goal: GOAL; with --as also -, the standard output")
      ->required();
  command->add_option("--as", options->kind, "timeline, tree, goal or schedule; overrides the ending")
      ->check(one_of({"timeline", "tree", "goal", "schedule"}));
  command->callback([options] {
    const std::string kind = options->kind.empty() ? kind_of(options->file) : options->kind;
    const bool prints = options->file == "-";
    if (!prints) check_outputs({options->file}, {options->platform, options->topology});
    const RunRequest request = request_of(*options);
    if (request.points.size() != 1)
      throw BadInput(
          fmt::format("{} schedules; one COLLECTIVE/ALGORITHM and one size would be right", request.points.size()));
    const std::string text = traced(kind, request);
    if (prints)
      fmt::print("{}", text);
    else
      write_whole_file(options->file, text);
  });
}

}  // namespace isthmus::command_line
