// A schedule in a compact form for the replay: a few bytes per operation, messages already matched.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/network/network.hpp"
#include "algorithms/schedule/dependencies.hpp"
#include "algorithms/schedule/program.hpp"

namespace isthmus {

/// One step of a lane, in four bytes. Waits come before the operation that needs them, without those that an earlier
/// operation of the same lane has already waited for.
class Step {
 public:
  enum Kind : std::uint32_t { send, receive, wait_sent, wait_received, local };
  static constexpr std::uint32_t max_messages = 1U << 29;

  Step(Kind kind, std::uint32_t message) : word_(kind << 29 | message) {}
  Kind kind() const { return static_cast<Kind>(word_ >> 29); }
  std::uint32_t message() const { return word_ & (max_messages - 1); }
  bool operator==(const Step&) const = default;

 private:
  std::uint32_t word_;
};

/// A matched send and receive with its state during the replay, in half a cache line. Also used for a local operation
/// (reduce, copy) that takes time or that another lane waits for; it has no receiver.
struct alignas(32) Message {
  double head_s = 0;  ///< when the head reaches the next link; before the message leaves: when it may leave
  double tail_s = 0;  ///< when the tail reaches it
  std::int32_t from = 0;
  std::int32_t to = -1;       ///< -1: a local operation
  std::uint32_t kind = 0;     ///< in CompiledSchedule::kinds
  std::uint16_t crossed = 0;  ///< number of links of its route crossed so far
  std::uint8_t done = 0;      ///< flags of what has happened
};

/// Properties that consecutive messages often share.
struct MessageKind {
  std::int64_t bytes = 0;     ///< for a local operation: the bytes that take processor time
  std::uint16_t lane = 0;     ///< of its rank, at both ends
  bool acknowledged = false;  ///< the sender waits for an acknowledgement (Lane::one_send_at_a_time)

  bool operator==(const MessageKind&) const = default;
};

struct CompiledSchedule {
  std::vector<Step> steps;                 ///< lane by lane
  std::vector<std::uint32_t> lane_begin;   ///< by lane: its first step; one more entry for the end
  std::vector<std::uint32_t> first_lanes;  ///< by rank; one more entry for the end; empty when each rank has one lane
  std::vector<Message> messages;
  std::vector<MessageKind> kinds;  ///< in the order of messages; a new entry only where it differs from the one before
  std::int64_t sends = 0;          ///< messages that are not local operations
  std::int64_t bytes = 0;
  /// By message, only on request: the operations at both ends, as indices into the programs.
  std::vector<std::int32_t> sending_op, receiving_op;
  std::vector<std::int32_t> receiving_group;  ///< by message, only if its ends are asked for (ReceiveGroups)

  const MessageKind& kind_of(const Message& message) const { return kinds[message.kind]; }

  /// Keeps its memory.
  void clear();

  /// The lanes of a rank are first_lane(rank) .. first_lane(rank + 1) - 1.
  std::uint32_t first_lane(int rank) const {
    return first_lanes.empty() ? static_cast<std::uint32_t>(rank) : first_lanes[rank];
  }
};

/// Which indices of operations a compiled schedule has. With all, every local operation is a step of its own.
enum class OpIndices : std::uint8_t { none, of_receives, all };

/// The memory of a compilation, which the next one may use again.
struct CompileMemory {
  struct Receive {
    std::int32_t peer;
    std::uint32_t kind;  ///< in receive_kinds; once it is matched: the message
  };

  /// The facts of an operation that later operations of the same rank need.
  struct Seen {
    OpKind kind;
    bool done_at_once = false;       ///< for its own lane, it is complete as soon as it has been issued
    bool awaited_elsewhere = false;  ///< a local operation that another lane waits for
    std::uint16_t lane = 0;
    std::int32_t waited_by = -1;  ///< the lane that has waited for it
    std::uint32_t number = 0;     ///< of the message, or of the receive until it is matched
  };

  CompiledSchedule schedule;
  std::vector<Receive> receives;             ///< rank by rank, in program order
  std::vector<MessageKind> receive_kinds;    ///< in this order; a new entry only where it differs from the one before
  std::vector<std::uint32_t> first_receive;  ///< by rank
  std::vector<std::int32_t> receiving_op;    ///< by receive

  // For the current rank.
  Program program;
  Dependencies dependencies;
  std::vector<Seen> seen;
  std::vector<std::vector<Step>> streams;
  std::vector<int> last_send;  ///< by lane

  /// For another compilation.
  void clear();
};

/// Writes and compiles rank after rank; at most one program is in memory at a time. Throws Refused naming a rank and an
/// operation when a send or receive has no match, or the two differ in size.
/// The schedule is in the memory.
CompiledSchedule& compile(int size, std::int64_t element_bytes, const Transport& transport, const ProgramSource& source,
                          OpIndices indices, CompileMemory& memory);
CompiledSchedule compile(int size, std::int64_t element_bytes, const Transport& transport, const ProgramSource& source,
                         OpIndices indices);

/// An operation as error messages name it: `rank 3: operation 5 (receive of 7 elements from rank 2)`.
std::string describe(int rank, std::int64_t op, const Program& program);

}  // namespace isthmus
