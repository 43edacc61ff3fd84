#include <algorithm>
#include <string_view>
#include <vector>

#include "algorithms/models/replay.hpp"
#include "algorithms/tuning/search.hpp"
#include "algorithms/tuning/thrift.hpp"

namespace isthmus {
namespace {

Plan complete_kielmann(const Plan& plan, const Network& network, const Placement& placement, const Problem& problem,
                       bool segment_auto) {
  Plan completed = plan;
  Parameters& parameters = completed.parameters;
  if (segment_auto) parameters.segment_bytes = 0;
  if (parameters.segment_bytes > 0 && parameters.wan_degree > 0 && parameters.lan_degree > 0) return completed;
  const KielmannChoice choice =
      search_kielmann(two_layers_of(network, placement), problem.bytes(), problem.element_bytes,
                      {parameters.segment_bytes, parameters.wan_degree, parameters.lan_degree});
  // One segment is written as 0, unsegmented, which is also right for an empty message.
  if (parameters.segment_bytes == 0 && choice.segments > 1) parameters.segment_bytes = choice.segment_bytes;
  parameters.wan_degree = choice.wan_degree;
  parameters.lan_degree = choice.lan_degree;
  return completed;
}

// Unsegmented and powers of two elements, as far as the replay of it stays small.
Plan choose_segment(const Plan& plan, const Network& network, const Placement& placement, const Problem& problem) {
  constexpr std::int64_t most_messages = 1 << 20;
  struct Tried {
    Plan plan;
    double seconds;
    std::int64_t messages;
  };
  const Topology topology = topology_of(network, placement);
  std::vector<Tried> tried;
  const auto try_segment = [&](std::int64_t segment_bytes) {
    Plan candidate = plan;
    candidate.parameters.segment_bytes = segment_bytes;
    const Replay timed = replay(network, placement, problem.element_bytes, source(candidate, topology, problem));
    tried.push_back({candidate, timed.seconds, timed.messages});
  };
  try_segment(0);
  const std::int64_t shortest = shortest_segment(problem.bytes(), problem.element_bytes);
  for (std::int64_t segment = problem.element_bytes; segment < problem.bytes(); segment *= 2) {
    const std::int64_t segments = (problem.bytes() + segment - 1) / segment;
    if (segment >= shortest && segments * placement.size() <= most_messages) try_segment(segment);
  }
  return fewest_messages(tried)->plan;
}

}  // namespace

Plan complete(const Plan& plan, const Network& network, const Placement& placement, const Problem& problem,
              bool segment_auto) {
  if (plan.algorithm->id == "kielmann") return complete_kielmann(plan, network, placement, problem, segment_auto);
  if (segment_auto && takes(*plan.algorithm, "segment")) return choose_segment(plan, network, placement, problem);
  return plan;
}

}  // namespace isthmus
