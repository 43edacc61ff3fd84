// Pacing: what a site adds of its own waits for the pieces that its host should have received before.
//
// Without it a rank that has its own data from the start fills the queue of a link, and pieces of other ways, which are
// still under way, stand behind all of it; then the links after that one starve. No clock is needed: the programs wait
// for pieces, whose times follow from the packing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "algorithms/schedule/program.hpp"

namespace isthmus {

class Pacing {
 public:
  /// `slack`: how much later than planned a piece may be, in millionths of the time of the collective; 0: no pacing.
  explicit Pacing(std::int64_t slack) : slack_(slack) {}

  /// A piece that comes from another site, in the order of the times at which the rank should have it, for each way and
  /// sender. To be called for all pieces before the first wait.
  void expect(int way, int sender, std::int64_t due, Slice piece) {
    if (slack_ <= 0) return;
    const auto [at, is_new] = row_of_.try_emplace({way, sender}, static_cast<int>(last_of_row_.size()));
    if (is_new) last_of_row_.push_back({due, 0});
    Last& last = last_of_row_[at->second];
    last.due = std::max(last.due, due);
    expected_.push_back({last.due, at->second, piece});
  }

  /// Writes waits into the current lane, `lane`, for all pieces that are due `slack` before `due`: one for each way and
  /// sender, in the order in which these were expected first.
  void wait_before(Program& program, int lane, std::int64_t due) {
    if (next_.empty()) std::ranges::stable_sort(expected_, {}, &Expected::due);
    if (static_cast<int>(next_.size()) <= lane) next_.resize(lane + 1);
    rows_.clear();
    for (std::size_t& next = next_[lane]; next < expected_.size() && expected_[next].due <= due - slack_; ++next) {
      const int row = expected_[next].row;
      last_of_row_[row].piece = next;
      rows_.push_back(row);
    }
    std::ranges::sort(rows_);
    rows_.erase(std::unique(rows_.begin(), rows_.end()), rows_.end());
    for (const int row : rows_) program.wait(expected_[last_of_row_[row].piece].slice);
  }

 private:
  struct Expected {
    std::int64_t due;  // of all before it in its row too
    int row;
    Slice slice;
  };
  struct Last {
    std::int64_t due;
    std::size_t piece;  // in expected_; of the lane that waits
  };

  std::int64_t slack_;
  std::map<std::pair<int, int>, int> row_of_;  // by way and sender
  std::vector<Last> last_of_row_;
  std::vector<Expected> expected_;  // from the first wait on in order of time
  std::vector<std::size_t> next_;   // by lane: the first piece that it has not waited for
  std::vector<int> rows_;           // a member only to reuse its memory
};

}  // namespace isthmus
