#include "algorithms/tuning/neighbour_choice.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include "algorithms/mapping/crossings.hpp"
#include "algorithms/mapping/map_ranks.hpp"
#include "tests/support/networks.hpp"

namespace isthmus {
namespace {

using tests::das;

TEST(NeighbourChoice, AggregatesBlocksThatSeveralRanksOfASiteGet) {
  const Network network = das(4, 4);
  const PlacedNetwork placed(network, place_ranks(network, PlacementRule::cyclic, 1));
  // Both neighbours of a dimension of two are the same rank, which gets an allgather's block twice.
  const auto grid = std::make_shared<const Neighbourhood>(Neighbourhood::of_grid({{4, 2, 2}, {true, true, true}}));
  NeighbourProblem problem{.collective = Collective::allgather, .neighbourhood = grid, .count = 65536, .counts = {}};
  const NeighbourChoice gathered = choose(placed, problem, 1 << 20);
  EXPECT_EQ(gathered.algorithm, NeighbourAlgorithm::aggregated);
  EXPECT_LT(gathered.seconds, 0.6 * gathered.direct_seconds);

  problem.collective = Collective::alltoall;  // no byte is saved
  const NeighbourChoice exchanged = choose(placed, problem, 1 << 20);
  EXPECT_EQ(exchanged.algorithm, NeighbourAlgorithm::direct);
  EXPECT_EQ(exchanged.seconds, exchanged.direct_seconds);

  EXPECT_EQ(choose(placed, problem, 95).seconds, -1);  // 96 edges
  EXPECT_EQ(choose(placed, problem, 95).algorithm, NeighbourAlgorithm::direct);
}

/// Position p on a host of cluster `cluster_of(p)`.
template <typename ClusterOf>
PlacedNetwork placed_on_das(int ranks, const ClusterOf& cluster_of) {
  const Network network = das(4, 4);
  Placement placement;
  std::vector<int> used(4);
  for (int p = 0; p < ranks; ++p) placement.host_of_rank.push_back(4 * cluster_of(p) + used[cluster_of(p)]++);
  return {network, placement};
}

std::int64_t edges_between_clusters(const CartesianGrid& grid, const PlacedNetwork& placed,
                                    const std::vector<int>& mapping) {
  return crossings(graph_of(grid), placed.topology(), mapping).front();
}

std::vector<int> in_order(int ranks) {
  std::vector<int> plain(ranks);
  std::iota(plain.begin(), plain.end(), 0);
  return plain;
}

TEST(MappingChoice, KeepsAnOrderWithMoreEdgesWhoseFacesAreSmaller) {
  // The clusters have 4 x 1 positions. Four strips of 2 x 2 would have 6 edges between them in place of 10, and twice
  // the bytes on each link: measured 0.63 of the speed.
  const CartesianGrid grid{{8, 2}, {false, false}};
  const PlacedNetwork squares = placed_on_das(16, [](int p) { return p / 8 * 2 + p % 2; });
  ASSERT_EQ(edges_between_clusters(grid, squares, map_grid(grid, squares.topology())), 6);
  EXPECT_EQ(choose_mapping(squares, grid, 1 << 16), in_order(16));
  EXPECT_EQ(edges_between_clusters(grid, squares, choose_mapping(squares, grid, 10)), 6) << "nothing is replayed";
}

TEST(MappingChoice, KeepsStripsForThoseWhoExchangeOneDimensionAfterTheOther) {
  const CartesianGrid grid{{8, 2}, {false, false}};
  const PlacedNetwork strips = placed_on_das(16, [](int p) { return p / 4; });
  EXPECT_EQ(choose_mapping(strips, grid, 1 << 16), in_order(16));
}

TEST(MappingChoice, TakesAnOrderThatIsSlowerInNoExchange) {
  const auto dealt = [](int p) { return p % 4; };
  const CartesianGrid box{{4, 2, 2}, {true, true, true}};
  const PlacedNetwork placed = placed_on_das(16, dealt);
  EXPECT_EQ(edges_between_clusters(box, placed, choose_mapping(placed, box, 1 << 16)), 16);
  const CartesianGrid sheet{{8, 2}, {false, false}};
  EXPECT_LE(edges_between_clusters(sheet, placed, choose_mapping(placed, sheet, 1 << 16)), 10);
  const CartesianGrid square{{4, 4}, {false, false}};
  const PlacedNetwork rows = placed_on_das(16, [](int p) { return p / 4; });
  EXPECT_EQ(choose_mapping(placed, graph_of(square), 1 << 16), map_graph(graph_of(square), placed.topology()));
  EXPECT_EQ(choose_mapping(rows, square, 1 << 16), in_order(16)) << "squares would cross two dimensions";
}

}  // namespace
}  // namespace isthmus
