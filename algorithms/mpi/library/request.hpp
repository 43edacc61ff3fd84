// Calls in progress: non-blocking and persistent collectives, run by the same executor as blocking ones.
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

/// The calls in progress of a process. A wait for one call advances all of them; otherwise ranks that wait for
/// different calls could deadlock. This is not possible inside blocking calls of the MPI. Their non-blocking forms
/// cannot replace them, since blocking and non-blocking collectives do not match.
class InFlight {
 public:
  InFlight();
  ~InFlight() { end(); }
  InFlight(const InFlight&) = delete;
  InFlight& operator=(const InFlight&) = delete;

  bool empty() const { return size_ == 0; }
  /// Advances every call as far as possible. A failure is reported by the call's own request.
  void progress() { progress(false); }
  /// The same when called by the MPI's own progress engine: MPI is not asked to make progress again. Returns the number
  /// of messages and calls that have completed; at least 1 while calls are left to test.
  int progress_within_mpi() { return progress(true); }
  /// The number of calls that have ended so far.
  std::uint64_t ended() const { return ended_; }
  /// Like MPI_Wait(), with its code. The calls advance meanwhile.
  int wait(MPI_Request& request);

  /// Whether the MPI reduces elements of the datatype with the operator. No error handler of the program is called or
  /// changed. Throws MpiError.
  bool takes(MPI_Op op, MPI_Datatype datatype);
  /// Frees what it has of the MPI, before MPI is finalised.
  void end();

 private:
  friend class Request;
  // The MPI beneath may call progress() inside an MPI call made by an executor; then no call may be advanced.
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
  /// Advances the calls from `first` on, as many as are tested at a time.
  int progress_of(std::size_t first, bool& look_only);
  /// Tests the messages of some requests; returns the number that have completed. With `look_only` MPI makes no
  /// progress; set once progress has been made.
  int test_awaited(std::size_t first, std::size_t end, bool& look_only);

  // Protects requests, which threads may test at the same time.
  std::recursive_mutex mutex_;
  std::vector<Request*> requests_;
  std::size_t others_ = 0;  // the next one to test, of those that are not the oldest
  std::atomic<int> size_ = 0;
  std::atomic<std::uint64_t> ended_ = 0;
  bool busy_ = false;
  bool many_threads_ = false;

  // Of this process alone, for questions; made at the first one. Its errors are returned.
  std::mutex asking_;
  MPI_Comm alone_ = MPI_COMM_NULL;

  // The messages that all of them wait for, tested in one call, so that MPI makes progress once and not for each.
  struct Awaited {
    std::vector<MPI_Request> requests;
    std::vector<int> ops;
    std::vector<Request*> owners;
    std::vector<int> completed;
    std::vector<MPI_Status> statuses;
  } awaited_;
};

/// A non-blocking call, or a persistent call that can be started repeatedly. Operators, the datatypes of reductions and
/// the buffers must stay valid; other datatypes, lists of counts, displacements and datatypes, and the communicator may
/// be freed.
class Request {
 public:
  enum class Kind : std::uint8_t { once, persistent };

  /// `decision` is for the same call: served, or with a pass_through_reason (then the MPI beneath runs its own
  /// non-blocking form). A call of kind `once` is started. Collective; throws MpiError.
  Request(std::shared_ptr<CommState> state, const CollectiveCall& call, const CallDecision& decision, Kind kind);
  /// For a call that is left to the MPI beneath, on any communicator.
  Request(std::shared_ptr<InFlight> in_flight, const CollectiveCall& call, Kind kind);
  /// Waits until the call has ended.
  ~Request();
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  bool persistent() const { return kind_ == Kind::persistent; }
  bool active() const { return active_; }
  MPI_Comm comm() const { return call_.comm; }
  /// Whether it reduces with the operator, or elements of the datatype, which programs may not free meanwhile.
  bool reduces_with(MPI_Op op) const { return has_operator(call_.collective) && call_.op == op; }
  bool reduces_elements_of(MPI_Datatype datatype) const {
    return has_operator(call_.collective) && call_.receive.datatype == datatype;
  }

  /// Starts a persistent request that is not active. Throws MpiError.
  void start();
  /// Whether it is not active or has ended. Throws MpiError when it failed; it is not active afterwards.
  bool test();
  void wait();

 private:
  friend class InFlight;

  bool served() const { return own_.executor != nullptr; }
  void prepare();
  void make_own_comm();
  bool progress();  // stores exceptions
  bool begin();
  bool is_over();
  void add_awaited(std::vector<int>& ops, std::vector<MPI_Request>& requests);
  template <typename Step>
  bool advance(Step step);
  void finish();
  void end();
  void throw_failure();

  std::shared_ptr<CommState> state_;  // null if the communicator has none
  std::shared_ptr<InFlight> in_flight_;
  CollectiveCall call_;
  std::optional<KeptArguments> kept_;
  Kind kind_;
  std::atomic<bool> active_ = false;        // another thread may bring a call to its end
  MPI_Request beneath_ = MPI_REQUEST_NULL;  // for a call that is left to the MPI
  MPI_Comm own_comm_ = MPI_COMM_NULL;       // for a persistent one
  std::exception_ptr failure_;

  // For a call that is served.
  std::uint64_t number_ = 0;                 // for kind `once`
  std::shared_ptr<CountExchange> exchange_;  // while it runs, before the call itself
  CommState::OwnExecutor own_;
  bool begun_ = false;        // its tags are free
  bool can_advance_ = false;  // waits for nothing, or a message that it waits for has completed
  Staging staging_;
  std::optional<CallBuffers> buffers_;
};

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
