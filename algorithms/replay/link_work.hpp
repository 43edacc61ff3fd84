// What the links of a replay still have to carry, and so how long it lasts at least. A replay with a limit ends early
// by it: most plans that take too long leave a busy link idle long before their end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "algorithms/replay/replay_engines.hpp"
#include "algorithms/replay/route_table.hpp"

namespace isthmus {

/// The messages of a schedule by shared link, without acknowledgements. Does nothing for a replay without a limit or
/// frames, or with gaps that depend on the number of destinations.
class LinkWork {
 public:
  explicit LinkWork(const ReplayInput& input) : limit_s_(clearly * input.limit_s) {
    if (limit_s_ == std::numeric_limits<double>::infinity() || input.transport.frame_bytes <= 0) return;
    if (!input.routes.has_fixed_gaps()) return;
    links_.resize(input.routes.links());
    for (const Message& message : input.schedule.messages) {
      if (message.to < 0) continue;
      const double size = static_cast<double>(input.schedule.kind_of(message).bytes) + input.transport.header_bytes;
      const int to = input.host(message.to);
      const RouteTable::Route route = input.routes.route(input.host(message.from), to);
      for (std::size_t i = 0; i < route.size(); ++i)
        links_[route[i]].left_s += input.routes.occupied_s(input.routes.link(route[i]), size, to, 0);
    }
  }

  /// A shared link begins to carry a message of so many frames, which occupies it for so long.
  void carry(std::uint32_t link, double start_s, double occupied_s, int frames) {
    if (links_.empty()) return;
    Work& work = links_[link];
    work.free_s = std::max(work.free_s, start_s) + occupied_s;
    work.left_s -= occupied_s;
    is_too_long_ |= work.free_s + work.left_s - few_frames * occupied_s / frames > limit_s_;
  }

  /// Whether some link cannot have carried all its messages within the limit.
  bool is_too_long() const { return is_too_long_; }

 private:
  struct Work {
    double left_s = 0;  ///< of the messages that have not reached the link
    double free_s = 0;  ///< when it has carried the others at the earliest
  };
  // Interleaved messages may be served early by a frame or two, since only whole frames are told apart.
  static constexpr double clearly = 1.005, few_frames = 4;

  double limit_s_;
  std::vector<Work> links_;
  bool is_too_long_ = false;
};

}  // namespace isthmus
