// The options of an emulation: one value, passed whole from the command line to the agent.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "algorithms/network/conditions_json.hpp"

namespace isthmus {

struct EmulationOptions {
  std::string substrate = "auto";  ///< see choose_substrate()
  std::string rootfs = {};         ///< the folder with the hosts' file system; empty: this machine's files
  bool force = false;              ///< start even if this machine seems to have no room
  double tolerance = 0;            ///< relative, on achieved latency and rate; 0: what the substrate can keep
  double timeout_s = 600;          ///< of real time, for everything; 0: no limit
  Conditions conditions = {};      ///< while the ranks run
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(EmulationOptions, substrate, rootfs, force, tolerance, timeout_s, conditions)

}  // namespace isthmus
