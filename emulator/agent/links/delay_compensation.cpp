#include "emulator/agent/links/delay_compensation.hpp"

#include <algorithm>
#include <limits>

#include "emulator/agent/links/probe.hpp"

namespace isthmus {
namespace {

/// Queues that delay frames, there and back.
std::ptrdiff_t delayed_hops(const ProbePair& pair) {
  const auto delays = [](const Queue& queue) { return queue.delay_s > 0; };
  return std::count_if(pair.forth.begin(), pair.forth.end(), delays) +
         std::count_if(pair.back.begin(), pair.back.end(), delays);
}

/// How late frames come, in seconds per queue that delays them; negative: early.
double late_by_s(const EmulationPlan& plan, const std::vector<RunningContainer>& containers) {
  double late_s = std::numeric_limits<double>::infinity();
  for (const ProbePair& pair : plan.probes) {
    const std::ptrdiff_t hops = delayed_hops(pair);
    if (!pair.shaped || hops == 0) continue;
    const double excess_s = 2 * (probe_latency_s(pair, plan, containers) - pair.latency_s);
    late_s = std::min(late_s, excess_s / static_cast<double>(hops));
  }
  return late_s == std::numeric_limits<double>::infinity() ? 0 : late_s;
}

void release_early(double early_release_s, EmulationPlan& plan, const std::vector<RunningContainer>& containers,
                   HopTable& hops) {
  for (Cable& cable : plan.cables) {
    for (Device* device : {&cable.a, &cable.b}) {
      if (device->queue.delay_s <= 0) continue;
      device->queue.early_release_s = early_release_s;
      run_program({program_path("tc"), "-batch", "-"}, change_commands(device->name, device->queue),
                  containers[device->container].network());
    }
  }
  for (std::size_t i = 0; i < plan.delayed.size(); ++i) {
    if (plan.delayed[i].queue.delay_s <= 0) continue;
    plan.delayed[i].queue.early_release_s = early_release_s;
    hops.set(static_cast<int>(i), plan.delayed[i].queue);
  }
}

}  // namespace

double compensate_delays(EmulationPlan& plan, const std::vector<RunningContainer>& containers, HopTable& hops) {
  constexpr int rounds = 2;  // the second corrects what the first leaves
  double early_release_s = 0;
  for (int round = 0; round < rounds; ++round) {
    early_release_s = std::max(0.0, early_release_s + late_by_s(plan, containers));
    release_early(early_release_s, plan, containers, hops);
  }
  return early_release_s;
}

}  // namespace isthmus
