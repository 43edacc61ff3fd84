#include "emulator/plan/congestion_control.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>

#include "algorithms/errors.hpp"
#include "algorithms/process/system.hpp"
#include "algorithms/text/printable.hpp"

namespace isthmus {

std::vector<std::string> congestion_controls_here() {
  std::istringstream available(read_text("/proc/sys/net/ipv4/tcp_available_congestion_control"));
  return {std::istream_iterator<std::string>(available), {}};
}

void check_congestion_control(const TcpSettings& tcp, std::span<const std::string> of_kernel) {
  const std::string& asked = tcp.congestion_control;
  if (asked.empty() || std::ranges::find(of_kernel, asked) != of_kernel.end()) return;
  throw BadInput(fmt::format("conditions: tcp: congestion control `{}`: this kernel has {}", excerpt(asked),
                             fmt::join(of_kernel, ", ")));
}

}  // namespace isthmus
