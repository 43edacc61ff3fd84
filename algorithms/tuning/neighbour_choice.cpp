#include "algorithms/tuning/neighbour_choice.hpp"

#include "algorithms/replay/replay.hpp"

namespace isthmus {

NeighbourChoice choose(const PlacedNetwork& placed, const NeighbourProblem& problem, std::int64_t effort_messages) {
  constexpr double least_gain = 0.02;
  if (static_cast<std::int64_t>(problem.neighbourhood->edges().size()) > effort_messages) return {};
  const auto seconds = [&](NeighbourAlgorithm algorithm) {
    return replay(placed, 1, source(algorithm, problem, placed.topology())).seconds;
  };
  const double direct = seconds(NeighbourAlgorithm::direct);
  const double aggregated = seconds(NeighbourAlgorithm::aggregated);
  if (aggregated < direct * (1 - least_gain)) return {NeighbourAlgorithm::aggregated, aggregated, direct};
  return {NeighbourAlgorithm::direct, direct, direct};
}

}  // namespace isthmus
