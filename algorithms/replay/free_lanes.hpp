// Lanes that events of one moment made ready, the lowest rank first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace isthmus {

class FreeLanes {
 public:
  using RankAndLane = std::pair<int, std::uint32_t>;

  void add(int rank, std::uint32_t lane) {
    heap_.emplace_back(rank, lane);
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  }

  void clear() { heap_.clear(); }
  /// Whether the lowest one is lower than `limit`.
  bool has_before(RankAndLane limit) const { return !heap_.empty() && heap_.front() < limit; }
  /// The lowest one. There must be one.
  RankAndLane take() {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    const RankAndLane lowest = heap_.back();
    heap_.pop_back();
    return lowest;
  }

 private:
  std::vector<RankAndLane> heap_;
};

}  // namespace isthmus
