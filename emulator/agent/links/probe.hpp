// Measuring what the emulated links really give.
#pragma once

#include "emulator/agent/containers/container.hpp"
#include "emulator/plan/plan.hpp"
#include "emulator/protocol/agent_report.hpp"

namespace isthmus {

/// One-way latency by a datagram to and fro, less the time that its own frame takes on the links, in seconds. Throws
/// Refused when nothing comes through.
double probe_latency_s(const ProbePair& pair, const EmulationPlan& plan,
                       const std::vector<RunningContainer>& containers);

/// Latency as above; payload rate by two transfers over TCP of different sizes. Throws Refused when nothing comes
/// through.
Achieved probe(const ProbePair& pair, const EmulationPlan& plan, const std::vector<RunningContainer>& containers);

}  // namespace isthmus
