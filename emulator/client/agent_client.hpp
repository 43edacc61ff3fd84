// The client of the agent: starts it and reads what it reports.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>

#include "algorithms/process/child.hpp"
#include "emulator/client/emulate.hpp"
#include "emulator/substrates/substrate.hpp"

namespace isthmus {

struct AgentLaunch {
  Substrate substrate;
  EmulationSettings settings;
  std::string program;  ///< isthmus-emulator
  std::vector<std::pair<std::string, std::string>> provenance;
  std::int64_t memory_MiB = 1024;  ///< of a kernel of its own, taken from this machine only as it is used
};

/// Chooses the substrate, sees that it can carry the network and that this machine has room for it, and finds the
/// programs that an emulation needs. `data_MiB`: of the ranks together, as far as it is known. Throws BadInput as
/// plan_emulation() does and for a rootfs that is no folder, Refused where there is no room, Missing.
AgentLaunch prepare_agent(const Network& network, const Placement& placement, const EmulationOptions& options,
                          std::int64_t data_MiB);

/// Runs `work` in the agent to its end. `on_event` takes the events that belong to this kind of work alone.
/// Throws as emulate() does.
AgentReport run_agent(const AgentLaunch& launch, const nlohmann::json& work, const EmulationOptions& options,
                      const std::function<void(const nlohmann::json& event, const AgentReport& so_far)>& on_event,
                      ChildOptions supervision = {});

}  // namespace isthmus
