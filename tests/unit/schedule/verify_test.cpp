#include "algorithms/schedule/verify.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "algorithms/schedule/access.hpp"
#include "tests/property/schedules.hpp"

namespace isthmus {
namespace {

using namespace testing_schedules;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// ---- a simple reference: element by element, retrying every operation until none can proceed

struct Element {
  int rank;
  std::int64_t index;
  bool operator==(const Element&) const = default;
  auto operator<=>(const Element&) const = default;
};
using Value = std::vector<Element>;  // ordered contributions; empty: undefined
using Memory = std::map<Buffer, std::vector<Value>>;

struct Outcome {
  bool ended = false;
  bool read_undefined = false;
  std::vector<Memory> memory;  // by rank
};

class Reference {
 public:
  Reference(const Schedule& schedule, const std::vector<Memory>& initial) : schedule_(schedule) {
    outcome_.memory = initial;
    for (const Program& program : schedule) {
      issued_.emplace_back(program.ops().size());
      completed_.emplace_back(program.ops().size());
    }
    while (try_all()) {
    }
    outcome_.ended = std::all_of(completed_.begin(), completed_.end(), [](const std::vector<bool>& rank) {
      return std::all_of(rank.begin(), rank.end(), [](bool done) { return done; });
    });
  }
  const Outcome& outcome() const { return outcome_; }

 private:
  static bool conflict(const Op& a, const Op& b) {
    bool found = overlap(written_by(a), written_by(b));
    for (const Slice& read : read_by(a)) found = found || overlap(read, written_by(b));
    for (const Slice& read : read_by(b)) found = found || overlap(written_by(a), read);
    return found;
  }

  bool may_issue(int rank, int op) const {
    const Program& program = schedule_[rank];
    const auto ops = program.ops();
    for (int before = 0; before < op; ++before) {
      const bool same_lane = ops[before].lane == ops[op].lane;
      if (same_lane && !issued_[rank][before]) return false;
      if (conflict(ops[before], ops[op]) && !completed_[rank][before]) return false;
      if (same_lane && program.lanes()[ops[op].lane].one_send_at_a_time && ops[before].kind == OpKind::send &&
          ops[op].kind == OpKind::send && !completed_[rank][before])
        return false;
    }
    return true;
  }

  // The receive that takes a send's message: as many before it in its lane from this source as sends before the send.
  int receive_for(int rank, int send) const {
    const Op& op = schedule_[rank].ops()[send];
    int ahead = 0;
    for (int i = 0; i < send; ++i) {
      const Op& other = schedule_[rank].ops()[i];
      ahead += other.kind == OpKind::send && other.peer == op.peer && other.lane == op.lane;
    }
    const auto theirs = schedule_[op.peer].ops();
    for (int i = 0; i < static_cast<int>(theirs.size()); ++i)
      if (theirs[i].kind == OpKind::receive && theirs[i].peer == rank && theirs[i].lane == op.lane && ahead-- == 0)
        return i;
    return -1;
  }

  std::vector<Value> read(int rank, const Slice& slice) {
    const auto begin = outcome_.memory[rank][slice.buffer].begin() + slice.offset;
    std::vector<Value> values(begin, begin + slice.count);
    for (const Value& value : values) outcome_.read_undefined = outcome_.read_undefined || value.empty();
    return values;
  }
  void write(int rank, const Slice& slice, const std::vector<Value>& values) {
    std::copy(values.begin(), values.end(), outcome_.memory[rank][slice.buffer].begin() + slice.offset);
  }

  bool try_all() {
    bool moved = false;
    for (int rank = 0; rank < static_cast<int>(schedule_.size()); ++rank)
      for (int i = 0; i < static_cast<int>(schedule_[rank].ops().size()); ++i) {
        const Op& op = schedule_[rank].ops()[i];
        if (!issued_[rank][i] && may_issue(rank, i)) {
          issued_[rank][i] = moved = true;
          if (op.kind == OpKind::copy || op.kind == OpKind::reduce) {
            std::vector<Value> values = read(rank, op.from);
            if (op.kind == OpKind::reduce) {
              const std::vector<Value> right = read(rank, op.right);
              for (std::size_t k = 0; k < values.size(); ++k)
                values[k].insert(values[k].end(), right[k].begin(), right[k].end());
            }
            write(rank, op.to, values);
            completed_[rank][i] = true;
          }
        }
        if (op.kind == OpKind::send && issued_[rank][i] && !completed_[rank][i]) {
          const int receive = receive_for(rank, i);
          if (receive < 0 || !issued_[op.peer][receive]) continue;
          write(op.peer, schedule_[op.peer].ops()[receive].to, read(rank, op.from));
          completed_[rank][i] = completed_[op.peer][receive] = moved = true;
        }
      }
    return moved;
  }

  const Schedule& schedule_;
  std::vector<std::vector<bool>> issued_, completed_;
  Outcome outcome_;
};

// ---- random schedules, whose messages all match in number and count

constexpr int elements = 6;  // in each buffer

class RandomCase {
 public:
  explicit RandomCase(unsigned seed) : random_(seed) {
    const int size = 2 + below(3);
    const int lanes = 1 + below(2);
    schedule.resize(size);
    contract.size = size;
    contract.commutative = below(2) == 0;
    contract.input_count.assign(size, elements);
    contract.output_count.assign(size, elements);
    for (int rank = 0; rank < size; ++rank) {
      schedule[rank].reserve(elements);
      schedule[rank].set_lane({.one_send_at_a_time = below(4) == 0});
      for (int lane = 1; lane < lanes; ++lane) schedule[rank].add_lane();
      contract.values.push_back({rank});
      contract.initial.push_back({rank, input(0, elements), rank, 0});
      if (below(4) > 0) contract.initial.push_back({rank, output(0, elements), rank, 10});
    }
    for (int step = 2 + below(14); step > 0; --step) add_step(lanes);
    // Exchanging neighbours makes deadlocks, and messages that cross.
    for (int swaps = below(3); swaps > 0; --swaps) {
      auto& ops = schedule[below(size)].mutable_ops();
      if (ops.size() > 1) {
        const int at = below(static_cast<int>(ops.size()) - 1);
        std::swap(ops[at], ops[at + 1]);
      }
    }
  }

  std::vector<Memory> initial_memory() const {
    std::vector<Memory> memory(schedule.size());
    for (Memory& of_rank : memory)
      for (const Buffer buffer : {Buffer::input, Buffer::output, Buffer::scratch}) of_rank[buffer].resize(elements);
    for (const Piece& piece : contract.initial)
      for (std::int64_t k = 0; k < piece.slice.count; ++k)
        for (const int rank : contract.values[piece.value])
          memory[piece.rank][piece.slice.buffer][piece.slice.offset + k].push_back({rank, piece.first + k});
    return memory;
  }

  /// Requires the final contents of the reference, as far as a contract can express them.
  void require(const std::vector<Memory>& memory) {
    for (int rank = 0; rank < contract.size; ++rank)
      for (std::int64_t at = 0; at < elements; ++at) {
        const Value& value = memory[rank].at(Buffer::output)[at];
        if (value.empty()) continue;
        if (std::any_of(value.begin(), value.end(), [&](const Element& e) { return e.index != value[0].index; }))
          continue;
        std::vector<int> ranks;
        for (const Element& element : value) ranks.push_back(element.rank);
        if (contract.commutative) std::shuffle(ranks.begin(), ranks.end(), random_);
        contract.values.push_back(ranks);
        contract.required.push_back(
            {rank, output(at, 1), static_cast<int>(contract.values.size()) - 1, value[0].index});
      }
  }

  /// Changes one requirement so that it does not hold. Returns false if there is none to change.
  bool spoil() {
    if (contract.required.empty()) return false;
    Piece& piece = contract.required[below(static_cast<int>(contract.required.size()))];
    std::vector<int> ranks = contract.values[piece.value];
    switch (below(4)) {
      case 0:
        ++piece.first;
        return true;
      case 1:
        ranks.push_back(below(contract.size));
        break;
      case 2:
        ranks.front() = (ranks.front() + 1) % contract.size;
        break;
      default:
        if (contract.commutative || !std::next_permutation(ranks.begin(), ranks.end())) ranks.push_back(0);
    }
    contract.values.push_back(ranks);
    piece.value = static_cast<int>(contract.values.size()) - 1;
    return true;
  }

  Schedule schedule;
  Contract contract;

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  Slice slice(std::int64_t count, bool writable) {
    const int which = below(writable ? 4 : 5);
    const Buffer buffer = which == 4 ? Buffer::input : which == 3 ? Buffer::scratch : Buffer::output;
    return {buffer, below(elements - static_cast<int>(count) + 1), count};
  }
  Slice apart_from(const Slice& to, bool may_be_same) {
    for (;;) {
      const Slice from = slice(to.count, false);
      if (!overlap(from, to) || (may_be_same && from == to)) return from;
    }
  }

  void add_step(int lanes) {
    const int size = static_cast<int>(schedule.size());
    const int rank = below(size);
    const std::int64_t count = 1 + below(elements / 2);
    const int lane = below(lanes);
    schedule[rank].use_lane(lane);
    const Slice to = slice(count, true);
    switch (below(6)) {
      case 0:
        return schedule[rank].copy(to, apart_from(to, false));
      case 1:
        return schedule[rank].reduce(to, apart_from(to, true), apart_from(to, true));
      default:
        const int peer = (rank + 1 + below(size - 1)) % size;
        schedule[peer].use_lane(lane);
        schedule[rank].send(slice(count, false), peer);
        return schedule[peer].receive(to, rank);
    }
  }

  std::mt19937 random_;
};

bool counts_match(const Schedule& schedule) {
  std::map<std::tuple<int, int, int>, std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>>> channels;
  for (int rank = 0; rank < static_cast<int>(schedule.size()); ++rank)
    for (const Op& op : schedule[rank].ops()) {
      if (op.kind == OpKind::send) channels[{rank, op.peer, op.lane}].first.push_back(op.from.count);
      if (op.kind == OpKind::receive) channels[{op.peer, rank, op.lane}].second.push_back(op.to.count);
    }
  return std::all_of(channels.begin(), channels.end(),
                     [](const auto& channel) { return channel.second.first == channel.second.second; });
}

TEST(Verify, AgreesWithAReferenceByElementsOnRandomSchedules) {
  Verifier verifier;
  std::map<std::string, int> seen;
  for (unsigned seed = 0; seed < 20000; ++seed) {
    RandomCase random(seed);
    const std::string where = "seed " + std::to_string(seed);
    if (!counts_match(random.schedule)) {
      ASSERT_THAT(verifier.verify(random.schedule, random.contract).message(), HasSubstr("but the message")) << where;
      ++seen["count"];
      continue;
    }
    const Reference reference(random.schedule, random.initial_memory());
    const Outcome& outcome = reference.outcome();
    if (outcome.ended && !outcome.read_undefined) random.require(outcome.memory);
    const Verdict verdict = verifier.verify(random.schedule, random.contract);
    if (!outcome.ended && !outcome.read_undefined) {
      ASSERT_THAT(verdict.message(), StartsWith("deadlock")) << where;
      ++seen["deadlock"];
    } else if (outcome.read_undefined && outcome.ended) {
      ASSERT_THAT(verdict.message(), HasSubstr("which is undefined")) << where;
      ++seen["undefined"];
    } else if (outcome.read_undefined) {
      ASSERT_FALSE(verdict.ok()) << where;
    } else {
      ASSERT_EQ(verdict.message(), "") << where;
      ++seen["right"];
      if (!random.spoil()) continue;
      ASSERT_THAT(verifier.verify(random.schedule, random.contract).message(), HasSubstr("ends with the wrong output["))
          << where;
      ++seen["wrong"];
    }
  }
  for (const char* outcome : {"count", "deadlock", "undefined", "right", "wrong"})
    EXPECT_GT(seen[outcome], 100) << outcome;
}

// ---- the verifier itself

TEST(Verify, AFaultLeavesNoTraceInTheNextProof) {
  Verifier verifier;
  for (int round = 0; round < 3; ++round) {
    EXPECT_TRUE(verifier.verify(ring_allreduce(5, 11), allreduce_contract(5, 11)).ok());
    EXPECT_FALSE(verifier.verify(binomial_broadcast(8, 1, 7), broadcast_contract(8, 0, 7)).ok());
    Schedule short_of_one = ring_allreduce(5, 11);
    short_of_one[2].mutable_ops().pop_back();
    EXPECT_FALSE(verifier.verify(short_of_one, allreduce_contract(5, 11)).ok());
    EXPECT_TRUE(verifier.verify(binomial_broadcast(8, 1, 7), broadcast_contract(8, 1, 7)).ok());
  }
}

TEST(Verify, MessagesAreOneLine) {
  const std::string message = verify(binomial_broadcast(8, 1, 7), broadcast_contract(8, 0, 7)).message();
  EXPECT_FALSE(message.empty());
  EXPECT_EQ(message.find('\n'), std::string::npos);
}

TEST(Verify, ADeadlockSaysHowItGoesAround) {
  Schedule schedule(6);
  for (int rank = 0; rank < 6; ++rank) {
    schedule[rank].receive(output(0, 1), wrap(rank - 1, 6));
    schedule[rank].send(output(0, 1), wrap(rank + 1, 6));
  }
  EXPECT_THAT(verify(schedule, broadcast_contract(6, 0, 1)).message(), HasSubstr("; ... a cycle of 6"));
}

TEST(Verify, DeadlocksBetweenLanesAreFound) {
  // Lane 1 of rank 0 forwards what lane 0 receives only after rank 1 has been served from lane 1.
  Schedule schedule(2);
  schedule[0].receive(output(0, 1), 1);
  schedule[0].add_lane();
  schedule[0].send(output(0, 1), 1);
  schedule[1].add_lane();
  schedule[1].receive(output(0, 1), 0);
  schedule[1].use_lane(0);
  schedule[1].send(output(0, 1), 0);
  EXPECT_THAT(verify(schedule, broadcast_contract(2, 1, 1)).message(), StartsWith("deadlock: rank 0, operation 1"));
}

TEST(Verify, ContractsAndDependenciesMustFitTheSchedule) {
  Contract contract = broadcast_contract(3, 0, 1);
  contract.output_count.pop_back();
  EXPECT_THROW(verify(binomial_broadcast(3, 0, 1), contract), std::invalid_argument);
  contract = broadcast_contract(3, 0, 1);
  contract.required[1].slice.count = 2;
  EXPECT_THROW(verify(binomial_broadcast(3, 0, 1), contract), std::invalid_argument);
  contract = broadcast_contract(3, 0, 1);
  contract.initial[0].value = 1;
  EXPECT_THROW(verify(binomial_broadcast(3, 0, 1), contract), std::invalid_argument);
  contract = broadcast_contract(3, 0, 1);
  contract.commutative = false;
  contract.idempotent = true;
  EXPECT_THROW(verify(binomial_broadcast(3, 0, 1), contract), std::invalid_argument);
  const std::vector<Dependencies> too_few(2);
  EXPECT_THROW(Verifier().verify(binomial_broadcast(3, 0, 1), broadcast_contract(3, 0, 1), too_few),
               std::invalid_argument);
  const std::vector<Dependencies> empty(3);
  EXPECT_THROW(Verifier().verify(binomial_broadcast(3, 0, 1), broadcast_contract(3, 0, 1), empty),
               std::invalid_argument);
}

TEST(Verify, LargeSchedulesAreProvedToo) {
  EXPECT_EQ(verify(binomial_broadcast(20000, 777, 1000), broadcast_contract(20000, 777, 1000)).message(), "");
  EXPECT_EQ(verify(chain_broadcast(20, 3, 50000, 10), broadcast_contract(20, 3, 50000)).message(), "");
  EXPECT_EQ(verify(ring_allreduce(100, 1000), allreduce_contract(100, 1000)).message(), "");
}

}  // namespace
}  // namespace isthmus
