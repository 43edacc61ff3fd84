// What the agent passes to the code that runs programs on an emulated network.
#pragma once

#include <string>
#include <vector>

#include "emulator/agent/containers/container.hpp"
#include "emulator/agent/links/condition_driver.hpp"
#include "emulator/plan/plan.hpp"
#include "emulator/protocol/messages.hpp"
#include "emulator/protocol/settings.hpp"

namespace isthmus {

struct AgentContext {
  const EmulationPlan& plan;
  const std::vector<RunningContainer>& containers;
  const EmulationSettings& settings;
  const Network& network;
  MessageSender& events;
};

/// The message, followed by the links that are cut at the moment, if any.
inline std::string with_cut_links(const std::string& message, const ConditionDriver& driver) {
  const std::string cut = driver.cut_now();
  return cut.empty() ? message : message + "; " + cut;
}

}  // namespace isthmus
