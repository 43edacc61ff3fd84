// An optional check that the ranks of a communicator call the same collectives in the same order.
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

/// Every rank sends each call to rank 0 before it makes the call. A blocking call continues when rank 0 has received it
/// from all ranks. If this takes too long, or if ranks make different calls, one line names ranks and calls, and the
/// job ends with exit status 2. Non-blocking calls are checked with the next blocking call, or at the end.
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
  struct Announcement {
    Words words;
    MPI_Request request;
  };

  void receive_calls(std::size_t calls);
  void compare(std::size_t number) const;
  void wait_for_verdict(const std::string& call);
  std::string situation(std::size_t number) const;

  MPI_Comm comm_ = MPI_COMM_NULL;
  double limit_s_;
  int rank_ = 0, size_ = 0;
  std::size_t calls_ = 0, compared_ = 0;
  std::deque<Announcement> announcements_;               // on other ranks: messages to rank 0 in progress
  std::vector<std::deque<std::string>> received_calls_;  // at rank 0, by rank: calls from compared_ on
};

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
