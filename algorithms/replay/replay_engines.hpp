// The two ways in which a compiled schedule is replayed, with the same result to the last bit.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "algorithms/network/network.hpp"
#include "algorithms/replay/compiled_schedule.hpp"
#include "algorithms/replay/replay.hpp"
#include "algorithms/replay/route_table.hpp"
#include "algorithms/schedule/timeline.hpp"

namespace isthmus {

/// Messages and links are left as the replay leaves them: a schedule and a table serve once.
struct ReplayInput {
  const Placement& placement;
  const Transport& transport;
  CompiledSchedule& schedule;
  RouteTable& routes;
  Checkpoint checkpoint = {};

  int host(int rank) const { return placement.host_of_rank[rank]; }
};

/// How far a replay has come; the schedule is complete when every lane is at its end.
struct ReplayProgress {
  std::vector<std::uint32_t> next;  ///< by lane: the step that it waits before, or its end
  std::vector<double> rank_end_s;   ///< by rank
  Timeline timeline;                ///< only when asked for, in no order
};

/// All events in order of time: for any schedule.
ReplayProgress replay_events(const ReplayInput& parts, bool with_timeline);

/// Lane after lane, each as far as it gets, without events. Nothing, with the parts as they were, when something has to
/// be decided by time: processors take time, a message does not leave as soon as it is sent, or a shared link carries
/// messages in another order than that in which one lane sends them. Throws BadInput when a message has no route.
std::optional<ReplayProgress> replay_lanes(const ReplayInput& parts);

}  // namespace isthmus
