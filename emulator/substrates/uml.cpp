#include <fmt/format.h>

#include "algorithms/process/sanitizer.hpp"
#include "algorithms/process/system.hpp"
#include "emulator/substrates/substrate.hpp"

namespace isthmus {

Availability uml_substrate() {
  if (has_address_sanitizer) return {{}, sanitizer_needs_address_space};
  const std::string kernel = program_path("linux.uml");
  if (kernel.empty()) return {{}, "no User-Mode Linux; `apt-get install user-mode-linux` brings it"};
  if (!namespaces_allowed(false)) return {{}, "no right to make namespaces; root of the machine has it"};
  Substrate substrate;
  substrate.name = "uml";
  substrate.own_kernel = true;
  substrate.kernel = kernel;
  substrate.tolerance = 0.1;
  substrate.latency_slack_s = 1e-3;
  substrate.settle_s = 1;
  // There is one processor, and a system call takes tens of microseconds: ranks that report must not delay ranks that
  // still receive.
  substrate.rest_s = 1e-3;
  substrate.modules = {"kernel/drivers/net/veth",   "kernel/net/sched/sch_netem", "kernel/net/sched/sch_tbf",
                       "kernel/net/sched/sch_prio", "kernel/net/sched/cls_u32",   "kernel/net/sched/sch_fq"};
  substrate.provenance = {{"time", "real"}};
  return {substrate, ""};
}

}  // namespace isthmus
