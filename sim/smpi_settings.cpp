#include "sim/smpi_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace isthmus {

SmpiSettings smpi_settings(const Transport& transport) {
  // SMPI's thresholds begin where the eager protocol ends, and are of type int.
  const std::int64_t beyond_eager = std::min<std::int64_t>(transport.eager_bytes, 2'000'000'000) + 1;
  const std::string send = fmt::format("0:{}:{}", transport.send_overhead_s, transport.send_overhead_s_per_byte);
  const std::string receive =
      fmt::format("0:{}:{}", transport.receive_overhead_s, transport.receive_overhead_s_per_byte);
  return {{"network/model", "CM02"},
          {"network/TCP-gamma", "1e18"},
          {"network/crosstraffic", "0"},
          {"surf/precision", "1e-10"},  // events closer together are one; well above what a double tells apart in a day
          {"contexts/factory", "raw"},
          {"contexts/stack-size", "256"},
          {"smpi/wtime", "0"},
          {"smpi/simulate-computation", "no"},
          {"smpi/host-speed", "1Gf"},
          {"smpi/privatization", "no"},
          {"smpi/async-small-thresh", std::to_string(beyond_eager)},
          {"smpi/send-is-detached-thresh", std::to_string(beyond_eager)},
          {"smpi/os", send},
          {"smpi/ois", send},
          {"smpi/or", receive}};
}

}  // namespace isthmus
