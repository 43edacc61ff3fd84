// Matches sends with receives: by (source, destination, lane), first in, first out.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/schedule/program.hpp"

namespace isthmus {

/// The messages of a schedule. All operations are numbered consecutively: those of rank 0 first, then those of rank 1
/// ... Keeps its memory between schedules.
class Matching {
 public:
  /// Matches all sends and receives. Peers need not be valid ranks: such operations stay unmatched.
  void match(const Schedule& schedule);

  /// The number of a rank's first operation; first(size) is how many operations there are.
  int first(int rank) const { return first_[rank]; }
  int number(int rank, int op) const { return first_[rank] + op; }
  /// The rank of a numbered operation, in time logarithmic in the number of ranks.
  int rank_of(int number) const;

  /// The other end of a send or receive; -1 where there is none, and for reductions and copies.
  int partner(int number) const { return partner_[number]; }

 private:
  // Either sends that wait for receives, or receives that wait for sends. There are never both: a new operation takes
  // the first that waits.
  struct Channel {
    std::uint64_t ends = 0;
    std::uint32_t lane = 0;
    std::uint32_t round = 0;  ///< number of the call of match(); channels of earlier calls are free
    int head = -1;
    int tail = -1;
    OpKind kind = OpKind::send;
  };

  Channel& channel(std::uint64_t ends, std::uint32_t lane);
  void grow();

  std::vector<int> first_;
  std::vector<int> partner_;
  std::vector<int> next_;  // of the same channel
  std::vector<Channel> channels_ = std::vector<Channel>(64);
  std::size_t used_ = 0;
  std::uint32_t round_ = 0;
};

}  // namespace isthmus
