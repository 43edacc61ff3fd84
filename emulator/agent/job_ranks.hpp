// The ranks of a job on the emulated network.
#pragma once

#include "algorithms/mpi/job/job.hpp"
#include "emulator/agent/agent_context.hpp"

namespace isthmus {

/// Runs isthmus-worker in every rank's container, and tells the points as they are done. Throws Refused, naming the
/// rank and its host where Open MPI does, when a rank dies or time is up.
void run_ranks_of_job(const Job& job, const AgentContext& context, const ConditionDriver& driver);

}  // namespace isthmus
