#include "emulator/substrates/substrate.hpp"

namespace isthmus {

Availability delay_line_substrate() {
  if (!namespaces_allowed(true))
    return {{}, "no right to make network namespaces with a /proc of their own; root of the machine has it"};
  Substrate substrate;
  substrate.name = "delay-line";
  substrate.tolerance = 0.02;
  // Timers and wake-ups, there and back over two routers.
  substrate.latency_slack_s = 100e-6;
  substrate.provenance = {{"time", "real"}};
  return {substrate, ""};
}

}  // namespace isthmus
