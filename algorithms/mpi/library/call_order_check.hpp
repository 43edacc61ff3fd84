// On request: whether the ranks of a communicator call the same collectives in the same order.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include "algorithms/mpi/executor/mpi_error.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// Every rank tells rank 0 each call that it makes, before it makes it. A call that blocks goes on when rank 0 has
/// heard of it from all. Where that takes too long, or ranks call different things, one line names ranks and calls, and
/// the job ends with exit status 2. Calls that do not block are looked at with the next one that does, or at the end.
class CallOrderCheck {
 public:
  /// Collective over `comm`. `limit_s`: how long the first of the ranks waits for the last.
  CallOrderCheck(MPI_Comm comm, double limit_s);
  ~CallOrderCheck();
  CallOrderCheck(const CallOrderCheck&) = delete;
  CallOrderCheck& operator=(const CallOrderCheck&) = delete;

  /// `call` in words that are the same on all ranks.
  void join(const std::string& call, bool blocks);

 private:
  using Words = std::array<char, 120>;
  struct Told {
    Words words;
    MPI_Request request;
  };

  void hear_of_all(std::size_t calls);
  void compare(std::size_t number) const;
  void wait_for_verdict(const std::string& call);
  std::string situation(std::size_t number) const;

  MPI_Comm comm_ = MPI_COMM_NULL;
  double limit_s_;
  int rank_ = 0, size_ = 0;
  std::size_t calls_ = 0, compared_ = 0;
  std::deque<Told> told_;                       // of other ranks: messages to rank 0 under way
  std::vector<std::deque<std::string>> heard_;  // at rank 0, by rank: calls from compared_ on
};

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
