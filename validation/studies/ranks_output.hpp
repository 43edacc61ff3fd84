// What a program of isthmus prints as the ranks of an emulated network.
#pragma once

#include <functional>
#include <string>

#include "algorithms/network/network.hpp"
#include "emulator/protocol/options.hpp"

namespace isthmus {

struct RanksOutput {
  std::string output, errors;
  int exit_status = 0;
};

/// Runs `isthmus-NAME ARGUMENT` on every rank of the placement. Throws as run_session().
RanksOutput output_of_ranks(const Network& network, const Placement& placement, const std::string& program,
                            const std::string& argument, const EmulationOptions& emulation,
                            const std::function<void(const std::string&)>& progress);

}  // namespace isthmus
