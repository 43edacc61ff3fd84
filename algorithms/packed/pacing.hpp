// Pacing: what a site adds of its own waits for the pieces that its host should have received before.
//
// Without it a rank that has its own data from the start fills the queue of a link, and pieces of other ways, which are
// still under way, stand behind all of it; then the links after that one starve. No clock is needed: the programs wait
// for pieces, whose times follow from the packing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "algorithms/schedule/program.hpp"

namespace isthmus {

class Pacing {
 public:
  /// `slack`: how much later than planned a piece may be, in millionths of the time of the collective; 0: no pacing.
  explicit Pacing(std::int64_t slack) : slack_(slack) {}

  /// A piece that comes from another site, in the order of the times at which the rank should have it, for each way and
  /// sender.
  void expect(int way, int sender, std::int64_t due, Slice piece) {
    if (slack_ <= 0) return;
    row_of(way, sender).pieces.push_back({due, piece});
  }

  /// Writes waits into the current lane, `lane`, for all pieces that are due `slack` before `due`: one for each way and
  /// sender.
  void wait_before(Program& program, int lane, std::int64_t due) {
    for (Row& row : rows_) {
      if (static_cast<int>(row.next.size()) <= lane) row.next.resize(lane + 1);
      std::size_t& next = row.next[lane];
      const std::size_t before = next;
      while (next < row.pieces.size() && row.pieces[next].due <= due - slack_) ++next;
      if (next > before) program.wait(row.pieces[next - 1].slice);
    }
  }

 private:
  struct Expected {
    std::int64_t due;
    Slice slice;
  };
  struct Row {
    int way, sender;
    std::vector<Expected> pieces;
    std::vector<std::size_t> next;  // by lane: the first piece that it has not waited for
  };

  Row& row_of(int way, int sender) {
    const auto found = std::find_if(rows_.begin(), rows_.end(),
                                    [&](const Row& row) { return row.way == way && row.sender == sender; });
    return found != rows_.end() ? *found : rows_.emplace_back(Row{way, sender, {}, {}});
  }

  std::int64_t slack_;
  std::vector<Row> rows_;
};

}  // namespace isthmus
