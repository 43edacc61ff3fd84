#include "algorithms/process/namespaces.hpp"
#include "algorithms/process/system.hpp"
#include "emulator/substrates/substrate.hpp"

namespace isthmus {
namespace {

/// Tries a netem queue in a network namespace that ends with the trial.
bool netem_works(const std::string& tc) {
  return succeeds_in_child([&tc] {
    enter_namespaces(true);
    run_program({tc, "qdisc", "add", "dev", "lo", "root", "netem", "delay", "1ms", "rate", "8mbit"}, "");
  });
}

}  // namespace

Availability native_substrate() {
  const std::string tc = program_path("tc");
  if (tc.empty()) return {{}, "no tc; `apt-get install iproute2` brings it"};
  if (!namespaces_allowed(true))
    return {{}, "no right to make network namespaces with a /proc of their own; root of the machine has it"};
  if (!netem_works(tc)) return {{}, "this kernel has no netem queue; `modprobe sch_netem` brings it where it is built"};
  Substrate substrate;
  substrate.name = "native";
  substrate.tolerance = 0.05;
  // Timers and wake-ups, there and back over two routers.
  substrate.latency_slack_s = 200e-6;
  return {substrate, ""};
}

}  // namespace isthmus
