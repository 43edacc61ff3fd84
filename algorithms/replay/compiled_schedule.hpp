// A schedule in the compact form that a replay steps through: a few bytes an operation, messages matched beforehand.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/network/network.hpp"
#include "algorithms/schedule/program.hpp"

namespace isthmus {

/// What a lane does next, in four bytes. Waits stand before the operation that needs them; those that an earlier
/// operation of the same lane has already waited for are left out.
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

/// What a replay has to know of a matched send and receive, and where it keeps how far it has got: half a cache line.
/// Or a local operation (reduce, copy) that another lane waits for or that takes time, which has no receiver.
struct alignas(32) Message {
  double head_s = 0;  ///< when the head is before the next link; before it leaves: when it may
  double tail_s = 0;  ///< when the tail is there
  std::int32_t from = 0;
  std::int32_t to = -1;       ///< -1: a local operation
  std::uint32_t kind = 0;     ///< in CompiledSchedule::kinds
  std::uint16_t crossed = 0;  ///< links of its route
  std::uint8_t done = 0;      ///< what of it has happened
};

/// What consecutive messages often have in common.
struct MessageKind {
  std::int64_t bytes = 0;     ///< of a local operation: those that take time
  std::uint16_t lane = 0;     ///< of its rank, at both ends
  bool acknowledged = false;  ///< its sender waits for the acknowledgement (Lane::one_send_at_a_time)

  bool operator==(const MessageKind&) const = default;
};

struct CompiledSchedule {
  std::vector<Step> steps;                 ///< lane by lane
  std::vector<std::uint32_t> lane_begin;   ///< by lane: its first step; one more entry for the end
  std::vector<std::uint32_t> first_lanes;  ///< by rank; one more entry for the end; empty when each rank has one lane
  std::vector<Message> messages;
  std::vector<MessageKind> kinds;  ///< in the order of the messages; a new one where it differs from the one before
  std::int64_t sends = 0;          ///< messages that are no local operations
  std::int64_t bytes = 0;
  /// By message, only on request: the operations at both ends, as indices into the programs.
  std::vector<std::int32_t> sending_op, receiving_op;

  const MessageKind& kind_of(const Message& message) const { return kinds[message.kind]; }

  /// The lanes of a rank are first_lane(rank) .. first_lane(rank + 1) - 1.
  std::uint32_t first_lane(int rank) const {
    return first_lanes.empty() ? static_cast<std::uint32_t>(rank) : first_lanes[rank];
  }
};

/// Writes and compiles rank after rank; no more than one program is held at a time. `with_ops` asks for the indices,
/// and for local operations to be steps of their own. Throws Refused naming a rank and an operation when a send or
/// receive has no match, or the two differ in size.
CompiledSchedule compile(int size, std::int64_t element_bytes, const Transport& transport, const ProgramSource& source,
                         bool with_ops);

/// How an error names an operation: `rank 3: operation 5 (receive of 7 elements from rank 2)`.
std::string describe(int rank, std::int64_t op, const Program& program);

}  // namespace isthmus
