// What conditions do to the queues of a plan, and when.
#include <algorithm>
#include <map>

#include "emulator/plan.hpp"

namespace isthmus {
namespace {

/// The links as they are at some time.
struct State {
  std::vector<double> rate;  ///< of the platform's
  std::vector<double> latency_s;
  std::vector<Impairment> impairment;
};

State undisturbed(const Network& network) {
  State state;
  for (const Link& link : network.links) {
    state.rate.push_back(1);
    state.latency_s.push_back(link.latency_s);
  }
  state.impairment.resize(network.links.size());
  return state;
}

Queue queue_in(const State& state, const Network& network, const std::vector<int>& links, Queue queue) {
  queue.delay_s = 0;
  queue.payload_Bps = 0;
  queue.impairment = {};
  for (const int link : links) {
    queue.delay_s += state.latency_s[link];
    queue.impairment = both(queue.impairment, state.impairment[link]);
    if (state.rate[link] > 0) {
      const double rate_Bps = network.links[link].bandwidth_Bps * state.rate[link];
      queue.payload_Bps = queue.payload_Bps == 0 ? rate_Bps : std::min(queue.payload_Bps, rate_Bps);
    } else {
      queue.impairment.loss = 1;
    }
  }
  return queue;
}

}  // namespace

std::vector<QueueChange> queue_changes(const EmulationPlan& plan, const Network& network,
                                       const Conditions& conditions) {
  std::vector<QueueChange> changes;
  State state = undisturbed(network);
  const auto note = [&](double at_s, const std::vector<int>& changed) {
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
  };

  state.impairment = impairments_of(network, conditions);
  std::vector<int> impaired;
  for (std::size_t i = 0; i < state.impairment.size(); ++i) {
    if (state.impairment[i].any()) impaired.push_back(static_cast<int>(i));
  }
  note(0, impaired);
  for (const LinkChange& change : conditions.changes) {
    const std::vector<int> links = links_named(network, change.links);
    for (const int link : links) {
      state.rate[link] = change.rate;
      state.latency_s[link] = change.latency_s.value_or(network.links[link].latency_s);
    }
    note(change.at_s, links);
  }
  return changes;
}

}  // namespace isthmus
