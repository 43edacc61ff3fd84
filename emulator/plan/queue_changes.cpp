// The changes that conditions and profiles make to the queues of a plan, and their times.
#include <algorithm>
#include <map>

#include "emulator/plan/plan.hpp"

namespace isthmus {
namespace {

/// The state of the links at some time.
struct State {
  std::vector<LinkStep> step;
  std::vector<Impairment> impairment;
};

Queue queue_in(const State& state, const Network& network, const std::vector<int>& links, Queue queue) {
  queue.delay_s = 0;
  queue.payload_Bps = 0;
  queue.impairment = {};
  for (const int link : links) {
    const LinkStep& now = state.step[link];
    queue.delay_s += now.latency_s;
    queue.impairment = both(queue.impairment, state.impairment[link]);
    if (now.bandwidth_Bps <= 0) queue.impairment.loss = 1;
    // A cut link keeps its usual rate and loses every frame.
    const double rate_Bps = now.bandwidth_Bps > 0 ? now.bandwidth_Bps : network.links[link].bandwidth_Bps;
    queue.payload_Bps = queue.payload_Bps == 0 ? rate_Bps : std::min(queue.payload_Bps, rate_Bps);
  }
  return queue;
}

}  // namespace

std::vector<QueueChange> queue_changes(const EmulationPlan& plan, const Network& network,
                                       const Conditions& conditions) {
  const std::vector<std::vector<LinkStep>> steps = link_steps(network, conditions);
  State state{{}, impairments_of(network, conditions)};
  std::map<double, std::vector<int>> changing;  // links, by time
  for (std::size_t link = 0; link < steps.size(); ++link) {
    state.step.push_back(steps[link].front());
    if (steps[link].size() > 1 || state.impairment[link].any()) {
      changing[before_start_s].push_back(static_cast<int>(link));
    }
    for (std::size_t i = 1; i < steps[link].size(); ++i)
      changing[steps[link][i].at_s].push_back(static_cast<int>(link));
  }

  std::vector<QueueChange> changes;
  std::vector<std::size_t> next(steps.size(), 0);
  for (const auto& moment : changing) {
    const double at_s = moment.first;
    const std::vector<int>& changed = moment.second;
    for (const int link : changed) {
      if (at_s >= 0) state.step[link] = steps[link][++next[link]];
    }
    const auto add = [&](int container, const std::string& device, int hop, const Queue& queue,
                         const std::vector<int>& links) {
      const bool meant = std::any_of(links.begin(), links.end(), [&](int link) {
        return std::find(changed.begin(), changed.end(), link) != changed.end();
      });
      if (meant && queue.shapes()) {
        changes.push_back({at_s, container, device, hop, queue_in(state, network, links, queue)});
      }
    };
    for (const Cable& cable : plan.cables) {
      for (const Device* device : {&cable.a, &cable.b}) {
        add(device->container, device->name, -1, device->queue, device->links);
      }
    }
    for (std::size_t i = 0; i < plan.containers.size(); ++i) {
      const Container& container = plan.containers[i];
      add(static_cast<int>(i), "lo", -1, container.loopback, container.loopback_links);
    }
    for (std::size_t i = 0; i < plan.delayed.size(); ++i) {
      add(plan.delay_line, plan.delayed[i].from, static_cast<int>(i), plan.delayed[i].queue, plan.delayed[i].links);
    }
  }
  return changes;
}

}  // namespace isthmus
