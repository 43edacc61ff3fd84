#include "algorithms/neighbourhood/neighbourhood.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "algorithms/errors.hpp"

namespace isthmus {

Neighbourhood::Neighbourhood(std::vector<int> in_degree, std::vector<int> out_degree, std::vector<Edge> edges)
    : in_degree_(std::move(in_degree)), out_degree_(std::move(out_degree)), edges_(std::move(edges)) {
  const auto begins_by = [&](auto end_of, const std::vector<Edge>& sorted) {
    std::vector<std::size_t> begins(in_degree_.size() + 1);
    for (const Edge& edge : sorted) ++begins[static_cast<std::size_t>(end_of(edge)) + 1];
    for (std::size_t i = 1; i < begins.size(); ++i) begins[i] += begins[i - 1];
    return begins;
  };
  std::sort(edges_.begin(), edges_.end(),
            [](const Edge& a, const Edge& b) { return std::tie(a.from, a.slot) < std::tie(b.from, b.slot); });
  incoming_ = edges_;
  std::stable_sort(incoming_.begin(), incoming_.end(), [](const Edge& a, const Edge& b) { return a.to < b.to; });
  begin_ = begins_by([](const Edge& edge) { return edge.from; }, edges_);
  incoming_begin_ = begins_by([](const Edge& edge) { return edge.to; }, incoming_);
}

Neighbourhood Neighbourhood::of_grid(const CartesianGrid& grid, std::span<const int> rank_of_position) {
  const std::vector<int> degree(grid.size(), 2 * grid.dimensions());
  std::vector<Edge> edges;
  const auto rank_at = [&](int position) { return rank_of_position.empty() ? position : rank_of_position[position]; };
  for (int position = 0; position < grid.size(); ++position)
    for (int slot = 0; slot < 2 * grid.dimensions(); ++slot)
      if (const int there = grid.neighbour(position, slot / 2, slot % 2 == 0 ? -1 : 1); there >= 0)
        edges.push_back({rank_at(position), slot, rank_at(there), slot ^ 1});
  return {degree, degree, std::move(edges)};
}

Neighbourhood Neighbourhood::of_lists(const std::vector<NeighbourLists>& lists) {
  const int size = static_cast<int>(lists.size());
  std::vector<int> in_degree, out_degree;
  std::map<std::pair<int, int>, std::vector<int>> places;  // by sender and receiver
  const auto check = [&](int rank, int neighbour) {
    if (neighbour < -1 || neighbour >= size)
      throw BadInput("rank " + std::to_string(rank) + " has the neighbour " + std::to_string(neighbour) + "; 0 to " +
                     std::to_string(size - 1) + " would be right");
  };
  for (int rank = 0; rank < size; ++rank) {
    const NeighbourLists& own = lists[rank];
    in_degree.push_back(static_cast<int>(own.sources.size()));
    out_degree.push_back(static_cast<int>(own.destinations.size()));
    for (int place = 0; place < in_degree.back(); ++place) {
      check(rank, own.sources[place]);
      if (own.sources[place] >= 0) places[{own.sources[place], rank}].push_back(place);
    }
  }
  std::vector<Edge> edges;
  std::map<std::pair<int, int>, std::size_t> used;
  for (int rank = 0; rank < size; ++rank) {
    for (int slot = 0; slot < out_degree[rank]; ++slot) {
      const int to = lists[rank].destinations[slot];
      check(rank, to);
      if (to < 0) continue;
      const auto found = places.find({rank, to});
      std::size_t& number = used[{rank, to}];
      if (found == places.end() || number >= found->second.size())
        throw BadInput("rank " + std::to_string(rank) + " sends more blocks to rank " + std::to_string(to) +
                       " than that receives from it; as many would be right");
      edges.push_back({rank, slot, to, found->second[number++]});
    }
  }
  for (const auto& [pair, expected] : places)
    if (used[pair] != expected.size())
      throw BadInput("rank " + std::to_string(pair.second) + " receives more blocks from rank " +
                     std::to_string(pair.first) + " than that sends to it; as many would be right");
  return {std::move(in_degree), std::move(out_degree), std::move(edges)};
}

}  // namespace isthmus
