// A topology in JSON, and a proof over the groups in it.
#include "algorithms/catalog.hpp"
#include "algorithms/collective/algorithm.hpp"
#include "algorithms/collective/contract.hpp"
#include "algorithms/schedule/verify.hpp"
#include "algorithms/topology/topology_file.hpp"
#include "tests/fuzz/input.hpp"

namespace isthmus {
namespace {

constexpr int max_topology_ranks = 24;  // more cost time and find nothing else

void prove(const Topology& topology) {
  const int size = topology.size();
  const Problem problem{Collective::allreduce, 7, 1, 0};
  const Plan plan = parse_plan(problem.collective, "multilevel");
  check(plan, topology, problem);
  fuzz::require(verify(materialise(size, source(plan, topology, problem)), contract_of(problem, size)).ok());
}

}  // namespace
}  // namespace isthmus

ISTHMUS_HARNESS(topology) {
  using namespace isthmus;
  const fuzz::InputFile file(data, size);
  fuzz::answered([&] {
    const Topology topology = read_topology(file.path());
    if (topology.size() <= max_topology_ranks) prove(topology);
  });
  return 0;
}
