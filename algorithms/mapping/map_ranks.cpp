#include "algorithms/mapping/map_ranks.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>

#include "algorithms/errors.hpp"
#include "algorithms/mapping/crossings.hpp"
#include "algorithms/mapping/grid_blocks.hpp"
#include "algorithms/mapping/partition_graph.hpp"

namespace isthmus {
namespace {

// A part of a group's exchange: one of its child groups, or a rank in none of them.
struct Part {
  int group = -1;  // -1: a rank alone
  int rank = -1;
  int ranks = 1;
  int positions = 0;
};

// Which ranks have no position where there are fewer positions than ranks: those of the smallest groups, so that the
// others are full, or some of every group that is needed.
enum class Spare : std::uint8_t { last, spread };

// The parts of a group that get positions, the largest first where not all of them are needed.
std::vector<Part> parts_of(const Topology& topology, int group, int positions, Spare spare) {
  std::vector<Part> parts;
  for (const int member : topology.members(group)) {
    const int inner = topology.group_at(member, topology.group(group).level + 1);
    if (inner == group)
      parts.push_back({.rank = member});
    else
      parts.push_back({.group = inner, .ranks = static_cast<int>(topology.group(inner).ranks.size())});
  }
  std::vector<std::size_t> order(parts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return parts[a].ranks > parts[b].ranks; });
  int left = positions;
  for (const std::size_t i : order) {
    parts[i].positions = std::min(left, parts[i].ranks);
    left -= parts[i].positions;
  }
  std::erase_if(parts, [](const Part& part) { return part.positions == 0; });
  if (spare == Spare::spread) {
    for (Part& part : parts) part.positions = 0;
    for (left = positions; left > 0;)
      for (Part& part : parts)
        if (left > 0 && part.positions < part.ranks) {
          ++part.positions;
          --left;
        }
  }
  return parts;
}

class Mapper {
 public:
  Mapper(const NeighbourGraph& graph, const Topology& topology, const CartesianGrid* grid, Spare spare)
      : graph_(graph), topology_(topology), grid_(grid), spare_(spare), rank_of_position_(graph.size(), -1) {}

  std::vector<int> map() {
    std::vector<int> all(graph_.size());
    std::iota(all.begin(), all.end(), 0);
    std::optional<GridBlock> block;
    if (grid_ != nullptr) block = GridBlock{std::vector<int>(grid_->sizes.size()), grid_->sizes};
    place(0, all, block);
    return rank_of_position_;
  }

 private:
  void place(int group, const std::vector<int>& positions, const std::optional<GridBlock>& block) {
    const Group& here = topology_.group(group);
    if (here.children.empty()) {
      for (std::size_t i = 0; i < positions.size(); ++i) rank_of_position_[positions[i]] = here.ranks[i];
      return;
    }
    const std::vector<Part> parts = parts_of(topology_, group, static_cast<int>(positions.size()), spare_);
    std::vector<int> sizes;
    for (const Part& part : parts) sizes.push_back(part.positions);
    std::optional<std::vector<GridBlock>> blocks;
    if (block) blocks = cut_into_blocks(*grid_, *block, sizes);
    std::vector<int> part_of;
    if (!blocks) part_of = partition_graph(graph_.between(positions), sizes);
    for (std::size_t p = 0; p < parts.size(); ++p) {
      std::vector<int> own;
      if (blocks)
        own = (*blocks)[p].positions(*grid_);
      else
        for (std::size_t i = 0; i < positions.size(); ++i)
          if (part_of[i] == static_cast<int>(p)) own.push_back(positions[i]);
      if (parts[p].group < 0)
        rank_of_position_[own.front()] = parts[p].rank;
      else
        place(parts[p].group, own, blocks ? std::optional((*blocks)[p]) : std::nullopt);
    }
  }

  const NeighbourGraph& graph_;
  const Topology& topology_;
  const CartesianGrid* grid_;
  Spare spare_;
  std::vector<int> rank_of_position_;
};

void check_positions(int positions, const Topology& topology) {
  if (positions > topology.size())
    throw BadInput(std::to_string(positions) + " positions for " + std::to_string(topology.size()) +
                   " ranks; as many or fewer would be right");
}

// The mapping that crosses least; of equals the first.
std::vector<int> best_of(const NeighbourGraph& graph, const Topology& topology,
                         std::vector<std::vector<int>> mappings) {
  std::size_t best = 0;
  std::vector<std::int64_t> least = crossings(graph, topology, mappings.front());
  for (std::size_t i = 1; i < mappings.size(); ++i) {
    std::vector<std::int64_t> weights = crossings(graph, topology, mappings[i]);
    if (weights >= least) continue;
    least = std::move(weights);
    best = i;
  }
  return std::move(mappings[best]);
}

std::vector<int> in_order(int positions) {
  std::vector<int> ranks(positions);
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

constexpr int max_positions_divided_twice = 2048;

std::vector<int> map(const NeighbourGraph& graph, const Topology& topology, const CartesianGrid* grid) {
  check_positions(graph.size(), topology);
  std::vector<std::vector<int>> mappings = {in_order(graph.size())};
  for (const Spare spare : {Spare::last, Spare::spread}) {
    if (spare == Spare::spread && graph.size() == topology.size()) continue;
    mappings.push_back(Mapper(graph, topology, grid, spare).map());
    // Blocks need not be best for groups of unequal sizes.
    if (grid != nullptr && graph.size() <= max_positions_divided_twice)
      mappings.push_back(Mapper(graph, topology, nullptr, spare).map());
  }
  return best_of(graph, topology, std::move(mappings));
}

}  // namespace

std::vector<int> map_graph(const NeighbourGraph& graph, const Topology& topology) {
  return map(graph, topology, nullptr);
}

std::vector<int> map_grid(const CartesianGrid& grid, const Topology& topology) {
  return map(graph_of(grid), topology, &grid);
}

}  // namespace isthmus
