// What the client sends to the agent.
#pragma once

#include <sys/types.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "emulator/plan/plan_json.hpp"
#include "emulator/protocol/host_files.hpp"
#include "emulator/protocol/options.hpp"

namespace isthmus {

/// What an emulation runs on.
struct Substrate {
  std::string name;  ///< native, virtual, uml, delay-line
  bool own_kernel = false;
  bool real_time = true;  ///< timers and other work add to the times: see delay_compensation.hpp and processor.hpp
  std::string kernel;     ///< the kernel's program, with own_kernel
  std::vector<std::string> boot;     ///< to add to its command line
  double tolerance = 0.01;           ///< relative, that it can keep
  double latency_slack_s = 0;        ///< added for latency: timers and wake-ups in real time
  double settle_s = 0;               ///< before anything is measured
  double rest_s = 0;                 ///< pause of a rank that is done, to not slow the others: see TimingSettings
  std::vector<std::string> modules;  ///< to load: paths below the kernel's module folder, without their ending
  std::vector<std::pair<std::string, std::string>> provenance;
};

/// What the agent needs besides the work itself.
struct EmulationSettings {
  EmulationOptions options;  ///< as they were asked for
  Substrate substrate;       ///< the one chosen
  Shaping shaping;           ///< what it can shape
  EmulationPlan plan;
  HostFiles files;
  std::string helpers;                                           ///< folder of isthmus's helper programs
  std::string mpirun;                                            ///< path
  std::vector<std::pair<std::string, std::string>> environment;  ///< of the programs started
  std::vector<std::pair<std::string, std::string>> bundle_environment;

  /// How far the links may be off, relative.
  double tolerance() const { return options.tolerance > 0 ? options.tolerance : substrate.tolerance; }
};

/// Everything that the supervisor needs.
struct AgentRequest {
  /// `{"job": a Job}`, `{"session": a SessionProgram}` or `{"self_test": a network}`.
  nlohmann::json work;
  EmulationSettings settings;
  std::string program;            ///< isthmus-emulator
  std::vector<std::string> argv;  ///< what starts the agent: that program, or a kernel
  pid_t parent = 0;               ///< the client
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HostFiles, root, bundle, writable, shown)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Substrate, name, own_kernel, real_time, kernel, boot, tolerance, latency_slack_s,
                                   settle_s, rest_s, modules, provenance)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(EmulationSettings, options, substrate, shaping, plan, files, helpers, mpirun,
                                   environment, bundle_environment)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(AgentRequest, work, settings, program, argv, parent)

}  // namespace isthmus
