// The common main function of programs whose ranks measure something under SMPI.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>

#include "algorithms/mpi/job/run_job.hpp"

namespace isthmus {

/// The work of every rank between MPI_Init and MPI_Finalize.
using RankTask = std::function<void(const RankEnvironment& environment)>;

/// `program PLATFORM.xml`: reads a request from the standard input (a network, a placement, and the input of
/// `prepare`), and runs the RankTask that `prepare` returns on all ranks. A bad request: one line on the standard
/// error, exit status 2; a simulation that fails: 1. Does not return.
[[noreturn]] void measuring_main(int argc, char** argv, const char* program,
                                 const std::function<RankTask(const nlohmann::json& request)>& prepare);

}  // namespace isthmus
