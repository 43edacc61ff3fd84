// Starting an MPI program in the containers with Open MPI's mpirun, and watching it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "emulator/container.hpp"
#include "emulator/plan.hpp"

namespace isthmus {

struct LaunchOptions {
  std::string mpirun;                                            ///< path of the program
  std::vector<std::pair<std::string, std::string>> parameters;   ///< MCA
  std::vector<std::pair<std::string, std::string>> environment;  ///< of the ranks
  /// Called about five times a second; what it throws ends the run.
  std::function<void()> watch;
};

/// Runs `program` with one rank in each of the plan's containers of ranks, to its end. Throws Refused, naming the rank
/// and its host where Open MPI does, when a rank dies or the start fails.
void launch(const EmulationPlan& plan, const std::vector<RunningContainer>& containers,
            const std::vector<std::string>& program, const LaunchOptions& options);

/// What the ranks are doing: names those that are stopped or busy, and how many wait.
std::string states_of_ranks(const EmulationPlan& plan);

/// Why mpirun failed, in one line, from what it and the ranks wrote.
std::string reason_of_failure(const std::string& output, const std::string& how_it_ended,
                              const std::vector<std::string>& host_of_rank);

}  // namespace isthmus
