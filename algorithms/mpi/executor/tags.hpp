// The tags of the calls on a communicator.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <set>

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// The maximum number of lanes of a program.
constexpr int tags_of_a_call = 512;
/// Blocks for two calls: one of each kind below.
constexpr int lowest_tag_limit = 2 * tags_of_a_call - 1;

/// The maximum number of calls on a communicator that send and receive at the same time. An MPI searches all pending
/// requests for every message, so that thousands would slow each other.
constexpr int max_calls_under_way = 256;

/// The highest tag of this MPI, from MPI_COMM_WORLD: other communicators may not have the attribute.
int highest_tag();

/// The blocks of tags of one communicator. Persistent calls keep a block of the upper half until they are freed; other
/// calls use the blocks of the lower half in turn. A call whose block is still in use begins when all calls that are at
/// least one turn older have ended on this rank.
///
/// This needs no communication. When a call has ended on a rank, the rank has received all messages of that call and
/// has issued all its sends. MPI keeps the order of messages of one tag, so that messages of the block's next call
/// cannot match receives of the old call. There is no deadlock either: all ranks make their calls in the same order, so
/// that the older calls have been made on every rank, and they end without the new one.
class TagTurns {
 public:
  /// `highest`: at least lowest_tag_limit.
  explicit TagTurns(int highest) : blocks_((static_cast<std::int64_t>(highest) + 1) / tags_of_a_call) {}

  /// The number of the next call, from 0, the same on all ranks.
  std::uint64_t next() { return calls_++; }
  int first_tag(std::uint64_t number) const { return static_cast<int>(number % turn()) * tags_of_a_call; }
  /// The number of persistent calls that have tags, and the tags of each, counted from 0.
  std::int64_t persistent_calls() const { return blocks_ - blocks_ / 2; }
  int first_tag_of_persistent(std::int64_t number) const {
    return static_cast<int>(blocks_ - 1 - number) * tags_of_a_call;
  }

  /// A call holds its tags from begin to end. Blocking calls need not be announced.
  void hold(std::uint64_t number);
  void release(std::uint64_t number);
  /// Whether a call may begin to send and receive.
  bool may_begin(std::uint64_t number) const;

 private:
  std::uint64_t turn() const { return std::min<std::uint64_t>(blocks_ / 2, max_calls_under_way); }

  std::int64_t blocks_;
  std::uint64_t calls_ = 0;
  std::atomic<bool> any_held_ = false;  // so that programs with only blocking collectives take no lock
  mutable std::mutex mutex_;            // another thread may complete a call
  std::set<std::uint64_t> held_;
};

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
