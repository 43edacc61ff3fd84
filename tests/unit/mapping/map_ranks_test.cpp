#include "algorithms/mapping/map_ranks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "algorithms/errors.hpp"
#include "algorithms/mapping/crossings.hpp"
#include "algorithms/mapping/grid_blocks.hpp"
#include "algorithms/mapping/partition_graph.hpp"

namespace isthmus {
namespace {

// Ranks dealt one after the other to sites of these sizes.
Topology dealt(std::vector<int> sizes) {
  std::vector<std::vector<std::string>> paths;
  for (int left = std::accumulate(sizes.begin(), sizes.end(), 0); left > 0;)
    for (std::size_t site = 0; site < sizes.size(); ++site)
      if (sizes[site] > 0) {
        paths.push_back({std::to_string(site)});
        --sizes[site];
        --left;
      }
  return Topology::from_paths(paths);
}

std::int64_t crossings_between_sites(const CartesianGrid& grid, const Topology& topology,
                                     const std::vector<int>& mapping) {
  return crossings(graph_of(grid), topology, mapping).front();
}

void expect_ranks_once(const std::vector<int>& mapping, const Topology& topology) {
  std::vector<int> sorted = mapping;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(std::adjacent_find(sorted.begin(), sorted.end()), sorted.end());
  EXPECT_GE(sorted.front(), 0);
  EXPECT_LT(sorted.back(), topology.size());
}

struct GridCase {
  CartesianGrid grid;
  std::vector<int> sites;
  std::int64_t crossings;  // between sites, worked out by hand: the surfaces of the blocks
};

TEST(MapGrid, CrossesBetweenSitesAsSeldomAsBlocksCan) {
  const std::vector<GridCase> cases = {
      {{{16}, {true}}, {4, 4, 4, 4}, 4},
      {{{16}, {false}}, {4, 4, 4, 4}, 3},
      {{{4, 4}, {true, true}}, {4, 4, 4, 4}, 16},
      {{{4, 4}, {false, false}}, {4, 4, 4, 4}, 8},
      {{{4, 2, 2}, {true, true, true}}, {4, 4, 4, 4}, 16},
      {{{4, 4, 4}, {true, true, true}}, {8, 8, 8, 8, 8, 8, 8, 8}, 96},
      {{{8, 8}, {true, true}}, {16, 16, 16, 16}, 32},
      {{{6, 5}, {false, false}}, {12, 8, 10}, 9},
      {{{7, 3}, {false, false}}, {9, 6, 6}, 6},
  };
  for (const GridCase& each : cases) {
    const Topology topology = dealt(each.sites);
    const std::vector<int> mapping = map_grid(each.grid, topology);
    expect_ranks_once(mapping, topology);
    EXPECT_EQ(crossings_between_sites(each.grid, topology, mapping), each.crossings)
        << each.grid.size() << " positions, " << each.sites.size() << " sites";
  }
}

// Every division of the positions is tried.
std::int64_t fewest_crossings(const NeighbourGraph& graph, const Topology& topology) {
  std::vector<int> mapping(graph.size());
  std::iota(mapping.begin(), mapping.end(), 0);
  std::int64_t fewest = crossings(graph, topology, mapping).front();
  while (std::next_permutation(mapping.begin(), mapping.end()))
    fewest = std::min(fewest, crossings(graph, topology, mapping).front());
  return fewest;
}

TEST(MapGrid, IsBestForSmallGridsOnUnequalSites) {
  for (const auto& [grid, sites] :
       std::vector<std::pair<CartesianGrid, std::vector<int>>>{{{{2, 4}, {false, false}}, {3, 5}},
                                                               {{{2, 4}, {true, true}}, {3, 3, 2}},
                                                               {{{8}, {true}}, {1, 2, 5}},
                                                               {{{2, 2, 2}, {false, false, false}}, {3, 3, 2}},
                                                               {{{7}, {false}}, {2, 2, 3}}}) {
    const Topology topology = dealt(sites);
    EXPECT_EQ(crossings_between_sites(grid, topology, map_grid(grid, topology)),
              fewest_crossings(graph_of(grid), topology));
  }
}

TEST(MapGraph, FindsClustersThatAreHiddenInTheOrderOfPositions) {
  // 30 positions; i and j are neighbours when i % 3 == j % 3.
  std::vector<NeighbourGraph::Pair> pairs;
  for (int i = 0; i < 30; ++i)
    for (int j = i + 3; j < 30; j += 3) pairs.push_back({i, j, 1});
  const NeighbourGraph graph(30, pairs);
  std::vector<std::vector<std::string>> paths;
  for (int rank = 0; rank < 30; ++rank) paths.push_back({std::to_string(rank / 10)});
  const Topology topology = Topology::from_paths(paths);
  EXPECT_EQ(crossings(graph, topology, map_graph(graph, topology)).front(), 0);
}

TEST(MapGraph, HeavyEdgesStayInside) {
  const NeighbourGraph graph(4, {{0, 1, 1}, {2, 3, 1}, {0, 2, 10}, {1, 3, 10}});
  const Topology topology = Topology::from_paths({{"a"}, {"a"}, {"b"}, {"b"}});
  EXPECT_EQ(crossings(graph, topology, map_graph(graph, topology)).front(), 2);
}

TEST(MapRanks, KeepsAnOrderThatIsAsGoodAsAny) {
  const Topology topology = Topology::from_paths({{"a"}, {"a"}, {"b"}, {"b"}});
  EXPECT_EQ(map_grid({{2, 2}, {false, false}}, topology), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(map_grid({{4}, {true}}, Topology::flat(4)), (std::vector<int>{0, 1, 2, 3}));
}

TEST(MapRanks, LevelsInsideSitesAreMappedToo) {
  // Two sites of two machines of four ranks, dealt: a ring crosses 2 times between sites, 2 between machines.
  std::vector<std::vector<std::string>> paths;
  for (int rank = 0; rank < 16; ++rank) paths.push_back({std::to_string(rank % 2), std::to_string(rank / 2 % 2)});
  const Topology topology = Topology::from_paths(paths);
  const CartesianGrid ring{{16}, {true}};
  EXPECT_EQ(crossings(graph_of(ring), topology, map_grid(ring, topology)), (std::vector<std::int64_t>{2, 2, 12}));
}

TEST(MapRanks, WithFewerPositionsThanRanksUsesTheLargestGroups) {
  const Topology topology = dealt({2, 5, 3});
  const CartesianGrid ring{{5}, {true}};
  const std::vector<int> mapping = map_grid(ring, topology);
  expect_ranks_once(mapping, topology);
  EXPECT_EQ(crossings_between_sites(ring, topology, mapping), 0);
  EXPECT_THROW(map_grid({{11}, {false}}, topology), BadInput);

  // Three rows on three of four sites, and not two sites full.
  const CartesianGrid square{{3, 3}, {true, true}};
  const Topology four = dealt({4, 4, 4, 4});
  EXPECT_EQ(crossings_between_sites(square, four, map_grid(square, four)), 9);
}

TEST(PartitionGraph, KeepsTheSizesExact) {
  const CartesianGrid grid{{9, 11}, {false, false}};
  const std::vector<int> sizes = {1, 30, 7, 40, 21};
  const std::vector<int> part_of = partition_graph(graph_of(grid), sizes);
  for (std::size_t part = 0; part < sizes.size(); ++part)
    EXPECT_EQ(std::count(part_of.begin(), part_of.end(), static_cast<int>(part)), sizes[part]);
  EXPECT_LE(cut_weight(graph_of(grid), part_of), 45);
}

TEST(GridBlocks, ThatPlanesCannotCutAreNone) {
  const CartesianGrid grid{{4, 4}, {false, false}};
  const std::vector<int> sizes = {5, 5, 6};
  EXPECT_FALSE(cut_into_blocks(grid, {{0, 0}, {4, 4}}, sizes).has_value());
}

TEST(CartesianGrid, HasTheNeighboursOfMpi) {
  const CartesianGrid grid{{3, 2}, {true, false}};
  EXPECT_EQ(grid.coordinates(5), (std::vector<int>{2, 1}));
  EXPECT_EQ(grid.neighbour(5, 0, 1), 1);
  EXPECT_EQ(grid.neighbour(0, 0, -4), 4);
  EXPECT_EQ(grid.neighbour(5, 1, 1), -1);
}

}  // namespace
}  // namespace isthmus
