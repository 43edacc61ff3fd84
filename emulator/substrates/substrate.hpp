// Where an emulation can run. One interface, four kinds.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "emulator/protocol/settings.hpp"

namespace isthmus {

struct Substrate {
  std::string name;  ///< native, virtual, uml, delay-line
  bool own_kernel = false;
  bool real_time = true;
  std::string kernel;             ///< with a kernel of its own: the program
  std::vector<std::string> boot;  ///< and what to add to its command line
  double tolerance = 0.01;        ///< that it can keep, relative
  double latency_slack_s = 0;     ///< and what it needs on top for latency
  double settle_s = 0;            ///< before anything is measured
  double rest_s = 0;              ///< of a rank that has done its part, for the sake of the others
  std::vector<std::string> modules;
  std::vector<std::pair<std::string, std::string>> provenance;
};

/// A substrate, or the reason why this machine has not got it and what would bring it.
struct Availability {
  std::optional<Substrate> substrate;
  std::string reason;
};

/// Why there is no kernel of its own for a build with the address sanitizer.
inline constexpr const char* sanitizer_needs_address_space =
    "this isthmus is built with the address sanitizer, whose memory does not fit in processes of User-Mode Linux; "
    "delay-line does, or another build";
