// Starts an MPI program in the containers with the mpirun of its MPI, and watches it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/agent/containers/container.hpp"
#include "emulator/plan/plan.hpp"
#include "emulator/protocol/session_program.hpp"

namespace isthmus {

struct LaunchOptions {
  MpiKind mpi = MpiKind::openmpi;
  std::string mpirun;                                            ///< path of the program
  std::vector<std::pair<std::string, std::string>> parameters;   ///< MCA parameters of Open MPI
  std::vector<std::pair<std::string, std::string>> environment;  ///< of the ranks
  StartOptions start = {};
  int input = -1;     ///< descriptor of the standard input; -1: none
  int terminal = -1;  ///< master end of a terminal that replaces output and errors; `input` is then its other end
  /// Called with bytes from the standard output or, if `errors`, from the standard error.
  std::function<void(bool errors, std::string_view bytes)> output;
  /// Called at least every `watch_every_ms` with the started process; an exception from it ends the run.
  std::function<void(pid_t process)> watch;
  int watch_every_ms = 200;
};

/// Runs `program` to its end, each rank of the plan in its container; returns mpirun's wait status.
int launch(const EmulationPlan& plan, const std::vector<RunningContainer>& containers,
           const std::vector<std::string>& program, LaunchOptions options);

/// Runs `program` once, in one container.
int launch_in(const RunningContainer& container, const std::vector<std::string>& program, const LaunchOptions& options);

/// States of the ranks: names up to four that are stopped, busy or ended, and counts those that wait.
std::string states_of_ranks(const EmulationPlan& plan);

/// Why mpirun failed, in one line, found in its output and that of the ranks.
std::string reason_of_failure(const std::string& output, const std::string& how_it_ended,
                              const std::vector<std::string>& host_of_rank);

}  // namespace isthmus
