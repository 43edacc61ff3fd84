// A collective is a schedule: for every rank one program, the list of what it sends, receives, reduces and copies.
//
// The order of operations counts. A program has one or more lanes. Within a lane operations are issued in program
// order. Each operation waits for those that it depends on (dependencies.hpp derives them from what is read and
// written), and no later operation of the lane is issued before it. Issued sends and receives then complete on their
// own. Lanes advance independently of each other. Messages match by (source, destination, lane), first in, first out.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "algorithms/schedule/slice.hpp"

namespace isthmus {

enum class OpKind : std::uint8_t { send, receive, reduce, copy, wait };

/// One operation of one rank. The kind determines which slices are used: send reads `from`; receive writes `to`; copy
/// writes `to`, reads `from`; reduce writes `to` = `from` (op) `right`, in this operand order; `to` may be the same
/// slice as either operand. wait reads `from` and does nothing with it: no later operation of the lane is issued before
/// what wrote the slice has completed. This paces a lane by what another lane receives.
struct Op {
  OpKind kind = OpKind::copy;
  std::uint16_t lane = 0;
  std::int32_t peer = -1;  ///< rank at the other end of a send or receive, else -1
  Slice to, from, right;

  bool operator==(const Op&) const = default;
};

/// `one_send_at_a_time`: a send is issued only when the send before it in the lane has completed, as a blocking
/// MPI_Send does: at once up to the transport's buffered size; a larger message completes when the receiver has
/// acknowledged it.
struct Lane {
  bool one_send_at_a_time = false;

  bool operator==(const Lane&) const = default;
};

/// The operations of one rank, in order. New operations go to the current lane; at first there is one lane (0).
/// Operations on empty slices are not recorded; reserve() of 0 elements is allowed. Throws BadInput for more than
/// max_operations, which take a gigabyte.
class Program {
 public:
  static constexpr std::size_t max_operations = std::size_t{1} << 24;

  void send(Slice from, int peer) { add({OpKind::send, lane_, peer, {}, from, {}}, from.count); }
  void receive(Slice to, int peer) { add({OpKind::receive, lane_, peer, to, {}, {}}, to.count); }
  void reduce(Slice into, Slice left, Slice right) { add({OpKind::reduce, lane_, -1, into, left, right}, into.count); }
  void copy(Slice to, Slice from) { add({OpKind::copy, lane_, -1, to, from, {}}, to.count); }
  void wait(Slice from) { add({OpKind::wait, lane_, -1, {}, from, {}}, from.count); }

  /// A fresh slice of scratch.
  Slice reserve(std::int64_t count) {
    scratch_count_ += count;
    return {Buffer::scratch, scratch_count_ - count, count};
  }

  /// Adds a lane and makes it the current one. Returns its number.
  int add_lane(Lane lane = {});
  void use_lane(int lane);
  void set_lane(Lane lane) { lanes_[lane_] = lane; }

  std::span<const Op> ops() const { return ops_; }
  std::span<const Lane> lanes() const { return lanes_; }
  std::int64_t scratch_count() const { return scratch_count_; }

  /// Write access, for other numbers of peers and for tests that plant mistakes.
  std::vector<Op>& mutable_ops() { return ops_; }

  /// Empties the program and keeps its memory, so that a million programs can be written in one.
  void clear();

  bool operator==(const Program&) const = default;

 private:
  void add(const Op& op, std::int64_t count) {
    if (count <= 0) return;
    if (ops_.size() >= max_operations) refuse_more();
    ops_.push_back(op);
  }
  [[noreturn]] static void refuse_more();

  std::vector<Op> ops_;
  std::vector<Lane> lanes_{1};
  std::int64_t scratch_count_ = 0;
  std::uint16_t lane_ = 0;
};

/// The programs of all ranks, index = rank.
using Schedule = std::vector<Program>;

/// Writes the program of `rank` into an empty program. It is an algorithm with everything fixed except the rank.
using ProgramSource = std::function<void(int rank, Program& program)>;

/// An estimate of the memory for the programs of all ranks, from those written so far.
class ScheduleEstimate {
 public:
  ScheduleEstimate(int size, std::size_t bytes_of_operation) : size_(size), bytes_of_operation_(bytes_of_operation) {}

  /// Throws BadInput with the estimate when there is not enough memory for the remaining ranks.
  void add_rank(std::size_t operations);

 private:
  int size_, ranks_ = 0;
  std::size_t bytes_of_operation_;
  std::size_t operations_ = 0, largest_ = 0, next_look_ = std::size_t{1} << 20;
};

/// All programs of a source. Throws BadInput as ScheduleEstimate does.
Schedule materialise(int size, const ProgramSource& source);

}  // namespace isthmus
