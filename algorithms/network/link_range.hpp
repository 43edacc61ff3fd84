// The figures that a link may have.
#pragma once

#include <fmt/format.h>

#include <string>

#include "algorithms/network/network.hpp"
#include "algorithms/text/printable.hpp"

namespace isthmus {

/// Beyond these, times are no longer told apart in sums, and linear programmes have no solution in doubles.
inline constexpr double max_latency_s = 1000;
inline constexpr double min_bandwidth_Bps = 1e-9, max_bandwidth_Bps = 1e18;

inline bool is_latency(double seconds) { return seconds >= 0 && seconds <= max_latency_s; }
inline bool is_bandwidth(double Bps) { return Bps >= min_bandwidth_Bps && Bps <= max_bandwidth_Bps; }

/// `a latency of 1e+12 s; 0 to 1000 s would be right`; empty where it is.
inline std::string fault_of_latency(double seconds) {
  if (is_latency(seconds)) return {};
  return fmt::format("a latency of {:g} s; 0 to {} s would be right", seconds, max_latency_s);
}

/// The same of a bandwidth.
inline std::string fault_of_bandwidth(double Bps) {
  if (is_bandwidth(Bps)) return {};
  return fmt::format("a bandwidth of {:g} B/s; {} to {} B/s would be right", Bps, min_bandwidth_Bps, max_bandwidth_Bps);
}

/// The same of both, with the link's name before it.
inline std::string fault_of(const Link& link) {
  std::string fault = fault_of_bandwidth(link.bandwidth_Bps);
  if (fault.empty()) fault = fault_of_latency(link.latency_s);
  return fault.empty() ? fault : fmt::format("link {}: {}", excerpt(link.name), fault);
}

}  // namespace isthmus
