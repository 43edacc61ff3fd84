// The client of the agent: starts it and reads what it reports.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>

#include "algorithms/process/child.hpp"
#include "emulator/client/emulate.hpp"
#include "emulator/protocol/settings.hpp"

namespace isthmus {

struct AgentLaunch {
  EmulationSettings settings;
  std::string program;  ///< isthmus-emulator
  std::vector<std::pair<std::string, std::string>> provenance;
  std::int64_t memory_MiB = 1024;  ///< of the substrate's own kernel; this machine gives it only as it is used
};

/// Chooses the substrate, lays out the plan for it, checks that this machine has room for it, and finds the programs
/// that an emulation needs. `data_MiB`: of all ranks together, as far as known. Throws BadInput as plan_emulation()
/// does and for a rootfs that is no folder, Refused when there is no room, Missing when a program or substrate is.
AgentLaunch prepare_agent(const Network& network, const Placement& placement, const EmulationOptions& options,
                          std::int64_t data_MiB);

/// The path of a drop-in library, whose folder the hosts then see. Throws Missing.
std::string show_drop_in(EmulationSettings& settings, const std::string& library);

struct AgentEvents {
  OnProgress progress = {};
  /// Takes the events that only this kind of work has.
  std::function<void(const nlohmann::json& event, const AgentReport& so_far)> of_work = {};
};

/// Runs `work` (see AgentRequest) in the agent to its end. Throws as emulate() does.
AgentReport run_agent(const AgentLaunch& launch, const nlohmann::json& work, const AgentEvents& events,
                      ChildOptions supervision = {});

}  // namespace isthmus
