#include "algorithms/replay/compiled_schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "algorithms/errors.hpp"

namespace isthmus {

std::string describe(int rank, std::int64_t number, const Program& program) {
  const Op& op = program.ops()[number];
  switch (op.kind) {
    case OpKind::send:
      return fmt::format("rank {}: operation {} (send of {} elements to rank {})", rank, number, op.from.count,
                         op.peer);
    case OpKind::receive:
      return fmt::format("rank {}: operation {} (receive of {} elements from rank {})", rank, number, op.to.count,
                         op.peer);
    case OpKind::reduce:
      return fmt::format("rank {}: operation {} (reduce of {} elements)", rank, number, op.to.count);
    case OpKind::wait:
      return fmt::format("rank {}: operation {} (wait for {} elements)", rank, number, op.from.count);
    case OpKind::copy:
      break;
  }
  return fmt::format("rank {}: operation {} (copy of {} elements)", rank, number, op.to.count);
}

namespace {

class Compiler {
 public:
  Compiler(int size, std::int64_t element_bytes, const Transport& transport, const ProgramSource& source,
           OpIndices indices, CompileMemory& memory)
      : size_(size),
        element_bytes_(element_bytes),
        transport_(transport),
        source_(source),
        indices_(indices),
        memory_(memory) {}

  void compile() {
    memory_.clear();
    out_.lane_begin.reserve(size_ + 1);
    first_receive_.reserve(size_ + 1);
    for (int rank = 0; rank < size_; ++rank) {
      compile_rank(rank);
      if (rank == size_ / sample) reserve_for_all();
    }
    if (has_many_lanes_) out_.first_lanes.push_back(static_cast<std::uint32_t>(out_.lane_begin.size()));
    out_.lane_begin.push_back(static_cast<std::uint32_t>(out_.steps.size()));
    first_receive_.push_back(static_cast<std::uint32_t>(receives_.size()));
    match();
  }

 private:
  using Receive = CompileMemory::Receive;
  using Seen = CompileMemory::Seen;

  void compile_rank(int rank) {
    program_.clear();
    source_(rank, program_);
    const std::span<const Op> ops = program_.ops();
    estimate_.add_rank(ops.size());
    const std::span<const Lane> lanes = program_.lanes();
    derive(program_, dependencies_);

    if (lanes.size() > 1 && !has_many_lanes_) {  // all ranks before have one
      out_.first_lanes.resize(rank);
      std::iota(out_.first_lanes.begin(), out_.first_lanes.end(), std::uint32_t{0});
      has_many_lanes_ = true;
    }
    if (has_many_lanes_) out_.first_lanes.push_back(static_cast<std::uint32_t>(out_.lane_begin.size()));
    first_receive_.push_back(static_cast<std::uint32_t>(receives_.size()));
    if (streams_.size() < lanes.size()) streams_.resize(lanes.size());
    last_send_.assign(lanes.size(), -1);
    seen_.resize(ops.size());
    for (std::size_t i = 0; i < ops.size(); ++i) seen_[i] = {.kind = ops[i].kind, .lane = ops[i].lane};
    if (lanes.size() > 1) mark_local_operations_that_other_lanes_need(ops);

    for (int i = 0; i < static_cast<int>(ops.size()); ++i) {
      std::vector<Step>& stream = lanes.size() == 1 ? out_.steps : streams_[ops[i].lane];
      if (i == 0 && lanes.size() == 1) out_.lane_begin.push_back(static_cast<std::uint32_t>(out_.steps.size()));
      for (int before : dependencies_.after(i)) wait_for(seen_[before], ops[i].lane, stream);
      add(rank, i, ops[i], lanes[ops[i].lane], stream);
    }
    if (lanes.size() == 1) {
      if (ops.empty()) out_.lane_begin.push_back(static_cast<std::uint32_t>(out_.steps.size()));
      return;
    }
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      out_.lane_begin.push_back(static_cast<std::uint32_t>(out_.steps.size()));
      out_.steps.insert(out_.steps.end(), streams_[lane].begin(), streams_[lane].end());
      streams_[lane].clear();
    }
  }

  // Growing a vector by doubling leaves holes in the heap, tens of megabytes for a schedule of a million ranks. So the
  // total is estimated from the first ranks. An estimate that is too large does no harm, because memory that is never
  // written is not allocated by the kernel.
  static constexpr int sample = 64;
  void reserve_for_all() {
    const auto reserve = [](auto& list) { list.reserve(list.size() * (sample + sample / 8)); };
    reserve(out_.steps);
    reserve(out_.messages);
    reserve(receives_);
  }

  bool has_all_indices() const { return indices_ == OpIndices::all; }

  static bool is_local(OpKind kind) { return kind != OpKind::send && kind != OpKind::receive; }

  void mark_local_operations_that_other_lanes_need(std::span<const Op> ops) {
    for (int i = 0; i < static_cast<int>(ops.size()); ++i) {
      for (int before : dependencies_.after(i)) {
        if (is_local(ops[before].kind) && ops[before].lane != ops[i].lane) seen_[before].awaited_elsewhere = true;
      }
    }
  }

  void wait_for(Seen& before, std::uint16_t lane, std::vector<Step>& stream) {
    if (before.waited_by == lane || (before.done_at_once && before.lane == lane)) return;
    before.waited_by = lane;
    stream.push_back({before.kind == OpKind::receive ? Step::wait_received : Step::wait_sent, before.number});
  }

  void add(int rank, int number, const Op& op, const Lane& lane, std::vector<Step>& stream) {
    Seen& seen = seen_[number];
    if (is_local(op.kind)) {
      seen.done_at_once = true;
      const bool takes_time = op.kind == OpKind::reduce && transport_.reduction_s_per_byte > 0;
      if (!has_all_indices() && !seen.awaited_elsewhere && !takes_time) return;
      seen.number = new_message({takes_time ? op.to.count * element_bytes_ : 0, op.lane}, rank, -1, number);
      stream.push_back({Step::local, seen.number});
      return;
    }
    if (op.peer < 0 || op.peer >= size_) {
      throw Refused(
          fmt::format("{}: there is no such rank; ranks are 0..{}", describe(rank, number, program_), size_ - 1));
    }
    if (op.kind == OpKind::receive) {
      seen.number = static_cast<std::uint32_t>(receives_.size());
      const MessageKind kind{op.to.count * element_bytes_, op.lane};
      if (receive_kinds_.empty() || receive_kinds_.back() != kind) receive_kinds_.push_back(kind);
      receives_.push_back({op.peer, static_cast<std::uint32_t>(receive_kinds_.size()) - 1});
      if (indices_ != OpIndices::none) receiving_op_.push_back(number);
      stream.push_back({Step::receive, seen.number});
      return;
    }
    const std::int64_t bytes = op.from.count * element_bytes_;
    const bool acknowledged = lane.one_send_at_a_time && bytes > transport_.buffered_bytes;
    if (lane.one_send_at_a_time) {
      const int last = last_send_[op.lane];
      if (last >= 0) wait_for(seen_[last], op.lane, stream);
      last_send_[op.lane] = number;
      seen.done_at_once = !acknowledged;
    } else {
      seen.done_at_once = bytes <= transport_.eager_bytes;
    }
    seen.number = new_message({bytes, op.lane, acknowledged}, rank, op.peer, number);
    ++out_.sends;
    if (__builtin_add_overflow(out_.bytes, bytes, &out_.bytes))
      throw BadInput("the messages of this schedule have more than 2^63 - 1 bytes in all; smaller ones would be right");
    stream.push_back({Step::send, seen.number});
  }

  std::uint32_t new_message(const MessageKind& kind, int from, int to, int op) {
    if (out_.messages.size() >= Step::max_messages) {
      throw Refused(
          fmt::format("the schedule has more than {} messages; a larger segment makes fewer", Step::max_messages));
    }
    if (out_.kinds.empty() || out_.kinds.back() != kind) out_.kinds.push_back(kind);
    out_.messages.push_back({.from = from, .to = to, .kind = static_cast<std::uint32_t>(out_.kinds.size()) - 1});
    if (has_all_indices()) out_.sending_op.push_back(op);
    return static_cast<std::uint32_t>(out_.messages.size()) - 1;
  }

  std::int64_t bytes_of(std::uint32_t message) const { return out_.kind_of(out_.messages[message]).bytes; }
  std::uint16_t lane_of(std::uint32_t message) const { return out_.kind_of(out_.messages[message]).lane; }

  // Messages match by (source, destination, lane), first in, first out: sorted by these three the sends to a rank form
  // runs, and each receive takes the next send of its run.
  void match() {
    const std::vector<Message>& messages = out_.messages;
    std::vector<std::uint32_t> ends(size_, 0), to_rank(out_.sends), taken(out_.sends, 0);
    for (const Message& message : messages) {
      if (message.to >= 0) ++ends[message.to];
    }
    std::exclusive_scan(ends.begin(), ends.end(), ends.begin(), std::uint32_t{0});
    for (std::uint32_t number = 0; number < messages.size(); ++number) {
      if (messages[number].to >= 0) to_rank[ends[messages[number].to]++] = number;
    }
    const auto key = [&](std::uint32_t number) { return std::pair(messages[number].from, lane_of(number)); };
    const auto less = [&](std::uint32_t number, const std::pair<std::int32_t, std::uint16_t>& wanted) {
      return key(number) < wanted;
    };

    // Whether a message is the first of its key.
    const auto starts_run = [&](auto at, auto first) { return at == first || key(at[-1]) != key(*at); };

    if (indices_ != OpIndices::none) out_.receiving_op.assign(messages.size(), -1);
    for (int rank = 0; rank < size_; ++rank) {
      const auto first = to_rank.begin() + (rank == 0 ? 0 : ends[rank - 1]), last = to_rank.begin() + ends[rank];
      if (has_many_lanes_) {
        std::stable_sort(first, last, [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
      }
      auto run = first;
      for (std::uint32_t number = first_receive_[rank]; number < first_receive_[rank + 1]; ++number) {
        Receive& receive = receives_[number];
        const MessageKind& kind = receive_kinds_[receive.kind];
        const std::pair wanted{receive.peer, kind.lane};
        if (run == last || key(*run) != wanted) {
          // Fast path: ranks are mostly visited in ascending or descending order.
          if (run != last && run + 1 < last && key(run[1]) == wanted) {
            ++run;
          } else if (run != last && run > first && key(run[-1]) == wanted && starts_run(run - 1, first)) {
            --run;
          } else {
            run = std::lower_bound(first, last, wanted, less);
          }
        }
        if (run == last || key(*run) != wanted) no_match(rank, number);
        const auto matched = run + taken[run - to_rank.begin()]++;
        if (matched >= last || key(*matched) != wanted) no_match(rank, number);
        if (bytes_of(*matched) != kind.bytes) differ_in_size(rank, number, *matched);
        receive.kind = *matched;
        if (indices_ != OpIndices::none) out_.receiving_op[*matched] = receiving_op_[number];
      }
    }
    if (static_cast<std::int64_t>(receives_.size()) != out_.sends) left_over();

    for (Step& step : out_.steps) {
      if (step.kind() == Step::receive || step.kind() == Step::wait_received) {
        step = {step.kind(), receives_[step.message()].kind};
      }
    }
  }

  // ---- errors: the rank's program is written once more to find the operation

  std::string describe_nth(int rank, OpKind kind, std::int64_t nth) {
    program_.clear();
    source_(rank, program_);
    for (std::size_t i = 0; i < program_.ops().size(); ++i) {
      if (program_.ops()[i].kind == kind && nth-- == 0) return describe(rank, static_cast<std::int64_t>(i), program_);
    }
    return fmt::format("rank {}", rank);
  }

  [[noreturn]] void no_match(int rank, std::uint32_t receive) {
    throw Refused(fmt::format("{}: no such message is sent",
                              describe_nth(rank, OpKind::receive, receive - first_receive_[rank])));
  }

  [[noreturn]] void differ_in_size(int rank, std::uint32_t receive, std::uint32_t message) {
    throw Refused(fmt::format("{}: the message has {} B instead of {} B",
                              describe_nth(rank, OpKind::receive, receive - first_receive_[rank]), bytes_of(message),
                              receive_kinds_[receives_[receive].kind].bytes));
  }

  [[noreturn]] void left_over() {
    std::vector<bool> received(out_.messages.size(), false);
    for (const Receive& receive : receives_) received[receive.kind] = true;
    std::uint32_t lost = 0;
    while (received[lost] || out_.messages[lost].to < 0) ++lost;
    std::int64_t nth = 0;
    for (std::uint32_t number = lost; number-- > 0 && out_.messages[number].from == out_.messages[lost].from;) {
      if (out_.messages[number].to >= 0) ++nth;
    }
    throw Refused(fmt::format("{}: nobody receives it", describe_nth(out_.messages[lost].from, OpKind::send, nth)));
  }

  const int size_;
  const std::int64_t element_bytes_;
  const Transport& transport_;
  const ProgramSource& source_;
  const OpIndices indices_;

  // An operation becomes a step or two, and a message or a receive.
  ScheduleEstimate estimate_{size_, 2 * sizeof(Step) + std::max(sizeof(Message), sizeof(Receive))};
  bool has_many_lanes_ = false;  // some rank has several

  CompileMemory& memory_;
  CompiledSchedule& out_ = memory_.schedule;
  std::vector<Receive>& receives_ = memory_.receives;
  std::vector<MessageKind>& receive_kinds_ = memory_.receive_kinds;
  std::vector<std::uint32_t>& first_receive_ = memory_.first_receive;
  std::vector<std::int32_t>& receiving_op_ = memory_.receiving_op;
  Program& program_ = memory_.program;
  Dependencies& dependencies_ = memory_.dependencies;
  std::vector<Seen>& seen_ = memory_.seen;
  std::vector<std::vector<Step>>& streams_ = memory_.streams;
  std::vector<int>& last_send_ = memory_.last_send;
};

}  // namespace

void CompiledSchedule::clear() {
  steps.clear();
  lane_begin.clear();
  first_lanes.clear();
  messages.clear();
  kinds.clear();
  sends = bytes = 0;
  sending_op.clear();
  receiving_op.clear();
  receiving_group.clear();
}

void CompileMemory::clear() {
  schedule.clear();
  receives.clear();
  receive_kinds.clear();
  first_receive.clear();
  receiving_op.clear();
  for (std::vector<Step>& stream : streams) stream.clear();
}

CompiledSchedule& compile(int size, std::int64_t element_bytes, const Transport& transport, const ProgramSource& source,
                          OpIndices indices, CompileMemory& memory) {
  Compiler(size, element_bytes, transport, source, indices, memory).compile();
  return memory.schedule;
}

CompiledSchedule compile(int size, std::int64_t element_bytes, const Transport& transport, const ProgramSource& source,
                         OpIndices indices) {
  CompileMemory memory;
  return std::move(compile(size, element_bytes, transport, source, indices, memory));
}

}  // namespace isthmus
