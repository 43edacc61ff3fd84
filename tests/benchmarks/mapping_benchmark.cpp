// How many edges are cut where grids and graphs are divided among sites of one size, and how long that takes.
//
//   mapping_benchmark [FOLDER]
//
// Prints a Markdown table. With a folder it also writes each graph there as FOLDER/NAME-PARTS.graph, for METIS:
//   gpmetis -ptype=rb -ufactor=1 -seed=1 FOLDER/NAME-PARTS.graph PARTS
#include <fmt/format.h>
#include <fmt/os.h>

#include <chrono>
#include <cmath>
#include <exception>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/mapping/crossings.hpp"
#include "algorithms/mapping/map_ranks.hpp"

namespace isthmus {
namespace {

using Seconds = std::chrono::duration<double>;

void write_for_metis(const NeighbourGraph& graph, const std::string& file) {
  std::size_t ends = 0;
  for (int v = 0; v < graph.size(); ++v) ends += graph.edges(v).size();
  auto out = fmt::output_file(file);
  out.print("{} {} 001\n", graph.size(), ends / 2);
  for (int v = 0; v < graph.size(); ++v) {
    for (const NeighbourGraph::Edge& edge : graph.edges(v)) out.print("{} {} ", edge.to + 1, edge.weight);
    out.print("\n");
  }
}

void report(const std::string& name, const NeighbourGraph& graph, const CartesianGrid* grid, int sites,
            const std::string& folder) {
  std::vector<std::vector<std::string>> paths;
  for (int rank = 0; rank < graph.size(); ++rank) paths.push_back({std::to_string(rank % sites)});
  const Topology topology = Topology::from_paths(paths);
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<int> mapping = grid != nullptr ? map_grid(*grid, topology) : map_graph(graph, topology);
  const double seconds = Seconds(std::chrono::steady_clock::now() - begin).count();
  fmt::print("| {} | {} | {} | {} | {:.3f} |\n", name, graph.size(), sites, crossings(graph, topology, mapping).front(),
             seconds);
  if (!folder.empty()) write_for_metis(graph, fmt::format("{}/{}-{}.graph", folder, name, sites));
}

// Neighbours are positions at a distance of at most 1 in every dimension.
NeighbourGraph with_diagonals(int length) {
  const CartesianGrid grid{{length, length, length}, {false, false, false}};
  std::vector<NeighbourGraph::Pair> pairs;
  for (int a = 0; a < grid.size(); ++a)
    for (int b = a + 1; b < grid.size(); ++b) {
      const std::vector<int> one = grid.coordinates(a);
      const std::vector<int> other = grid.coordinates(b);
      bool near = true;
      for (int d = 0; d < 3; ++d) near = near && std::abs(one[d] - other[d]) <= 1;
      if (near) pairs.push_back({a, b, 1});
    }
  return {grid.size(), std::move(pairs)};
}

NeighbourGraph random_geometric(int size, double radius) {
  std::mt19937 random(1);  // NOLINT(cert-msc51-cpp): the same graph every time
  std::vector<std::pair<double, double>> points;
  for (int i = 0; i < size; ++i) {
    const double x = static_cast<double>(random()) / 4294967296.0;
    points.emplace_back(x, static_cast<double>(random()) / 4294967296.0);
  }
  std::vector<NeighbourGraph::Pair> pairs;
  for (int a = 0; a < size; ++a)
    for (int b = a + 1; b < size; ++b)
      if (std::hypot(points[a].first - points[b].first, points[a].second - points[b].second) < radius)
        pairs.push_back({a, b, 1});
  return {size, std::move(pairs)};
}

void report_all(const std::string& folder) {
  fmt::print("| graph | positions | sites | edges between sites | s |\n|---|--:|--:|--:|--:|\n");
  const auto grid = [&](const std::string& name, const CartesianGrid& of, int sites) {
    report(name, graph_of(of), &of, sites, folder);
    report(name + "-as-a-graph", graph_of(of), nullptr, sites, folder);
  };
  grid("torus-16x16x16", {{16, 16, 16}, {true, true, true}}, 64);
  grid("torus-32x32", {{32, 32}, {true, true}}, 16);
  grid("grid-100x100", {{100, 100}, {false, false}}, 100);
  report("27-point-12x12x12", with_diagonals(12), nullptr, 8, folder);
  report("geometric-1000", random_geometric(1000, 0.05), nullptr, 10, folder);
}

}  // namespace
}  // namespace isthmus

int main(int argc, char** argv) {
  try {
    isthmus::report_all(argc > 1 ? argv[1] : "");
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "mapping_benchmark: {}\n", error.what());
    return 2;
  }
}
