// The paths with the fewest hops between hosts, over the edges that are not lost.
#pragma once

#include <cstddef>
#include <set>
#include <utility>
#include <vector>

namespace isthmus {

class RelayPaths {
 public:
  /// `neighbours` by host.
  explicit RelayPaths(std::vector<std::vector<int>> neighbours) : neighbours_(std::move(neighbours)) {}

  /// An edge can no longer be used, in either direction. False if that was known.
  bool lose(int a, int b);
  /// The edges of a host can be used again.
  void restore(int host);
  bool is_lost(int a, int b) const { return lost_.contains({a < b ? a : b, a < b ? b : a}); }

  /// By host: the number of hops; -1: not reached.
  std::vector<int> hops_from(int host) const;
  /// All shortest paths, each with both ends, but at most `most`; those through different first relays come first.
  std::vector<std::vector<int>> shortest(int from, int to, std::size_t most = 16) const;

 private:
  std::vector<std::vector<int>> neighbours_;
  std::set<std::pair<int, int>> lost_;
};

}  // namespace isthmus
