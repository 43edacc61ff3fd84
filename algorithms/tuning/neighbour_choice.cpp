#include "algorithms/tuning/neighbour_choice.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <span>
#include <utility>

#include "algorithms/mapping/map_ranks.hpp"
#include "algorithms/replay/replay.hpp"

namespace isthmus {
namespace {

constexpr double as_slow = 1.02;  // than the plain order, at most
constexpr std::int64_t short_bytes = 8, long_bytes = 65536;

/// A block between two positions of a grid or graph.
struct Block {
  int from = 0, to = 0;
  std::int64_t weight = 1;
};

/// Each element is sent when the one before has arrived everywhere.
using Phases = std::vector<std::vector<Block>>;

std::int64_t number_of_blocks(const Phases& phases) {
  std::int64_t blocks = 0;
  for (const std::vector<Block>& phase : phases) blocks += static_cast<std::int64_t>(phase.size());
  return blocks;
}

Phases dimension_by_dimension(const CartesianGrid& grid) {
  Phases phases(grid.sizes.size());
  for (int position = 0; position < grid.size(); ++position)
    for (int d = 0; d < grid.dimensions(); ++d)
      for (const int step : {-1, 1})
        if (const int there = grid.neighbour(position, d, step); there >= 0 && there != position)
          phases[d].push_back({position, there, grid.weight(d)});
  return phases;
}

Phases all_at_once(const Phases& phases) {
  Phases one(1);
  for (const std::vector<Block>& phase : phases) one.front().insert(one.front().end(), phase.begin(), phase.end());
  return one;
}

class Exchanges {
 public:
  Exchanges(const PlacedNetwork& placed, std::vector<Phases> exchanges)
      : placed_(placed), exchanges_(std::move(exchanges)) {}

  /// Of each exchange with short and with long blocks.
  std::vector<double> seconds(std::span<const int> rank_of_position) const {
    std::vector<double> all;
    for (const Phases& phases : exchanges_) {
      double weight = 0;
      for (const std::vector<Block>& phase : phases)
        for (const Block& block : phase) weight += static_cast<double>(block.weight);
      const double of_weight_bytes = long_bytes * static_cast<double>(number_of_blocks(phases)) / weight;
      double short_s = 0, long_s = 0;
      for (const std::vector<Block>& phase : phases) {
        short_s += phase_s(phase, rank_of_position, 0);
        long_s += phase_s(phase, rank_of_position, of_weight_bytes);
      }
      all.insert(all.end(), {short_s, long_s});
    }
    return all;
  }

 private:
  double phase_s(const std::vector<Block>& phase, std::span<const int> rank_of_position, double of_weight_bytes) const {
    std::vector<NeighbourLists> lists(placed_.size());
    NeighbourProblem problem{.collective = Collective::alltoallv, .neighbourhood = nullptr, .count = 0, .counts = {}};
    problem.counts.resize(placed_.size());
    for (const Block& block : phase) {
      const int from = rank_of_position[block.from], to = rank_of_position[block.to];
      const auto bytes = std::max(
          short_bytes, static_cast<std::int64_t>(std::lround(of_weight_bytes * static_cast<double>(block.weight))));
      lists[from].destinations.push_back(to);
      lists[to].sources.push_back(from);
      problem.counts[from].sent.push_back(bytes);
      problem.counts[to].received.push_back(bytes);
    }
    problem.neighbourhood = std::make_shared<const Neighbourhood>(Neighbourhood::of_lists(lists));
    return replay(placed_, 1, source(NeighbourAlgorithm::direct, problem, placed_.topology())).seconds;
  }

  const PlacedNetwork& placed_;
  std::vector<Phases> exchanges_;
};

/// `mappings`: the first one has the fewest edges between groups.
std::vector<int> quickest(const PlacedNetwork& placed, std::vector<std::vector<int>> mappings,
                          std::vector<Phases> phases, std::int64_t effort_messages) {
  std::vector<int> plain(mappings.front().size());
  std::iota(plain.begin(), plain.end(), 0);
  std::erase(mappings, plain);
  if (mappings.empty()) return plain;
  const std::int64_t blocks = number_of_blocks(phases.front());
  const bool can_be_replayed = placed.topology().connectivity().complete() && blocks <= effort_messages;
  if (blocks == 0 || !can_be_replayed) return std::move(mappings.front());
  const Exchanges exchanges(placed, std::move(phases));
  const std::vector<double> plain_s = exchanges.seconds(plain);
  double least = 1;  // of the products of ratios
  std::vector<int> best = std::move(plain);
  for (std::vector<int>& mapping : mappings) {
    const std::vector<double> seconds = exchanges.seconds(mapping);
    double product = 1, greatest = 0;
    for (std::size_t i = 0; i < seconds.size(); ++i) {
      const double ratio = plain_s[i] > 0 ? seconds[i] / plain_s[i] : 1;
      product *= ratio;
      greatest = std::max(greatest, ratio);
    }
    if (greatest > as_slow || product >= least) continue;
    least = product;
    best = std::move(mapping);
  }
  return best;
}

}  // namespace

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

std::vector<int> choose_mapping(const PlacedNetwork& placed, const CartesianGrid& grid, std::int64_t effort_messages) {
  const CartesianGrid faces = with_faces_of_a_cube(grid);
  std::vector<std::vector<int>> mappings = {map_grid(grid, placed.topology()), map_grid(faces, placed.topology())};
  Phases phases = dimension_by_dimension(faces);
  Phases at_once = all_at_once(phases);
  return quickest(placed, std::move(mappings), {std::move(phases), std::move(at_once)}, effort_messages);
}

std::vector<int> choose_mapping(const PlacedNetwork& placed, const NeighbourGraph& graph,
                                std::int64_t effort_messages) {
  Phases at_once(1);
  for (int position = 0; position < graph.size(); ++position)
    for (const NeighbourGraph::Edge& edge : graph.edges(position))
      at_once.front().push_back({position, edge.to, edge.weight});
  return quickest(placed, {map_graph(graph, placed.topology())}, {std::move(at_once)}, effort_messages);
}

}  // namespace isthmus
