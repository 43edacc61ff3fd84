#include "algorithms/replay/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "algorithms/errors.hpp"
#include "algorithms/network/forwarded_routes.hpp"
#include "algorithms/replay/forwarded.hpp"
#include "algorithms/replay/replay_engines.hpp"
#include "algorithms/replay/replay_memory.hpp"

namespace isthmus {
namespace {

constexpr std::size_t operations_to_checkpoint = 1 << 16;

/// The same programs, with a call of the checkpoint every few programs.
ProgramSource with_checkpoints(const ProgramSource& source, const Checkpoint& checkpoint) {
  if (!checkpoint) return source;
  return [&, written = std::size_t{0}](int rank, Program& program) mutable {
    source(rank, program);
    written += 1 + program.ops().size();
    if (written < operations_to_checkpoint) return;
    written = 0;
    checkpoint();
  };
}

// The lane's next step is a wait. The blocked operation is the next send or receive of the lane, found by counting.
[[noreturn]] void deadlock(const CompiledSchedule& schedule, const ProgramSource& source, int rank, std::uint32_t lane,
                           std::uint32_t next) {
  std::int64_t passed = 0;
  for (std::uint32_t step = schedule.lane_begin[lane]; step < next; ++step) {
    const Step::Kind kind = schedule.steps[step].kind();
    if (kind == Step::send || kind == Step::receive) ++passed;
  }
  Program program;
  source(rank, program);
  const auto lane_number = static_cast<std::uint16_t>(lane - schedule.first_lane(rank));
  std::int64_t blocked = 0;
  for (std::size_t op = 0; op < program.ops().size(); ++op) {
    if (program.ops()[op].lane != lane_number) continue;
    blocked = static_cast<std::int64_t>(op);
    const OpKind kind = program.ops()[op].kind;
    if ((kind == OpKind::send || kind == OpKind::receive) && passed-- == 0) break;
  }
  const Message& message = schedule.messages[schedule.steps[next].message()];
  const std::string awaited = message.to < 0 ? "an operation of another lane"
                                             : fmt::format("the message from rank {} to rank {} ({} B)", message.from,
                                                           message.to, schedule.kind_of(message).bytes);
  throw Refused(fmt::format("deadlock: {} waits for ever for {}", describe(rank, blocked, program), awaited));
}

/// By rank, then by operation.
Timeline in_order(const Timeline& timeline, int ranks) {
  std::vector<std::size_t> ends(ranks);
  for (const TimedOp& one : timeline) ++ends[one.rank];
  std::exclusive_scan(ends.begin(), ends.end(), ends.begin(), std::size_t{0});
  Timeline sorted(timeline.size());
  for (const TimedOp& one : timeline) sorted[ends[one.rank]++] = one;
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    std::ranges::sort(std::span(sorted).subspan(begin, end - begin), {}, &TimedOp::op);
    begin = end;
  }
  return sorted;
}

/// By message: the group of its receive.
std::vector<std::int32_t> groups_of(const CompiledSchedule& schedule, const ReceiveGroups& groups) {
  std::vector<std::int32_t> of_message(schedule.messages.size(), -1);
  for (std::size_t one = 0; one < of_message.size(); ++one)
    if (const int rank = schedule.messages[one].to; rank >= 0)
      of_message[one] = groups.of_op[rank][schedule.receiving_op[one]];
  return of_message;
}

}  // namespace

Replay replay(const PlacedNetwork& placed, std::int64_t element_bytes, const ProgramSource& source,
              const ReplayOptions& options) {
  const bool with_timeline = options.with_timeline;
  const Checkpoint& checkpoint = options.checkpoint;
  if (has_forwarded_routes(placed.network())) {
    const Carried all = carried(placed, element_bytes, source);
    ReplayOptions of_all = options;
    of_all.groups = nullptr;
    of_all.memory = nullptr;
    Replay replayed = replay(all.placed, element_bytes, all.programs, of_all);
    replayed.rank_end_s.resize(placed.size());
    return replayed;
  }
  const Network& network = placed.network();
  const Placement& placement = placed.placement();
  std::optional<ReplayMemory> own;
  if (options.memory == nullptr) own.emplace().serve(network);
  ReplayMemory& memory = own ? *own : *options.memory;
  RouteTable& routes = memory.free_routes();
  const ProgramSource programs = with_checkpoints(source, checkpoint);
  if (!with_timeline) {
    if (auto by_lanes = replay_lanes({placement, network.transport, routes, element_bytes, programs, options.groups}))
      return *std::move(by_lanes);
  }
  const OpIndices indices = with_timeline               ? OpIndices::all
                            : options.groups != nullptr ? OpIndices::of_receives
                                                        : OpIndices::none;
  CompiledSchedule& schedule =
      compile(placement.size(), element_bytes, network.transport, programs, indices, memory.compile());
  if (own) memory.forget_programs();
  ReplayInput parts{placement, network.transport, schedule, routes, checkpoint, options.limit_s};
  if (options.groups != nullptr) {
    parts.groups = options.groups->size;
    schedule.receiving_group = groups_of(schedule, *options.groups);
  }
  ReplayProgress progress = replay_events(parts, with_timeline, memory.engine());

  for (int rank = 0; rank < placement.size() && !progress.is_cut; ++rank) {
    for (std::uint32_t lane = schedule.first_lane(rank); lane < schedule.first_lane(rank + 1); ++lane) {
      const std::uint32_t next = progress.next[lane];
      if (next < schedule.lane_begin[lane + 1]) deadlock(schedule, source, rank, lane, next);
    }
  }
  Replay replay;
  if (progress.is_cut) replay.seconds = std::numeric_limits<double>::infinity();
  for (double end_s : progress.rank_end_s) replay.seconds = std::max(replay.seconds, end_s);
  replay.rank_end_s = std::move(progress.rank_end_s);
  replay.messages = schedule.sends;
  replay.bytes = schedule.bytes;
  replay.group_end_s = std::move(progress.group_end_s);
  if (with_timeline) replay.timeline = in_order(progress.timeline, placement.size());
  return replay;
}

}  // namespace isthmus
