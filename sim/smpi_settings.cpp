#include "sim/smpi_settings.hpp"

#include <algorithm>
#include <cstdint>

#include "algorithms/process/sanitizer.hpp"

namespace isthmus {

SmpiSettings smpi_settings(const Transport& transport) {
  // SMPI's thresholds are the first size beyond the eager protocol, of type int.
  const std::int64_t beyond_eager = std::min<std::int64_t>(transport.eager_bytes, 2'000'000'000) + 1;
  return {{"network/model", "CM02"},
          {"network/TCP-gamma", "1e18"},
          {"network/crosstraffic", "0"},
          {"surf/precision", "1e-10"},  // closer events are merged; well above the resolution of a double after a day
          // The address sanitizer reports false errors for exceptions on unknown stacks.
          {"contexts/factory", has_address_sanitizer ? "thread" : "raw"},
          {"contexts/stack-size", "256"},
          {"smpi/wtime", "0"},
          {"smpi/simulate-computation", "no"},
          {"smpi/host-speed", "1Gf"},
          {"smpi/privatization", "no"},
          {"smpi/async-small-thresh", std::to_string(beyond_eager)},
          {"smpi/send-is-detached-thresh", std::to_string(beyond_eager)}};
}

}  // namespace isthmus
