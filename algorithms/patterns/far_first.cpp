#include "algorithms/patterns/far_first.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

namespace isthmus {
namespace {

using Part = std::span<const int>;

/// The children of a group, and its ranks in no child as parts of one rank; ascending by their lowest ranks.
std::vector<Part> parts_of(const Topology& topology, int group) {
  std::vector<Part> parts;
  const std::vector<int>& children = topology.group(group).children;
  auto child = children.begin();
  for (const int& member : topology.members(group)) {
    const bool is_child = child != children.end() && topology.group(*child).ranks.front() == member;
    parts.push_back(is_child ? Part(topology.group(*child++).ranks) : Part(&member, 1));
  }
  return parts;
}

std::size_t index_in(Part part, int rank) {
  return static_cast<std::size_t>(std::ranges::lower_bound(part, rank) - part.begin());
}

}  // namespace

std::vector<int> far_first(const Topology& topology, int rank) {
  std::vector<int> order;
  order.reserve(topology.size() - 1);
  for (int level = 0; level <= topology.depth(rank); ++level) {
    const std::vector<Part> parts = parts_of(topology, topology.group_at(rank, level));
    const auto own = static_cast<std::size_t>(
        std::ranges::find_if(parts, [rank](Part part) { return std::ranges::binary_search(part, rank); }) -
        parts.begin());
    const std::size_t index = index_in(parts[own], rank);
    std::size_t largest = 0;
    for (const Part& part : parts) largest = std::max(largest, part.size());
    for (std::size_t round = 0; round < largest; ++round)
      for (std::size_t distance = 1; distance < parts.size(); ++distance) {
        const Part part = parts[(own + distance) % parts.size()];
        if (round < part.size()) order.push_back(part[(index + round) % part.size()]);
      }
  }
  return order;
}

}  // namespace isthmus
