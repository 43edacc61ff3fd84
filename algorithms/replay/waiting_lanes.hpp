// The lanes that wait for each message of a replay.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace isthmus {

/// A list of lanes for each message. A lane waits for one message at a time.
class WaitingLanes {
 public:
  WaitingLanes() = default;
  WaitingLanes(std::size_t messages, std::size_t lanes)
      : first_(messages, none), next_(lanes, none), waits_(lanes, false) {}

  /// Nothing happens if the lane waits already.
  void add(std::uint32_t lane, std::uint32_t message) {
    if (waits_[lane]) return;
    waits_[lane] = true;
    next_[lane] = first_[message];
    first_[message] = lane;
  }

  /// Empties the list of a message and calls wakes(lane) for each. A lane for which it returns false goes on waiting.
  template <typename Wakes>
  void take(std::uint32_t message, const Wakes& wakes) {
    std::uint32_t lane = first_[message];
    first_[message] = none;
    while (lane != none) {
      const std::uint32_t after = next_[lane];
      waits_[lane] = false;
      if (!wakes(lane)) add(lane, message);
      lane = after;
    }
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;
  std::vector<std::uint32_t> first_;  // by message
  std::vector<std::uint32_t> next_;   // by lane
  std::vector<bool> waits_;           // by lane
};

}  // namespace isthmus
