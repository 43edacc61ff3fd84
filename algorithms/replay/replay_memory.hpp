// What several replays on one network may have in common, one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "algorithms/network/network.hpp"
#include "algorithms/replay/compiled_schedule.hpp"
#include "algorithms/replay/frame_interleaver.hpp"
#include "algorithms/replay/free_lanes.hpp"
#include "algorithms/replay/happenings.hpp"
#include "algorithms/replay/route_table.hpp"

namespace isthmus {

/// The memory of a replay by events.
struct EngineMemory {
  Happenings happenings;
  FreeLanes free_lanes;
  std::vector<std::uint32_t> before_links, crossing;          ///< messages whose head is at a link at this moment
  std::vector<FrameInterleaver<std::uint32_t>> interleavers;  ///< by link; only with frames

  /// For another replay, with so many links that interleave.
  void clear(std::size_t interleaving_links) {
    happenings.clear();
    free_lanes.clear();
    before_links.clear();
    crossing.clear();
    interleavers.resize(interleaving_links);
    for (FrameInterleaver<std::uint32_t>& one : interleavers) one.clear();
  }
};

/// The table of routes, which takes longer to make than a few ranks take to replay, and memory. Not for several replays
/// at a time.
class ReplayMemory {
 public:
  /// For replays on this network from here on, which must outlive them and stay as it is.
  void serve(const Network& network) {
    network_ = &network;
    routes_.reset();
  }

  /// Of the network, with all links free. Throws as RouteTable().
  RouteTable& free_routes() {
    if (routes_)
      routes_->reset();
    else
      routes_.emplace(*network_);
    return *routes_;
  }
  EngineMemory& engine() { return engine_ ? *engine_ : engine_.emplace(); }
  CompileMemory& compile() { return compile_; }
  /// Gives back what the schedule that was compiled last does not need: much, where ranks are many.
  void forget_programs() {
    CompiledSchedule schedule = std::move(compile_.schedule);
    compile_ = {};
    compile_.schedule = std::move(schedule);
  }

 private:
  const Network* network_ = nullptr;
  std::optional<RouteTable> routes_;
  std::optional<EngineMemory> engine_;
  CompileMemory compile_;
};

}  // namespace isthmus
