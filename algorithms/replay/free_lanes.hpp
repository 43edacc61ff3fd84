// Lanes that events of one moment made ready, the lowest rank first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
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

  /// The lowest one, if it is lower than `limit`.
  std::optional<RankAndLane> take_before(RankAndLane limit) {
    if (heap_.empty() || heap_.front() >= limit) return std::nullopt;
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    const RankAndLane lowest = heap_.back();
    heap_.pop_back();
    return lowest;
  }

 private:
  std::vector<RankAndLane> heap_;
};

}  // namespace isthmus
