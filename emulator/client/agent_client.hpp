// Starting the far side of an emulation and hearing what it tells.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>

#include "algorithms/process/child.hpp"
#include "emulator/client/emulate.hpp"
#include "emulator/substrates/substrate.hpp"

namespace isthmus {

struct FarSide {
  Substrate substrate;
  EmulationSettings settings;
  std::string program;  ///< isthmus-emulator
  std::vector<std::pair<std::string, std::string>> provenance;
  std::int64_t memory_MiB = 1024;  ///< of a kernel of its own, taken from this machine only as it is used
};

/// Chooses the substrate, sees that it can carry the network and that this machine has room for it, and finds the
/// programs that an emulation needs. `data_MiB`: of the ranks together, as far as it is known. Throws BadInput as
/// plan_emulation() does and for a rootfs that is no folder, Refused where there is no room, Missing.
FarSide far_side(const Network& network, const Placement& placement, const EmulationOptions& options,
                 std::int64_t data_MiB);

/// What the far side told that belongs to any work.
struct Heard {
  std::vector<Achieved> achieved, drift;
  double processor_waited = -1;
  std::vector<std::pair<std::string, std::string>> provenance;
};

/// Runs `work` on the far side to its end. `on_event` takes what is not among the things that belong to any work.
/// Throws as emulate() does.
Heard run_far_side(const FarSide& side, const nlohmann::json& work, const EmulationOptions& options,
                   const std::function<void(const nlohmann::json& event, const Heard& so_far)>& on_event,
                   ChildOptions supervision = {});

}  // namespace isthmus
