// The options shared by all commands that run a plan on a platform.
#pragma once

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "validation/harness/request.hpp"
#include "validation/text/tables.hpp"

namespace isthmus::command_line {

struct RunOptions {
  std::string platform;
  std::vector<std::string> set_links;  ///< changes of links, as `w12.bandwidth=x2`
  std::vector<std::string> whats;      ///< COLLECTIVE[/ALGORITHM[:PARAMETERS]]; further platforms before them
  std::string bytes;                   ///< may be empty for a barrier
  std::string segment;                 ///< empty: as the plan says
  std::string placement = "block";
  std::string topology;  ///< a file, or empty: the zones of the platform
  std::string format = "table";
  std::string store;
  std::string queueing = "fifo";
  std::string conditions;  ///< a file, or empty
  int ranks_per_host = 1;
  int ranks = 0;
  int root = 0;
  int repetitions = 1;
  double confidence = 0;  ///< see Job
  int warm_up = 1;
  std::int64_t element_bytes = 1;
  bool non_commutative = false;
  bool quiet = false;          ///< without progress
  EmulationOptions emulation;  ///< without the conditions: see emulation_of()
};

/// Reads the platform with its links changed by --set, and prints warnings_about() it on the standard error.
Network read_platform_with_warnings(const RunOptions& options);

void add_set_option(CLI::App& command, RunOptions& options);
/// PLATFORM and --set.
CLI::Option* add_platform_option(CLI::App& command, RunOptions& options);
/// Adds PLATFORM, --set, --bytes, the other options of a problem, and those that place the ranks.
void add_problem_options(CLI::App& command, RunOptions& options);
/// The same, and COLLECTIVE[/ALGORITHM[:PARAMETERS]], one or more, and --segment.
void add_plan_options(CLI::App& command, RunOptions& options);
/// The same with COLLECTIVE, one or more.
void add_collective_options(CLI::App& command, RunOptions& options);
/// --ranks-per-host, --ranks, --placement.
void add_placement_options(CLI::App& command, RunOptions& options);
/// The host of each rank, by these options. Throws BadInput.
Placement placement_of(const RunOptions& options, const Network& network);
/// The help text of --substrate.
std::string substrates_help();
/// --substrate and --tolerance.
void add_substrate_options(CLI::App& command, EmulationOptions& options);
/// --rootfs and --force.
void add_room_options(CLI::App& command, EmulationOptions& options);
/// --timeout, for commands that have one anyway.
void add_timeout_option(CLI::App& command, EmulationOptions& options);
/// --conditions.
void add_conditions_option(CLI::App& command, RunOptions& options);
/// The emulation that is asked for, with the file of conditions read.
EmulationOptions emulation_of(const RunOptions& options);
/// --repetitions and --confidence-interval.
void add_repetition_options(CLI::App& command, RunOptions& options);
/// A source named by --source: `model` is the replay. Throws BadInput with the names there are.
Source measuring_source(const std::string& name);
/// --quiet.
void add_quiet_option(CLI::App& command, RunOptions& options);
/// --format of a command that makes a network: a table, csv or the network as JSON.
void add_output_format(CLI::App& command, std::string& format, const std::string& csv);
/// The format that was asked for; without one a table if the network goes to a file, else JSON. Throws BadInput.
Format output_format(const std::string& format, const std::string& output);

/// --format, --store and --quiet.
void add_output_options(CLI::App& command, RunOptions& options);

/// Throws BadInput for those of the options that were given, since they have an effect only with `what`.
void refuse_without(const CLI::App& command, std::initializer_list<const char*> options, std::string_view what);
/// The same for --substrate, --tolerance, --rootfs, --force where nothing is emulated.
void refuse_emulation_options(const CLI::App& command);

/// The options for each of the platforms: PLATFORM and those that stand before the first WHAT.
std::vector<RunOptions> by_platform(const RunOptions& options);
/// Reads the platform and places the ranks: a request without points.
RunRequest placed(const RunOptions& options);
/// The collectives asked for, each once. Throws BadInput for what names an algorithm; `command` is for that error.
std::vector<Collective> collectives_of(const RunOptions& options, const std::string& command);
/// What the command line asks for, each plan once, with its --segment.
std::vector<PlanRequest> plans_of(const RunOptions& options);
/// The problem of each size.
std::vector<Problem> problems_of(const RunOptions& options, Collective collective);
/// Reads the platform, places the ranks and completes the plans: every plan at every size; of `/all`, those that serve
/// the problem.
RunRequest request_of(const RunOptions& options);
RunRequest request_of(const RunOptions& options, std::span<const PlanRequest> plans);

}  // namespace isthmus::command_line
