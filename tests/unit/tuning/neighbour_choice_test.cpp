#include "algorithms/tuning/neighbour_choice.hpp"

#include <gtest/gtest.h>

#include <memory>

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

}  // namespace
}  // namespace isthmus
