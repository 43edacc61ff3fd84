// Which tags the calls on a communicator take.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <set>

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// As many as a program may have lanes.
constexpr int tags_of_a_call = 64;
/// Blocks for two calls: one of each kind below.
constexpr int lowest_tag_limit = 2 * tags_of_a_call - 1;

/// Calls on a communicator that send and receive at the same time: an MPI goes through what waits with every message,
/// so that thousands more would make each of them slower.
constexpr int max_calls_under_way = 256;

/// The highest tag that this MPI takes. MPI_COMM_WORLD is asked: other communicators may not have the attribute.
int highest_tag();

/// The blocks of tags of one communicator. Persistent calls keep theirs for life, from the upper half; the others take
/// those of the lower half in turn. A call whose block an older one holds begins when all calls that are a turn older
/// or more have ended on this rank.
///
/// No rank has to be asked for that. A rank on which a call has ended has received all that was sent to it by that
/// call, and has issued all its sends; as MPI keeps the order of messages of one tag, those of the next call of the
/// block can never meet its receives. Nor can ranks wait for each other: they make their calls in the same order, so
/// that whoever makes a call has made the older ones, and these come to their ends without it.
class TagTurns {
 public:
  /// `highest`: at least lowest_tag_limit.
  explicit TagTurns(int highest) : blocks_((static_cast<std::int64_t>(highest) + 1) / tags_of_a_call) {}

  /// The number of a call: they count from 0, alike on all ranks.
  std::uint64_t next() { return calls_++; }
  int first_tag(std::uint64_t number) const { return static_cast<int>(number % turn()) * tags_of_a_call; }
  /// The tags of the persistent calls, of which there are so many; each is counted from 0.
  std::int64_t persistent_calls() const { return blocks_ - blocks_ / 2; }
  int first_tag_of_persistent(std::int64_t number) const {
    return static_cast<int>(blocks_ - 1 - number) * tags_of_a_call;
  }

  /// Between its start and its end a call holds its tags. A blocking one need not say so.
  void hold(std::uint64_t number);
  void release(std::uint64_t number);
  /// Whether a call may send and receive as yet.
  bool may_begin(std::uint64_t number) const;

 private:
  std::uint64_t turn() const { return std::min<std::uint64_t>(blocks_ / 2, max_calls_under_way); }

  std::int64_t blocks_;
  std::uint64_t calls_ = 0;
  std::atomic<bool> any_held_ = false;  // so that who calls nothing but blocking collectives takes no lock
  mutable std::mutex mutex_;            // another thread may bring a call to its end
  std::set<std::uint64_t> held_;
};

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
