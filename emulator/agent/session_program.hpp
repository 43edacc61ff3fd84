// Runs any program on the emulated network, with its input, its output and its signals.
#pragma once

#include "emulator/agent/agent_context.hpp"
#include "emulator/protocol/session_program.hpp"

namespace isthmus {

/// Runs the program to its end, and reports its output and exit status. Throws Refused when time is up.
void run_session_program(const SessionProgram& program, const AgentContext& context, const ConditionDriver& driver);

}  // namespace isthmus
