// Which congestion controls of TCP a kernel has, and whether the one that is asked for is among them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "algorithms/network/conditions.hpp"

namespace isthmus {

/// Those of the running kernel.
std::vector<std::string> congestion_controls_here();

/// Throws BadInput, with the list, if a kernel that has these lacks the one that is asked for.
void check_congestion_control(const TcpSettings& tcp, std::span<const std::string> of_kernel);

}  // namespace isthmus
