// A plan's text, COLLECTIVE/PLAN: read, written and read again the same, and proved where it serves.
#include "algorithms/catalog.hpp"
#include "algorithms/collective/algorithm.hpp"
#include "algorithms/collective/contract.hpp"
#include "algorithms/schedule/verify.hpp"
#include "tests/fuzz/input.hpp"
#include "validation/harness/request.hpp"

namespace isthmus {
namespace {

Topology sites_of_plans() {
  std::vector<std::vector<std::string>> paths;
  for (int rank = 0; rank < 7; ++rank) paths.push_back({rank < 4 ? "here" : "there", rank % 2 == 0 ? "a" : "b"});
  return Topology::from_paths(paths);
}

void prove(const Plan& plan, const Topology& topology, const Problem& problem) {
  check(plan, topology, problem);
  const int size = topology.size();
  fuzz::require(verify(materialise(size, source(plan, topology, problem)), contract_of(problem, size)).ok());
}

}  // namespace
}  // namespace isthmus

ISTHMUS_HARNESS(plan) {
  using namespace isthmus;
  static const Topology topology = sites_of_plans();
  PlanRequest request;
  if (!fuzz::answered([&] { request = parse_plan_request({reinterpret_cast<const char*>(data), size}); })) return 0;
  if (request.automatic) return 0;
  const std::string text = to_string(request.plan);
  fuzz::require(to_string(parse_plan(request.collective, text)) == text);
  const std::int64_t count = carries_data(request.collective) ? 7 : 0;
  fuzz::answered([&] { prove(request.plan, topology, {request.collective, count, 1, 0}); });
  return 0;
}
