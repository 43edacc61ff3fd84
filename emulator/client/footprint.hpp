// The resources that an emulation needs on this machine.
#pragma once

#include <cstdint>

#include "emulator/plan/plan.hpp"
#include "emulator/substrates/substrate.hpp"

namespace isthmus {

struct Footprint {
  std::int64_t memory_MiB = 0;
  int processes = 0;
  double start_up_s = 0;  ///< on an idle machine
};

/// Estimates it before the start, from the numbers of containers and ranks. `data_MiB`: of all ranks together.
Footprint footprint(const EmulationPlan& plan, const Substrate& substrate, std::int64_t data_MiB);

/// What this machine has left.
struct Room {
  std::int64_t memory_MiB = 0;
  std::int64_t processes = 0;
};
Room room_here();

/// Throws Refused with the estimate when the machine has less, or the start alone would take longer than `timeout_s`
/// (0: no limit).
void check_room(const Footprint& footprint, const Room& room, double timeout_s);

}  // namespace isthmus
