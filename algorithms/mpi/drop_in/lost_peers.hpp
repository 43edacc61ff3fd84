// What MPI calls return when the last gateway to a peer is lost: an error of the MPI, in place of waiting for ever.
#pragma once

#include <mpi.h>

#include <chrono>
#include <optional>

#include "algorithms/mpi/drop_in/forwarding.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace drop_in {

/// The ranks that a call waits for: one of a communicator, or MPI_ANY_SOURCE for any.
struct Peer {
  MPI_Comm comm = MPI_COMM_WORLD;
  int rank = MPI_ANY_SOURCE;
};

/// Whether the call can no longer be answered: the peer's host is lost, or, for a call that waits for any, some host.
bool is_lost(const Forwarding& forwarding, const Peer& peer);
/// An error code whose MPI_Error_string() names the hosts, passed to the communicator's error handler.
int raise_lost(const Forwarding& forwarding, MPI_Comm comm);

/// Repeats `test`, which returns an MPI code and sets `done`, until it is done or fails; or gives up, a second after
/// the peer is lost: then nothing.
template <typename Test>
std::optional<int> wait_unless_lost(const Forwarding& forwarding, const Peer& peer, Test test) {
  constexpr std::chrono::seconds patience(1);
  std::optional<std::chrono::steady_clock::time_point> since;
  for (;;) {
    bool done = false;
    const int code = test(done);
    if (done || code != MPI_SUCCESS) return code;
    if (!forwarding.any_lost() || !is_lost(forwarding, peer)) continue;
    const auto now = std::chrono::steady_clock::now();
    if (!since) since = now;
    if (now - *since > patience) return std::nullopt;
  }
}

/// While it exists a rank is in a call that cannot return such an error (a collective). After a loss, and timeout_s in
/// the same call, the process ends with one line and exit status 2.
class EndsWithLoss {
 public:
  EndsWithLoss() {
    if (forwarding() != nullptr) enter();
  }
  EndsWithLoss(const EndsWithLoss&) = delete;
  EndsWithLoss& operator=(const EndsWithLoss&) = delete;
  ~EndsWithLoss() {
    if (forwarding() != nullptr) leave();
  }

 private:
  static void enter();
  static void leave();
};

/// After a loss, in a thread of its own; returns when the process goes on.
void end_where_no_error_returns(const Forwarding& forwarding);
/// Whether an error of a call on MPI_COMM_WORLD ends the job: then it ends timeout_s after a loss in any case, since
/// calls may not come by here, as those of Fortran.
void errors_are_fatal(bool fatal);

}  // namespace drop_in
}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
