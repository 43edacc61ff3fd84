#include "emulator/substrates/substrate.hpp"

#include <fmt/format.h>
#include <sys/mount.h>

#include <string_view>
#include <vector>

#include "algorithms/errors.hpp"
#include "algorithms/process/namespaces.hpp"
#include "algorithms/process/system.hpp"
#include "algorithms/text/near_matches.hpp"
#include "algorithms/text/printable.hpp"
#include "emulator/plan/congestion_control.hpp"

namespace isthmus {
namespace {

/// Those that a Linux of virtual-kernel.config has.
std::vector<std::string> of_virtual_kernel() { return {"reno", "bbr", "bic", "cubic", "westwood", "htcp"}; }

/// Those of Debian's User-Mode Linux 6.1.
std::vector<std::string> of_uml() { return {"reno", "cubic"}; }

}  // namespace

bool namespaces_allowed(bool network) {
  return succeeds_in_child([network] {
    enter_namespaces(network);
    if (!network) return;
    checked(mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr), "make mounts private");
    const bool mounts_proc = succeeds_in_child([] { mount_file_system("proc", "/proc"); });
    if (!mounts_proc) throw Refused("/proc is hidden in part");
  });
}

std::span<const SubstrateKind> substrate_kinds() {
  // In real time, timers of uml and wake-ups of the delay line take longer than a frame on a host's own link: these
  // links are not shaped. Waiting: on a quiet machine with two processors, 16 ranks wait 0.1 of the time. On uml, whose
  // kernel is a process, ranks wait inside; 0.25, beside other work, made its results 2 to 7 % longer.
  static constexpr SubstrateKind kinds[] = {
      {"native", true, {.processor_weights = true}, 0.4, native_substrate, congestion_controls_here},
      {"virtual", true, {}, 0.4, virtual_substrate, of_virtual_kernel},
      {"uml", true, {.shape_host_links = false, .processor_weights = true}, 0.2, uml_substrate, of_uml},
      {"delay-line",
       false,
       {.shape_host_links = false, .delay_line = true, .processor_weights = true, .per_flow_rates = false},
       0.4,
       delay_line_substrate,
       congestion_controls_here}};
  return kinds;
}

std::vector<std::string> substrate_names() {
  std::vector<std::string> names;
  for (const SubstrateKind& kind : substrate_kinds()) names.emplace_back(kind.name);
  return names;
}

const SubstrateKind& substrate_kind(std::string_view name) {
  std::vector<std::string_view> known = {"auto"};
  for (const SubstrateKind& kind : substrate_kinds()) {
    if (kind.name == name) return kind;
    known.push_back(kind.name);
  }
  throw BadInput(fmt::format("substrate `{}`: unknown{}", excerpt(name), near_matches(name, known)));
}

Substrate choose_substrate(const std::string& name) {
  if (name != "auto") substrate_kind(name);
  std::string reasons;
  for (const SubstrateKind& kind : substrate_kinds()) {
    if (name == "auto" ? !kind.taken_by_auto : name != kind.name) continue;
    Availability found = kind.look();
    if (found.substrate) return *std::move(found.substrate);
    reasons += fmt::format("{}{}: {}", reasons.empty() ? "" : "; ", kind.name, found.reason);
  }
  throw Missing(fmt::format("no substrate to emulate on: {}", reasons));
}

}  // namespace isthmus
