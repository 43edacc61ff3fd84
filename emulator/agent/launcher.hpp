// Starting an MPI program in the containers with its MPI's own mpirun, and watching it.
#pragma once

#include <cstdint>
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
  std::vector<std::pair<std::string, std::string>> parameters;   ///< MCA, for Open MPI
  std::vector<std::pair<std::string, std::string>> environment;  ///< of the ranks
  StartOptions start = {};
  int input = -1;     ///< a descriptor, the standard input; -1: none
  int terminal = -1;  ///< one end of a terminal, in place of output and errors; `input` is then its other end
  /// Takes what comes from the standard output and, with `errors`, from the standard error.
  std::function<void(bool errors, std::string_view bytes)> output;
  /// Called again and again with the process started; what it throws ends the run.
  std::function<void(pid_t process)> watch;
  int watch_every_ms = 200;
};

/// Runs `program` with one rank in each of the plan's containers of ranks, to its end; returns mpirun's wait status.
int launch(const EmulationPlan& plan, const std::vector<RunningContainer>& containers,
           const std::vector<std::string>& program, LaunchOptions options);

/// Runs `program` once, in one container.
int launch_in(const RunningContainer& container, const std::vector<std::string>& program, const LaunchOptions& options);

/// What the ranks are doing: names those that are stopped or busy, and how many wait.
std::string states_of_ranks(const EmulationPlan& plan);

/// Why mpirun failed, in one line, from what it and the ranks wrote.
std::string reason_of_failure(const std::string& output, const std::string& how_it_ended,
                              const std::vector<std::string>& host_of_rank);

}  // namespace isthmus
