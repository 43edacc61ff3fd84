// What the links of a replay still have to carry, and so how long it lasts at least. A replay with a limit ends early
// by it: most plans that take too long leave a busy link idle long before their end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "algorithms/replay/replay_engines.hpp"
#include "algorithms/replay/route_table.hpp"

namespace isthmus {

/// The messages of a schedule by shared link, without acknowledgements.
class LinkWork {
 public:
  LinkWork() = default;
  /// Gaps must not depend on the number of destinations.
  explicit LinkWork(const ReplayInput& input) : links_(input.routes.links()) {
    for (const Message& message : input.schedule.messages) {
      if (message.to < 0) continue;
      const double size = static_cast<double>(input.schedule.kind_of(message).bytes) + input.transport.header_bytes;
      const int to = input.host(message.to);
      const RouteTable::Route route = input.routes.route(input.host(message.from), to);
      for (std::size_t i = 0; i < route.size(); ++i)
        links_[route[i]].left_s += input.routes.occupied_s(input.routes.link(route[i]), size, to, 0);
    }
  }

  bool is_on() const { return !links_.empty(); }

  /// A shared link begins to carry a message, which occupies it for so long. Returns when it has carried all messages
  /// at the earliest.
  double carry(std::uint32_t link, double start_s, double occupied_s) {
    Work& work = links_[link];
    work.free_s = std::max(work.free_s, start_s) + occupied_s;
    work.left_s -= occupied_s;
    return work.free_s + work.left_s;
  }

 private:
  struct Work {
    double left_s = 0;  ///< of the messages that have not reached the link
    double free_s = 0;  ///< when it has carried the others at the earliest
  };
  std::vector<Work> links_;
};

}  // namespace isthmus
