#include "algorithms/relays/relays.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "algorithms/relays/steps.hpp"
#include "algorithms/schedule/matching.hpp"

namespace isthmus {
namespace {

/// The lanes that relayed messages may take. With those of the schedule there are as many as a call over MPI has tags.
constexpr int max_relay_lanes = 16, max_lanes = 512;

/// A piece of a relayed message at one of its ranks.
struct Stop {
  int piece;
  int before = -1, after = -1;  ///< the ranks on its way; -1: this rank is its source or destination
  Slice own = {};               ///< at the source and destination

  bool relays() const { return before >= 0 && after >= 0; }
};

/// A relayed message.
struct Passage {
  int step = 0;    ///< at which it completes
  int number = 0;  ///< of its send
  int source = 0, destination = 0;
  Slice from, to;
  int lane = 0;
};

class Relaying {
 public:
  Relaying(const Schedule& schedule, const Connectivity& connectivity, std::int64_t piece_elements)
      : schedule_(schedule), connectivity_(connectivity), piece_elements_(std::max<std::int64_t>(piece_elements, 1)) {
    matching_.match(schedule);
  }

  Schedule relayed() {
    find_passages();
    if (passages_.empty()) return schedule_;
    const std::optional<Steps> steps = find_steps(schedule_, matching_);
    if (!steps) return schedule_;
    steps_ = &*steps;
    for (Passage& passage : passages_) passage.step = steps->completed[passage.number];
    std::ranges::sort(passages_, {}, [](const Passage& one) { return std::pair(one.step, one.number); });
    choose_lanes();
    find_stops();
    Schedule made(schedule_.size());
    for (int rank = 0; rank < static_cast<int>(schedule_.size()); ++rank) write(rank, made[rank]);
    return made;
  }

 private:
  bool is_relayed(int rank, const Op& op, int number) const {
    return (op.kind == OpKind::send || op.kind == OpKind::receive) && matching_.partner(number) >= 0 &&
           !(op.kind == OpKind::send ? connectivity_.direct(rank, op.peer) : connectivity_.direct(op.peer, rank));
  }

  void find_passages() {
    for (int rank = 0; rank < static_cast<int>(schedule_.size()); ++rank) {
      const std::span<const Op> ops = schedule_[rank].ops();
      for (int i = 0; i < static_cast<int>(ops.size()); ++i) {
        const int number = matching_.number(rank, i);
        if (ops[i].kind != OpKind::send || !is_relayed(rank, ops[i], number)) continue;
        const int partner = matching_.partner(number);
        const Op& receive = schedule_[ops[i].peer].ops()[partner - matching_.first(ops[i].peer)];
        passages_.push_back({.number = number,
                             .source = rank,
                             .destination = ops[i].peer,
                             .from = ops[i].from,
                             .to = receive.to,
                             .lane = ops[i].lane});
      }
    }
  }

  /// Messages of one flow, from lane to lane between two ranks, keep one lane.
  void choose_lanes() {
    for (const Program& program : schedule_)
      first_lane_ = std::max(first_lane_, static_cast<int>(program.lanes().size()));
    const int free = std::clamp(max_lanes - first_lane_, 1, max_relay_lanes);
    std::map<std::tuple<int, int, int>, int> lane_of_flow;
    for (Passage& passage : passages_) {
      const auto [flow, is_new] = lane_of_flow.try_emplace({passage.source, passage.destination, passage.lane},
                                                           static_cast<int>(lane_of_flow.size()) % free);
      passage.lane = flow->second;
    }
    relay_lanes_ = std::min(free, static_cast<int>(lane_of_flow.size()));
  }

  void find_stops() {
    stops_.resize(schedule_.size());
    std::map<std::pair<int, int>, int> turn_of_pair;  // pieces between two ranks so far
    for (int p = 0; p < static_cast<int>(passages_.size()); ++p) {
      const Passage& passage = passages_[p];
      const std::vector<int> classes = connectivity_.classes_between(passage.source, passage.destination);
      int& turn = turn_of_pair.try_emplace({passage.source, passage.destination}, passage.source + passage.destination)
                      .first->second;
      const Segments from = split(passage.from, piece_elements_), to = split(passage.to, piece_elements_);
      auto into = to.begin();
      int piece = 0;
      for (const Slice& part : from) {
        int before = passage.source;
        Stop stop{.piece = piece, .own = part};
        for (const int number : classes) {
          const std::span<const int> members = connectivity_.members(number);
          stop.after = members[turn % static_cast<int>(members.size())];
          stops_[before].emplace_back(p, stop);
          stop = {.piece = piece, .before = before};
          before = members[turn % static_cast<int>(members.size())];
        }
        stop.after = passage.destination;
        stops_[before].emplace_back(p, stop);
        stops_[passage.destination].emplace_back(p, Stop{.piece = piece, .before = before, .own = *into});
        ++into, ++piece, ++turn;
      }
    }
  }

  /// The operations of a rank in the order of their steps; at a step, first the relayed messages that complete there,
  /// in the order that all ranks share, then the others, which may depend on them.
  void write(int rank, Program& program) const {
    const Program& given = schedule_[rank];
    program.set_lane(given.lanes()[0]);
    for (std::size_t lane = 1; lane < given.lanes().size(); ++lane) program.add_lane(given.lanes()[lane]);
    program.reserve(given.scratch_count());
    const std::vector<std::pair<int, Stop>>& stops = stops_[rank];  // ascending
    if (!stops.empty())
      while (static_cast<int>(program.lanes().size()) < first_lane_ + relay_lanes_) program.add_lane();
    std::vector<std::pair<int, int>> others;  // step and operation
    for (int i = 0; i < static_cast<int>(given.ops().size()); ++i) {
      const int number = matching_.number(rank, i);
      if (!is_relayed(rank, given.ops()[i], number)) others.emplace_back(steps_->issued[number], i);
    }
    std::ranges::stable_sort(others, {}, &std::pair<int, int>::first);
    std::vector<RelayLane> lanes = relay_lanes(stops, program);
    std::size_t next = 0;
    for (const auto& [p, stop] : stops) {
      const Passage& passage = passages_[p];
      for (; next < others.size() && others[next].first < passage.step; ++next)
        copy(given.ops()[others[next].second], program);
      program.use_lane(first_lane_ + passage.lane);
      if (stop.relays())
        lanes[passage.lane].pass_on(program);
      else if (stop.after >= 0)
        program.send(stop.own, stop.after);
      else
        program.receive(stop.own, stop.before);
    }
    for (; next < others.size(); ++next) copy(given.ops()[others[next].second], program);
  }

  static void copy(const Op& op, Program& program) {
    program.use_lane(op.lane);
    switch (op.kind) {
      case OpKind::send:
        return program.send(op.from, op.peer);
      case OpKind::receive:
        return program.receive(op.to, op.peer);
      case OpKind::reduce:
        return program.reduce(op.to, op.from, op.right);
      case OpKind::copy:
        return program.copy(op.to, op.from);
      case OpKind::wait:
        return program.wait(op.from);
    }
  }

  /// What a rank relays in one lane, in order. Pieces wait in a ring of slots, and some receives are posted ahead; but
  /// none before an operation of the rank itself that comes earlier in the lane.
  struct RelayLane {
    struct Item {
      int before, after;
      std::int64_t count;
      int run;  ///< of pieces with no operation of the rank itself between them
    };
    std::vector<Item> items;
    std::vector<Slice> slots;
    std::size_t received = 0, sent = 0;

    void pass_on(Program& program) {
      constexpr std::size_t ahead = max_held_pieces / 2;
      for (; received < items.size() && received <= sent + ahead && items[received].run == items[sent].run; ++received)
        program.receive(slot(received), items[received].before);
      program.send(slot(sent), items[sent].after);
      ++sent;
    }
    Slice slot(std::size_t item) const { return slots[item % slots.size()].part(0, items[item].count); }
  };

  std::vector<RelayLane> relay_lanes(const std::vector<std::pair<int, Stop>>& stops, Program& program) const {
    std::vector<RelayLane> lanes(relay_lanes_);
    std::vector<int> runs(relay_lanes_);
    for (const auto& [p, stop] : stops) {
      const int lane = passages_[p].lane;
      if (!stop.relays()) {
        ++runs[lane];
        continue;
      }
      const std::int64_t left = passages_[p].from.count - stop.piece * piece_elements_;
      lanes[lane].items.push_back({stop.before, stop.after, std::min(left, piece_elements_), runs[lane]});
    }
    for (RelayLane& lane : lanes) {
      std::int64_t longest = 0;
      for (const RelayLane::Item& item : lane.items) longest = std::max(longest, item.count);
      for (std::size_t i = 0; i < std::min<std::size_t>(max_held_pieces, lane.items.size()); ++i)
        lane.slots.push_back(program.reserve(longest));
    }
    return lanes;
  }

  const Schedule& schedule_;
  const Connectivity& connectivity_;
  const std::int64_t piece_elements_;
  Matching matching_;
  std::vector<Passage> passages_;  // in the order that all ranks share
  const Steps* steps_ = nullptr;
  int first_lane_ = 1, relay_lanes_ = 1;
  std::vector<std::vector<std::pair<int, Stop>>> stops_;  // by rank: passage, and what the rank does for it
};

}  // namespace

Schedule with_relays(const Schedule& schedule, const Connectivity& connectivity, std::int64_t piece_elements) {
  if (connectivity.complete()) return schedule;
  return Relaying(schedule, connectivity, piece_elements).relayed();
}

ProgramSource with_relays(ProgramSource programs, const Connectivity& connectivity, int size,
                          std::int64_t piece_elements) {
  struct Made {
    std::once_flag once;
    Schedule schedule;
  };
  return [programs = std::move(programs), &connectivity, size, piece_elements, made = std::make_shared<Made>()](
             int rank, Program& program) {
    std::call_once(made->once,
                   [&] { made->schedule = with_relays(materialise(size, programs), connectivity, piece_elements); });
    program = made->schedule[rank];
  };
}

ProgramSource with_relays_after(ProgramSource programs, int ranks, const Connectivity& connectivity, int size,
                                std::int64_t piece_elements) {
  ProgramSource of_all = [programs = std::move(programs), ranks](int rank, Program& program) {
    if (rank < ranks) programs(rank, program);
  };
  return with_relays(std::move(of_all), connectivity, size, piece_elements);
}

}  // namespace isthmus
