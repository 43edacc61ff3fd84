// A plan as JSON: the client computes it, and the agent builds it.
#pragma once

#include <nlohmann/json.hpp>

#include "algorithms/network/conditions_json.hpp"
#include "emulator/plan/plan.hpp"

namespace isthmus {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Queue, delay_s, payload_Bps, cut_through, both_ways, per_flow, impairment,
                                   early_release_s)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Device, container, name, address, queue, links)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Cable, a, b)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ContainerRoute, destination, device)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Container, name, host, address, routes, loopback, loopback_links, niceness)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ProbePair, from, to, latency_s, bandwidth_Bps, forth, back, shaped)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DelayedHop, from, to, queue, links)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(EmulationPlan, containers, cables, delay_line, delayed, container_of_rank,
                                   management, probes, lossless, max_segments, tcp, streams)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Shaping, shape_host_links, delay_line, processor_weights, per_flow_rates)

}  // namespace isthmus
