// A schedule in the compact form that a replay steps through: a few bytes an operation, messages matched beforehand.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/models/network.hpp"
#include "algorithms/schedule/program.hpp"

namespace isthmus {

/// What a lane does next, in four bytes. Waits stand before the operation that needs them; those that an earlier
/// operation of the same lane has already waited for are left out.
class Step {
 public:
  enum Kind : std::uint32_t { send, receive, wait_sent, wait_received, local };
  static constexpr std::uint32_t most_messages = 1U << 29;

  Step(Kind kind, std::uint32_t message) : word_(kind << 29 | message) {}
  Kind kind() const { return static_cast<Kind>(word_ >> 29); }
  std::uint32_t message() const { return word_ & (most_messages - 1); }
  bool operator==(const Step&) const = default;

 private:
  std::uint32_t word_;
};

/// A matched send and receive; or a local operation (reduce, copy) that another lane waits for, which has no receiver.
struct CompiledMessage {
  std::int64_t bytes = 0;
  std::int32_t from = 0;
  std::int32_t to = -1;       ///< -1: a local operation
  std::uint16_t lane = 0;     ///< of its rank, at both ends
  bool acknowledged = false;  ///< its sender waits for the acknowledgement (Lane::one_send_at_a_time)
};

struct CompiledSchedule {
  std::vector<Step> steps;                 ///< lane by lane
  std::vector<std::uint32_t> lane_begin;   ///< by lane: its first step; one more entry for the end
  std::vector<std::uint32_t> first_lanes;  ///< by rank; one more entry for the end; empty when each rank has one lane
  std::vector<CompiledMessage> messages;
  std::int64_t sends = 0;  ///< messages that are no local operations
  std::int64_t bytes = 0;
  /// By message, only on request: the operations at both ends, as indices into the programs.
  std::vector<std::int32_t> sending_op, receiving_op;

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
