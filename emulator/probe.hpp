// Measuring what the emulated links really give.
#pragma once

#include "emulator/container.hpp"
#include "emulator/emulate.hpp"
#include "emulator/plan.hpp"

namespace isthmus {

/// One-way latency by a datagram to and fro, less the time that its own frame takes on the links; payload rate by two
/// transfers over TCP of different sizes. Throws Refused when nothing comes through.
Achieved probe(const ProbePair& pair, const EmulationPlan& plan, const std::vector<RunningContainer>& containers);

}  // namespace isthmus
