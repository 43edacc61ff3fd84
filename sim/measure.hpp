// Measurement of P-LogP between simulated ranks (SimGrid's SMPI).
#pragma once

#include <string>
#include <vector>

#include "algorithms/measuring/calibration.hpp"

namespace isthmus {

/// Measures the pairs of the task between ranks on the platform from which the network was read; messages cross shared
/// links in turn. Throws Refused when the simulation fails, BadInput when the file is no SimGrid platform or lacks a
/// host.
std::vector<MeasuredPair> measure_simulated(const std::string& platform_file, const Network& network,
                                            const Placement& placement, const MeasuringTask& task, double timeout_s);

}  // namespace isthmus
