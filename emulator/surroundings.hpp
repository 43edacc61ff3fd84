// What runs on an emulated network finds around itself.
#pragma once

#include <vector>

#include "emulator/container.hpp"
#include "emulator/messages.hpp"
#include "emulator/plan.hpp"
#include "emulator/settings.hpp"

namespace isthmus {

struct Surroundings {
  const EmulationPlan& plan;
  const std::vector<RunningContainer>& containers;
  const EmulationSettings& settings;
  const Transport& transport;
  MessageSender& outside;
};

}  // namespace isthmus
