// What runs on an emulated network finds around itself.
#pragma once

#include <string>
#include <vector>

#include "emulator/container.hpp"
#include "emulator/messages.hpp"
#include "emulator/plan.hpp"
#include "emulator/settings.hpp"
#include "emulator/weather.hpp"

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
