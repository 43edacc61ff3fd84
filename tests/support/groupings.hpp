// Topologies for tests: groupings of every kind, for any number of ranks.
#pragma once

#include <functional>
#include <random>
#include <string>
#include <vector>

#include "algorithms/topology/topology.hpp"

namespace isthmus::tests {

using Path = std::vector<std::string>;

struct Grouping {
  std::string name;
  Topology topology;
};

/// The topology of `size` ranks with the given path for each.
inline Topology grouped(int size, const std::function<Path(int)>& path_of) {
  std::vector<Path> paths;
  for (int rank = 0; rank < size; ++rank) paths.push_back(path_of(rank));
  return Topology::from_paths(paths);
}

inline std::vector<Grouping> groupings(int size) {
  const auto number = [](int value) { return std::to_string(value); };
  return {
      {"flat", Topology::flat(size)},
      {"two even sites", grouped(size, [&](int rank) { return Path{number(2 * rank / size)}; })},
      {"uneven sites", grouped(size,
                               [&](int rank) {
                                 return Path{number(rank < 1 ? 0 : rank < 1 + size / 4 ? 1 : 2)};
                               })},
      {"sites in turn", grouped(size, [&](int rank) { return Path{number(rank % 3)}; })},
      {"three levels", grouped(size,
                               [&](int rank) {
                                 return Path{number(rank / 9), number(rank / 3)};
                               })},
      {"one rank a site", grouped(size, [&](int rank) { return Path{number(rank)}; })},
      {"one big site", grouped(size, [&](int) { return Path{"all"}; })},
      {"mixed depth", grouped(size,
                              [&](int rank) {
                                const Path deepest = {number(rank % 2), number(rank % 6), number(rank % 12)};
                                return Path(deepest.begin(), deepest.begin() + (rank + 1) % 4);
                              })},
  };
}

/// Paths drawn at random: any depth up to 4, groups of any size, names that recur in different groups.
inline Topology random_topology(int size, std::mt19937& random) {
  const auto below = [&](int bound) { return static_cast<int>(random() % static_cast<unsigned>(bound)); };
  const int names = 1 + below(4), deepest = below(5);
  return grouped(size, [&](int) {
    Path path;
    for (int depth = below(deepest + 1); depth > 0; --depth) path.push_back(std::to_string(below(names)));
    return path;
  });
}

}  // namespace isthmus::tests
