// What runs on an emulated network finds around itself.
#pragma once

#include <string>
#include <vector>

#include "emulator/agent/containers/container.hpp"
#include "emulator/agent/links/condition_driver.hpp"
#include "emulator/plan/plan.hpp"
#include "emulator/protocol/messages.hpp"
#include "emulator/protocol/settings.hpp"

namespace isthmus {

struct Surroundings {
  const EmulationPlan& plan;
  const std::vector<RunningContainer>& containers;
  const EmulationSettings& settings;
  const Network& network;
  MessageSender& outside;
};

/// The message, and which links are cut where that may be the reason.
inline std::string with_cut_links(const std::string& message, const Weather& weather) {
  const std::string cut = weather.cut_now();
  return cut.empty() ? message : message + "; " + cut;
}

}  // namespace isthmus
