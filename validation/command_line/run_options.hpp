// The options shared by all commands that run a plan on a platform.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "validation/harness/request.hpp"
#include "validation/text/tables.hpp"

namespace isthmus::command_line {

struct RunOptions {
  std::string platform;
  std::string what;     ///< COLLECTIVE[/ALGORITHM[:PARAMETERS]]
  std::string bytes;    ///< may be empty for a barrier
  std::string segment;  ///< empty: as the plan says
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
  EmulationOptions emulation;  ///< without the conditions: see emulation_of()
};

/// Reads a platform, and prints warnings_about() it on the standard error.
Network read_platform_with_warnings(const std::string& file);

/// Adds PLATFORM, --bytes, the other options of a problem, and those that place the ranks.
void add_problem_options(CLI::App& command, RunOptions& options);
/// The same, and COLLECTIVE[/ALGORITHM[:PARAMETERS]] and --segment.
void add_plan_options(CLI::App& command, RunOptions& options);
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
/// --format and --store.
void add_output_options(CLI::App& command, RunOptions& options);

/// Reads the platform and places the ranks: a request without points.
RunRequest placed(const RunOptions& options);
/// The problem of each size.
std::vector<Problem> problems_of(const RunOptions& options, Collective collective);
/// Reads the platform, places the ranks and completes the plans: every plan at every size; of `/all`, those that serve
/// the problem.
RunRequest request_of(const RunOptions& options);

}  // namespace isthmus::command_line
