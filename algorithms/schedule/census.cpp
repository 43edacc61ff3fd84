#include "algorithms/schedule/census.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "algorithms/errors.hpp"
#include "algorithms/schedule/dependencies.hpp"
#include "algorithms/schedule/execution.hpp"
#include "algorithms/schedule/matching.hpp"
#include "algorithms/schedule/text.hpp"

namespace isthmus {
namespace {

void add(Census& counted, int rank, const Program& program, std::int64_t element_bytes) {
  RankCensus& own = counted.ranks.emplace_back();
  const std::size_t first = counted.pairs.size();
  for (const Op& op : program.ops()) {
    switch (op.kind) {
      case OpKind::send: {
        const Traffic message{1, op.from.count * element_bytes};
        own.sent += message;
        counted.pairs.push_back({rank, op.peer, message});
        break;
      }
      case OpKind::receive:
        own.received += Traffic{1, op.to.count * element_bytes};
        break;
      case OpKind::reduce:
        own.reduced_bytes += op.to.count * element_bytes;
        break;
      case OpKind::copy:
        own.copied_bytes += op.to.count * element_bytes;
        break;
      case OpKind::wait:
        break;
    }
  }
  counted.total += own.sent;
  const auto begin = counted.pairs.begin() + static_cast<std::ptrdiff_t>(first);
  std::sort(begin, counted.pairs.end(),
            [](const PairCensus& a, const PairCensus& b) { return a.destination < b.destination; });
  std::size_t kept = first;
  for (std::size_t i = first; i < counted.pairs.size(); ++i) {
    if (kept > first && counted.pairs[kept - 1].destination == counted.pairs[i].destination)
      counted.pairs[kept - 1].traffic += counted.pairs[i].traffic;
    else
      counted.pairs[kept++] = counted.pairs[i];
  }
  counted.pairs.resize(kept);
}

// The number of messages that must have arrived before an operation can be issued, and before it completes.
class Chains {
 public:
  Chains(const Schedule& schedule, const Matching& matching, const Execution& execution,
         const std::function<bool(int, int)>& counts)
      : schedule_(schedule), matching_(matching), execution_(execution), counts_(counts) {
    issued_.assign(matching.first(static_cast<int>(schedule.size())), 0);
    completed_.assign(issued_.size(), 0);
    for (const Program& program : schedule) {
      first_lane_.push_back(static_cast<int>(lanes_.size()));
      lanes_.resize(lanes_.size() + program.lanes().size());
    }
  }

  bool local(int rank, int op) {
    completed_[matching_.number(rank, op)] = issued(rank, op);
    return true;
  }

  bool message(int source, int send, int destination, int receive) {
    const int chain =
        std::max(issued(source, send), issued(destination, receive)) + (counts_(source, destination) ? 1 : 0);
    completed_[matching_.number(destination, receive)] = chain;
    longest_ = std::max(longest_, chain);
    return true;
  }

  int longest() const { return longest_; }

 private:
  struct Progress {
    int next = 0;    // operations of the lane before this one have been looked at
    int issued = 0;  // messages that the last of them waited for
  };

  // An operation is issued after those before it in its lane.
  int issued(int rank, int op) {
    const std::span<const Op> ops = schedule_[rank].ops();
    Progress& lane = lanes_[first_lane_[rank] + ops[op].lane];
    for (; lane.next <= op; ++lane.next) {
      if (ops[lane.next].lane != ops[op].lane) continue;
      const int number = matching_.number(rank, lane.next);
      for (const int other : execution_.after(number)) {
        const int before = other - matching_.first(rank);
        // A later operation may overwrite the sent slice; it does not wait until the message has arrived.
        const bool sent = ops[before].kind == OpKind::send;
        lane.issued = std::max(lane.issued, sent ? issued(rank, before) : completed_[other]);
      }
      issued_[number] = lane.issued;
    }
    return issued_[matching_.number(rank, op)];
  }

  const Schedule& schedule_;
  const Matching& matching_;
  const Execution& execution_;
  const std::function<bool(int, int)>& counts_;
  std::vector<int> issued_, completed_;  // by number of the operation
  std::vector<int> first_lane_;          // by rank
  std::vector<Progress> lanes_;
  int longest_ = 0;
};

}  // namespace

Census census(const Schedule& schedule, std::int64_t element_bytes) {
  Census counted;
  counted.ranks.reserve(schedule.size());
  for (int rank = 0; rank < static_cast<int>(schedule.size()); ++rank)
    add(counted, rank, schedule[rank], element_bytes);
  return counted;
}

Census census(int size, const ProgramSource& source, std::int64_t element_bytes) {
  Census counted;
  counted.ranks.reserve(size);
  Program program;
  for (int rank = 0; rank < size; ++rank) {
    program.clear();
    source(rank, program);
    add(counted, rank, program, element_bytes);
  }
  return counted;
}

int longest_chain(const Schedule& schedule) {
  return longest_chain(schedule, [](int, int) { return true; });
}

int longest_chain(const Schedule& schedule, const std::function<bool(int source, int destination)>& counts) {
  Matching matching;
  matching.match(schedule);
  Execution execution;
  execution.prepare(schedule, matching);
  Dependencies dependencies;
  for (int rank = 0; rank < static_cast<int>(schedule.size()); ++rank) {
    const std::span<const Op> ops = schedule[rank].ops();
    for (int op = 0; op < static_cast<int>(ops.size()); ++op)
      if ((ops[op].kind == OpKind::send || ops[op].kind == OpKind::receive) &&
          matching.partner(matching.number(rank, op)) < 0)
        throw Refused(
            fmt::format("rank {}, operation {} ({}): this message has no other end", rank, op, to_string(ops[op])));
    derive(schedule[rank], dependencies);
    execution.add(rank, dependencies);
  }
  Chains chains(schedule, matching, execution, counts);
  const bool ended = execution.run(
      Sends::buffered, [&](int rank, int op) { return chains.local(rank, op); },
      [&](int source, int send, int destination, int receive) {
        return chains.message(source, send, destination, receive);
      });
  if (!ended) {
    const auto stuck = execution.cycle().front();
    throw Refused(fmt::format("deadlock: rank {}, operation {} ({}) is never issued", stuck.rank, stuck.blocked,
                              to_string(schedule[stuck.rank].ops()[stuck.blocked])));
  }
  return chains.longest();
}

}  // namespace isthmus
