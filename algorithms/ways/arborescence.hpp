// Trees and paths through a small dense directed graph: cheapest arborescences, shallow ones, shortest paths.
//
// The cheapest arborescence is that of Chu and Liu (1965) and Edmonds (1967), in the form for dense graphs that grows a
// path of cheapest entering edges and contracts its cycles (Gabow, Galil, Spencer, Tarjan 1986, section 3; O(k^2)).
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace isthmus {

/// A number for each ordered pair of `nodes` nodes. Infinity: no edge.
struct EdgeTable {
  static constexpr double kNoEdge = std::numeric_limits<double>::infinity();

  EdgeTable() = default;
  explicit EdgeTable(int number_of_nodes, double value = kNoEdge)
      : nodes(number_of_nodes), values(static_cast<std::size_t>(number_of_nodes) * number_of_nodes, value) {}

  double& at(int from, int to) { return values[static_cast<std::size_t>(from) * nodes + to]; }
  double at(int from, int to) const { return values[static_cast<std::size_t>(from) * nodes + to]; }
  EdgeTable transposed() const;

  int nodes = 0;
  std::vector<double> values;
};

/// A tree as the parent of each node; the root is its own parent. Empty: some node cannot be reached.
using Parents = std::vector<int>;

/// The tree out of `root` whose edges cost least. Costs are at least 0.
Parents cheapest_arborescence(const EdgeTable& cost, int root);

struct ShortestPaths {
  Parents parent;                ///< a node that cannot be reached is its own parent
  std::vector<double> distance;  ///< infinite for these
};
ShortestPaths shortest_paths(const EdgeTable& cost, int root);

/// When each node is reached from the root, if an edge takes `hop`.
std::vector<double> arrival_times(const Parents& parent, const EdgeTable& hop);
/// The greatest of the arrival times, each with what the node takes beyond: `own`, by node.
double height(const Parents& parent, const EdgeTable& hop, const std::vector<double>& own);

struct PricedTree {
  double value = 0;  ///< cost of its edges + weight * height
  Parents parent;
};

/// How many mixtures of cost and hop are tried.
enum class TreeSearch : std::uint8_t { four_mixtures, one_mixture };

/// Trees out of `root` of small cost + weight * height, the best first, none twice. Exact for weight 0. Beyond, it is a
/// heuristic: cheapest trees at mixtures of cost and hop, and the tree of shortest paths, each improved by moves of
/// single subtrees. Empty if some node cannot be reached.
std::vector<PricedTree> cheap_and_shallow_trees(const EdgeTable& cost, const EdgeTable& hop,
                                                const std::vector<double>& own, int root, double weight,
                                                TreeSearch search = TreeSearch::four_mixtures);

}  // namespace isthmus
