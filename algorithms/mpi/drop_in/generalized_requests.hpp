// The non-blocking collectives that isthmus serves: to the program each is an MPI request, a generalised one, which it
// tests and waits for like any other.
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

/// They have to make progress whenever the program is in MPI, whatever it waits for there: MPI lets a rank wait for a
/// message that is sent only once its part of a collective is done. The profiling interface offers no way to that, the
/// progress engine of the MPI beneath does, where it takes functions of others.
class GeneralizedRequests {
 public:
  GeneralizedRequests() = default;
  GeneralizedRequests(const GeneralizedRequests&) = delete;
  GeneralizedRequests& operator=(const GeneralizedRequests&) = delete;
  ~GeneralizedRequests();

  /// Whether the MPI beneath lets others make progress. Where it does not, no call should be started.
  bool possible();

  /// A call that is served, under way from here on; `ended` is told when it has come to its end. Throws MpiError.
  MPI_Request start(const std::shared_ptr<CommState>& state, const CollectiveCall& call, const CallDecision& answer,
                    std::function<void()> ended);

  bool empty();
  /// Lets all make progress, and ends those that are done. Returns how much was done; 0: nothing.
  int progress();
  /// Does it when the calls that are under way now have ended: at once where there are none.
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
