// Calls under way: the non-blocking and the persistent collectives, run by the same executor as the blocking ones.
#pragma once

#include <mpi.h>

#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "algorithms/mpi/executor/executor.hpp"
#include "algorithms/mpi/library/call_buffers.hpp"
#include "algorithms/mpi/library/collective_call.hpp"
#include "algorithms/mpi/library/comm_state.hpp"
#include "algorithms/mpi/library/kept_arguments.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

class Request;

/// The calls under way in a process. Whoever waits lets all of them make progress, or ranks that wait for each other's
/// different calls would wait forever. That cannot be done inside blocking calls of the MPI, not even of those that it
/// has a non-blocking form of: the two do not match.
class InFlight {
 public:
  InFlight();

  bool empty() const { return size_ == 0; }
  /// Lets every call do what it can do by now. What fails is told by its own request.
  void progress() { progress(false); }
  /// The same where the MPI beneath is making progress already and calls this: it is not asked to look at its network
  /// once more. Returns for how many messages and calls this was the end; at least 1 while calls are left to look at.
  int progress_within_mpi() { return progress(true); }
  /// The calls that have ended so far.
  std::uint64_t ended() const { return ended_; }
  /// MPI_Wait(); its code. The calls make progress meanwhile.
  int wait(MPI_Request& request);

 private:
  friend class Request;
  // The MPI beneath may call progress() while it serves a call that a program of isthmus makes of it: none is to be
  // touched then.
  class Busy {
   public:
    explicit Busy(InFlight& in_flight) : in_flight_(in_flight), before_(in_flight.busy_) { in_flight_.busy_ = true; }
    ~Busy() { in_flight_.busy_ = before_; }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;

   private:
    InFlight& in_flight_;
    bool before_;
  };

  void add(Request* request);
  void remove(Request* request);
  int progress(bool within_mpi);
  /// Of the calls from one on, as many as are looked at at a time.
  int progress_of(std::size_t first, bool& look_only);
  /// Asks MPI about the messages of some requests: without progress where `look_only`, which is set when it has been
  /// made. The number that have completed.
  int test_awaited(std::size_t first, std::size_t end, bool& look_only);

  // Of requests, which threads may test side by side.
  std::recursive_mutex mutex_;
  std::vector<Request*> requests_;
  std::size_t others_ = 0;  // which to look at next, of those that are not the oldest
  std::atomic<int> size_ = 0;
  std::atomic<std::uint64_t> ended_ = 0;
  bool busy_ = false;
  bool many_threads_ = false;

  // What all of them wait for: MPI is asked about it at once, or it would look at its network for each.
  struct Awaited {
    std::vector<MPI_Request> requests;
    std::vector<int> ops;
    std::vector<Request*> owners;
    std::vector<int> completed;
    std::vector<MPI_Status> statuses;
  } awaited_;
};

/// A call that has been started, or can be again and again. Operators, the datatypes of reductions and the buffers must
/// stay meanwhile; other datatypes, lists of counts, displacements and datatypes, and the communicator may be freed.
class Request {
 public:
  enum class Kind : std::uint8_t { once, persistent };

  /// `answer` is of the same call: served, or pass_through_reason (then the MPI beneath runs its own non-blocking
  /// form). A call to be made once is started. Collective, as the call is; throws MpiError.
  Request(std::shared_ptr<CommState> state, const CollectiveCall& call, const CallDecision& answer, Kind kind);
  /// Of a call that is left to the MPI beneath, on any communicator.
  Request(std::shared_ptr<InFlight> in_flight, const CollectiveCall& call, Kind kind);
  /// Waits for what is under way.
  ~Request();
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  bool persistent() const { return kind_ == Kind::persistent; }
  bool active() const { return active_; }
  MPI_Comm comm() const { return call_.comm; }

  /// Of a persistent request that is not active. Throws MpiError.
  void start();
  /// Whether it is not active or has come to its end. Throws MpiError when it failed; it is not active afterwards.
  bool test();
  void wait();

 private:
  friend class InFlight;

  bool served() const { return own_.executor != nullptr; }
  void prepare();
  bool progress();  // keeps what is thrown
  bool begin();
  void add_awaited(std::vector<int>& ops, std::vector<MPI_Request>& requests);
  template <typename Step>
  bool advance(Step step);
  void finish();
  void end();
  void throw_failure();

  std::shared_ptr<CommState> state_;  // none where the communicator has none
  std::shared_ptr<InFlight> in_flight_;
  CollectiveCall call_;
  std::optional<KeptArguments> kept_;
  Kind kind_;
  std::atomic<bool> active_ = false;        // another thread may bring a call to its end
  MPI_Request beneath_ = MPI_REQUEST_NULL;  // of a call that is left to the MPI
  std::exception_ptr failure_;

  // Of a call that is served.
  std::uint64_t number_ = 0;  // of one to be made once
  CommState::OwnExecutor own_;
  bool begun_ = false;        // it has its tags
  bool can_advance_ = false;  // waits for nothing, or something that it waits for has completed
  Staging staging_;
  std::optional<CallBuffers> buffers_;
};

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
