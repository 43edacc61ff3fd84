#include <algorithm>

#include "algorithms/tuning/search.hpp"
#include "algorithms/tuning/subnet_patterns.hpp"
#include "algorithms/tuning/trials/packed_plans.hpp"

namespace isthmus {
namespace {

Plan complete_kielmann(const Plan& plan, const PlacedNetwork& placed, const Problem& problem, bool segment_open) {
  Plan completed = plan;
  Parameters& parameters = completed.parameters;
  if (!segment_open && parameters.wan_degree > 0 && parameters.lan_degree > 0) return completed;
  // Unsegmented is one segment of everything.
  const std::int64_t asked = parameters.segment_bytes > 0 ? parameters.segment_bytes : problem.bytes();
  const KielmannChoice choice =
      search_kielmann(two_layers_of(placed), problem.bytes(), problem.element_bytes,
                      {segment_open ? 0 : asked, parameters.wan_degree, parameters.lan_degree});
  // One segment is written as 0, unsegmented, which is also right for an empty message.
  if (segment_open) parameters.segment_bytes = choice.segments > 1 ? choice.segment_bytes : 0;
  parameters.wan_degree = choice.wan_degree;
  parameters.lan_degree = choice.lan_degree;
  return completed;
}

}  // namespace

Plan fill_required_parameters(const Plan& plan, const PlacedNetwork& placed, const Problem& problem,
                              bool segment_open) {
  if (has_patterns_to_choose(*plan.algorithm)) {
    Plan completed = plan;
    if (plan.parameters.patterns.empty())
      completed.parameters.patterns = subnet_patterns(*plan.algorithm, placed, problem);
    return completed;
  }
  if (has_packing_to_choose(*plan.algorithm)) return PackedPlans(placed).completed(plan, problem, segment_open).plan;
  if (!has_degrees_to_choose(*plan.algorithm)) return plan;
  return complete_kielmann(plan, placed, problem, segment_open);
}

}  // namespace isthmus
