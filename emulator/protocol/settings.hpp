// What the client tells the agent, beside the job.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "emulator/plan/plan.hpp"

namespace isthmus {

struct EmulationSettings {
  std::string helpers;                                           ///< folder of isthmus's helper programs
  std::string mpirun;                                            ///< path
  std::vector<std::pair<std::string, std::string>> environment;  ///< of the programs started
  std::vector<std::string> writable;                             ///< see HostFiles
  std::vector<std::string> shown;
  std::string bundle;  ///< an OCI bundle, or empty
  std::vector<std::pair<std::string, std::string>> bundle_environment;
  std::string root;            ///< of the hosts' own, see HostFiles; or empty
  double timeout_s = 600;      ///< of real time; 0: none
  double tolerance = 0.01;     ///< relative, on latency and rate
  double latency_slack_s = 0;  ///< on top, for what timers and wake-ups take in real time
  bool real_time = false;      ///< what clocks and other work add counts: see delay_compensation.hpp and processor.hpp
  double settle_s = 0;         ///< before anything is measured
  double rest_s = 0;           ///< of a rank that has done its part: see TimingSettings
  std::string substrate;       ///< its name
  Shaping shaping = {};        ///< what it can shape
  nlohmann::json conditions;   ///< see Conditions
  std::vector<std::string> modules;  ///< to load, as paths without their ending below the kernel's module folder
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Shaping, shape_host_links, delay_line, processor_weights, per_flow_rates)

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(EmulationSettings, helpers, mpirun, environment, writable, shown, bundle,
                                   bundle_environment, root, timeout_s, tolerance, latency_slack_s, real_time, settle_s,
                                   rest_s, substrate, shaping, conditions, modules)

}  // namespace isthmus
