// The two engines of the replay. Their results are identical to the last bit where both give one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "algorithms/network/network.hpp"
#include "algorithms/replay/compiled_schedule.hpp"
#include "algorithms/replay/replay.hpp"
#include "algorithms/replay/replay_memory.hpp"
#include "algorithms/replay/route_table.hpp"
#include "algorithms/schedule/timeline.hpp"

namespace isthmus {

/// What the replay by events needs. It modifies messages and links: a schedule and a table can be used once.
struct ReplayInput {
  const Placement& placement;
  const Transport& transport;
  CompiledSchedule& schedule;
  RouteTable& routes;
  Checkpoint checkpoint = {};
  double limit_s = std::numeric_limits<double>::infinity();  ///< from then on the replay by events goes no further
  std::size_t groups = 0;                                    ///< of receives, whose ends are asked for

  int host(int rank) const { return placement.host_of_rank[rank]; }
  std::int64_t bytes_of(const Message& message) const { return schedule.kind_of(message).bytes; }
  bool is_eager(const Message& message) const { return bytes_of(message) <= transport.eager_bytes; }
  /// Whether the message costs nothing, because it stays on a host without loopback.
  bool is_free(const Message& message) const {
    const int from = host(message.from), to = host(message.to);
    return from == to && routes.route(from, to).size() == 0;
  }
};

/// The state of a replay; the schedule is complete when every lane is at its end.
struct ReplayProgress {
  std::vector<std::uint32_t> next;  ///< by lane: its next step, or its end
  std::vector<double> rank_end_s;   ///< by rank
  Timeline timeline;                ///< only when asked for, not sorted
  std::vector<double> group_end_s;  ///< by group of receives
  bool is_cut = false;              ///< it has not ended within the limit
};

/// Processes all events in order of time: for any schedule.
ReplayProgress replay_events(const ReplayInput& parts, bool with_timeline, EngineMemory& memory);
inline ReplayProgress replay_events(const ReplayInput& parts, bool with_timeline) {
  EngineMemory memory;
  return replay_events(parts, with_timeline, memory);
}

/// What the replay by lanes needs; it changes the links.
struct LanesInput {
  const Placement& placement;
  const Transport& transport;
  RouteTable& routes;
  std::int64_t element_bytes = 1;
  const ProgramSource& source;
  const ReceiveGroups* groups = nullptr;  ///< whose ends are asked for; those of a rank are read after its program
};

/// Runs lane after lane, each as far as possible, without events, while the programs are written. No value, and all
/// links free, when an order has to be decided by time: processors take time, a message does not leave as soon as it is
/// sent, or a shared link may carry messages in another order than one lane sends them. The same when the schedule does
/// not end, when a message lacks its other end, or when very many operations wait. Throws BadInput when a message has
/// no route.
std::optional<Replay> replay_lanes(const LanesInput& input);

}  // namespace isthmus
