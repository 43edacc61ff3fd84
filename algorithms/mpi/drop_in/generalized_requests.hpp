// Non-blocking collectives that isthmus serves. For the program each is a generalised MPI request, which it tests and
// waits for like any other.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "algorithms/mpi/library/request.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace drop_in {

/// They must make progress whenever the program is in an MPI call: MPI allows a rank to wait for a message that is sent
/// only after the rank's part of a collective is done. The profiling interface does not provide this. The progress
/// engine of the MPI beneath does, if other functions can be registered with it.
class GeneralizedRequests {
 public:
  GeneralizedRequests() = default;
  GeneralizedRequests(const GeneralizedRequests&) = delete;
  GeneralizedRequests& operator=(const GeneralizedRequests&) = delete;
  ~GeneralizedRequests();

  /// Whether functions can be registered with the progress engine of the MPI beneath. If not, no call may be started.
  bool possible();

  /// Starts a call that is served; `ended` is called when it has ended. Throws MpiError.
  MPI_Request start(const std::shared_ptr<CommState>& state, const CollectiveCall& call, const CallDecision& decision,
                    std::function<void()> ended);

  /// Whether a call in progress still needs what the program frees.
  bool need_op(MPI_Op op);
  bool need_type(MPI_Datatype datatype);
  /// Advances all calls and completes those that are done. Returns the number of completed messages and calls.
  int progress();
  /// Calls the function when all calls now in progress have ended; at once if there are none.
  void when_these_have_ended(std::function<void()> work);

 private:
  struct Started {
    std::uint64_t number = 0;
    std::unique_ptr<Request> request;
    MPI_Request handle = MPI_REQUEST_NULL;
    std::function<void()> ended;
    int code = MPI_SUCCESS;
  };
  static int query(void* started, MPI_Status* status);
  static int free(void* started);
  static int cancel(void* started, int complete);

  // Until all calls of lower numbers have ended.
  struct PutOff {
    std::uint64_t number;
    std::function<void()> work;
  };
  template <typename Needs>
  bool any(Needs needs);
  int end_those_done();
  void do_what_was_put_off();

  std::recursive_mutex mutex_;
  bool busy_ = false;
  std::uint64_t calls_ = 0, ended_in_flight_ = 0;
  std::vector<Started*> started_;  // in their order
  std::deque<PutOff> put_off_;
  std::shared_ptr<InFlight> in_flight_;
};

}  // namespace drop_in
}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
