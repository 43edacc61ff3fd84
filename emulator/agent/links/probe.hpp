// Measures what the emulated links really achieve.
#pragma once

#include "emulator/agent/containers/container.hpp"
#include "emulator/plan/plan.hpp"
#include "emulator/protocol/agent_report.hpp"

namespace isthmus {

/// One-way latency in seconds: half the round trip of a datagram, without the time to serialise its own frames. Throws
/// Refused when nothing comes through.
double probe_latency_s(const ProbePair& pair, const EmulationPlan& plan,
                       const std::vector<RunningContainer>& containers);

/// Latency as above; payload rate from two TCP transfers of different sizes. Throws Refused when nothing comes through.
Achieved probe(const ProbePair& pair, const EmulationPlan& plan, const std::vector<RunningContainer>& containers);

}  // namespace isthmus
