// The ranks of a job on the emulated network.
#pragma once

#include "algorithms/mpi/job/job.hpp"
#include "emulator/agent/agent_context.hpp"

namespace isthmus {

/// Runs isthmus-worker in every rank's container, and reports the points as they are done. With a drop-in library
/// forwarders carry messages between hosts without a route. Throws Refused when a rank dies or time is up; the message
/// names the rank and its host if Open MPI does.
void run_ranks_of_job(const Job& job, const std::string& drop_in, const AgentContext& context,
                      const ConditionDriver& driver);

}  // namespace isthmus
