// Latency and rate by a small program, for kernels without netem: it receives the frames of each hop at one device and
// sends them from another when they are due.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "emulator/agent/containers/container.hpp"
#include "emulator/plan/plan.hpp"

namespace isthmus {

/// Parameters of each hop, in memory shared with the process of the delay line: they can change while it runs.
class HopTable {
 public:
  explicit HopTable(const std::vector<DelayedHop>& hops);
  HopTable(const HopTable&) = delete;
  HopTable& operator=(const HopTable&) = delete;
  ~HopTable();

  struct Hop {
    std::atomic<double> delay_ns, ns_per_byte, loss, jitter_ns, reorder, duplicate;
    std::atomic<std::int64_t> queue_frames;
  };
  void set(int hop, const Queue& queue);
  const Hop& operator[](std::size_t hop) const { return hops_[hop]; }

 private:
  Hop* hops_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Starts a process that passes on the frames of `hops`, whose devices are in `container`. It ends with the caller.
/// `seed` seeds its random numbers. Throws Refused when it cannot open a socket on a device.
void start_delay_line(const std::vector<DelayedHop>& hops, const HopTable& table, std::uint64_t seed,
                      const RunningContainer& container);

}  // namespace isthmus
