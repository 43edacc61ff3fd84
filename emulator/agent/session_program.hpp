// Any program on the emulated network, with its input, its output and the signals that it gets.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "algorithms/network/network.hpp"
#include "emulator/agent/agent_context.hpp"
#include "emulator/agent/launcher.hpp"

namespace isthmus {

struct SessionProgram {
  Network network;
  Placement placement;
  std::vector<std::string> argv;
  std::string folder;   ///< to start in
  std::string host;     ///< empty: in every rank
  std::string drop_in;  ///< a library to load before the MPI, or empty
  std::string preload;  ///< what else the user has loaded before, or empty
  std::string capture;  ///< a link, or empty
  MpiKind mpi = MpiKind::openmpi;
  bool terminal = false;      ///< it talks to a person
  int rows = 0, columns = 0;  ///< of the terminal
};

SessionProgram session_program_from_json(const nlohmann::json& json);

/// Runs the program to its end, and tells its output and how it ended. Throws Refused when time is up.
void run_session_program(const SessionProgram& program, const AgentContext& context, const ConditionDriver& driver);

}  // namespace isthmus
