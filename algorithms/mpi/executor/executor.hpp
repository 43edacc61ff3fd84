// Runs one rank's program with MPI: in-order lanes over non-blocking point-to-point calls.
//
// The same source is built against a real MPI and against SimGrid's SMPI, whose ranks share one process: there are no
// mutable globals here.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "algorithms/mpi/executor/element_type.hpp"
#include "algorithms/mpi/executor/mpi_error.hpp"
#include "algorithms/schedule/program.hpp"
#include "algorithms/schedule/ready_lanes.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// The arguments of one run. `input` may be null if the program does not read it; `op` is used only by programs that
/// reduce.
struct Arguments {
  const void* input = nullptr;
  void* output = nullptr;
  MPI_Datatype datatype = MPI_BYTE;
  MPI_Op op = MPI_OP_NULL;
  /// The tag of lane 0; the other lanes' follow. Runs that may be in progress at the same time on one communicator need
  /// different tags, the same on all ranks.
  int first_tag = 0;
};

struct ExecutorOptions {
  /// For lanes that send one message at a time: a message up to this size counts as sent at once. A larger one is sent
  /// synchronously (MPI_Issend), so that it completes when the receiver has it.
  std::int64_t buffered_bytes = 65536;
  /// For a simulated MPI, which does not keep the order between eager and other messages: messages above this size get
  /// other tags. It also searches all posted receives for every message, although an eager message arrives at the same
  /// time without a posted receive. So receives up to this size and buffered_bytes are posted only when they are waited
  /// for. 0: an MPI that keeps the order of messages; receives are posted early.
  std::int64_t eager_bytes = 0;
  /// Called when a synchronous send has completed, with the number of the operation in the program, before operations
  /// that wait for it continue. In a simulated MPI a synchronous send completes at delivery; this call adds the time of
  /// the acknowledgement. The rank's other lanes wait meanwhile.
  std::function<void(int op)> acknowledged = {};
  /// Called after each reduction with the bytes of an operand: adds the time of the reduction in a simulated MPI.
  std::function<void(std::int64_t bytes)> reduced = {};
  /// Called before a send begins, before a receive is posted and after it has completed, with the number of the
  /// operation in the program: identifies the message in a simulated MPI.
  std::function<void(int op, bool synchronous)> sending = {};
  std::function<void(int op)> posting = {}, received = {};
  /// Whether the message of a receive that is posted has come by now. In a simulated MPI messages that come at one
  /// moment complete in any order; with this, the one that the lowest lane waits for is noticed first, as by
  /// MPI_Waitany.
  std::function<bool(int op)> has_come = {};
};

/// A program prepared to run any number of times. Requests, scratch and everything that can be computed in advance are
/// kept, so that a run does little besides its MPI calls.
///
/// There must be no other point-to-point messages with the same tags on the communicator. Successive runs of different
/// executors with the same tags must be in the same order on all ranks, like collective calls. Not to be run by two
/// threads at once.
class Executor {
 public:
  /// Throws MpiError; std::length_error when there are more lanes than the MPI has tags.
  Executor(Program program, MPI_Comm comm, ExecutorOptions options = {});

  /// Returns when all operations of this rank have completed. If a send or receive fails (and the communicator's error
  /// handler returns), the rest is done nevertheless; then the first failure is thrown as MpiError.
  void run(const Arguments& arguments);

  /// The same without waiting: start() issues operations that wait for no message; progress() issues those that have
  /// become ready, and returns whether everything is done; finish() waits for the rest. One run at a time; all three
  /// throw like run().
  void start(const Arguments& arguments);
  bool progress();
  void finish();

  /// For callers that test the messages of many runs in one MPI call. Appends the operations whose messages this run
  /// waits for, and copies of their requests; none if it waits for nothing. has_completed() takes MPI's result for one
  /// of them: its code, and the changed request. issue() is then progress() without asking MPI.
  void add_awaited(std::vector<int>& ops, std::vector<MPI_Request>& requests);
  void has_completed(int op, int code, MPI_Request left);
  bool issue();

  const Program& program() const { return program_; }

 private:
  // The state of one run.
  struct Run {
    Run(const Arguments& arguments, int rank)
        : type(arguments.datatype, rank), op(arguments.op), first_tag(arguments.first_tag) {}

    std::byte* at(const Slice& slice) const {
      return behind(base[static_cast<int>(slice.buffer)], type.displacement(slice.offset));
    }

    ElementType type;
    MPI_Op op;
    int first_tag;
    std::byte* base[3] = {};                     // by Buffer
    std::size_t next = 0;                        // with one lane: the operation to issue
    std::size_t last_wait = 0;                   // index into last_waits_
    std::vector<std::deque<int>> unposted = {};  // by source and lane: receives that are issued but not posted

    // With several lanes.
    std::vector<std::size_t> lane_next = {};         // by lane: index into lane_ops_
    std::vector<int> awaits = {};                    // by lane: the operation that it waits for, or -1
    int lanes_left = 0;                              // that are not at their end
    ReadyLanes ready = {};                           // lanes that may advance
    std::vector<int> awaited = {};                   // messages that lanes wait for
    std::vector<MPI_Request> awaited_requests = {};  // theirs
    std::vector<int> unnoticed = {};                 // of these, messages that have completed, if the MPI is simulated
  };

  void find_waits();
  void find_sources();
  void begin(const Arguments& arguments);
  void end();
  void run_one_lane(Run& run);
  void run_lanes(Run& run);
  bool issue_one_lane(Run& run);
  bool issue_lanes(Run& run);
  bool progress_one_lane(Run& run);
  bool progress_lanes(Run& run);
  void advance(Run& run, int lane);
  void wait_for_some(Run& run);
  /// An index into the messages that lanes wait for: one before `index` that has come too, else `index`.
  int first_come(Run& run, int index);
  /// With several lanes: an operation that is not known to be complete and that this one waits for, or -1.
  int unfinished_before(const Run& run, int op) const;
  /// The lane comes to wait for the operation.
  void wait(int op, int lane);
  /// An operation is complete: lanes that wait for it become ready.
  void is_done(Run& run, int op);

  int tag_of(const Run& run, const Op& op) const;
  void start(Run& run, int op);
  void receive(Run& run, int op);
  bool may_post_late(const Run& run, const Op& receive) const;
  /// Posts a receive, and those before it from its source, if not posted yet.
  void post(Run& run, int op);
  void reduce(Run& run, const Op& op);
  /// A message that an operation waits for and that is not known to be complete, or -1.
  int first_under_way(Run& run, int op);
  bool is_under_way(Run& run, int message);
  void find_awaited(Run& run);
  /// Waits for a send or receive if it is not known to be complete.
  void wait_for(Run& run, int op);
  /// Whether a send or receive has completed.
  bool test(Run& run, int op);
  void after_completion(Run& run, int op);
  void failed(Run& run, int code, const char* call, int op);
  bool is_synchronous(const Run& run, int op) const;
  /// In a lane with one send at a time, the send before this one; else -1.
  int send_before(int op) const { return send_before_.empty() ? -1 : send_before_[op]; }
  std::span<const int> waits(int op) const {
    return {waits_.data() + waits_begin_[op], static_cast<std::size_t>(waits_begin_[op + 1] - waits_begin_[op])};
  }
  /// Does a step of the run; if it throws, ends the run.
  template <class Step>
  auto guarded(Step step) {
    try {
      return step();
    } catch (...) {
      abandon();
      throw;
    }
  }
  void abandon();

  Program program_;
  MPI_Comm comm_;
  ExecutorOptions options_;
  int rank_ = 0;

  // The operations that each operation waits for. With one lane: only messages, each at its first wait. With several
  // lanes: everything that the order of its own lane does not guarantee to be complete.
  std::vector<int> waits_begin_, waits_;
  std::vector<int> last_waits_;             // messages that no operation waits for
  std::vector<int> send_before_;            // empty without lanes of one send at a time
  std::vector<std::vector<int>> lane_ops_;  // with several lanes: the operations of each
  std::vector<int> source_;                 // for receives that may be posted late: number of source and lane
  int sources_ = 0;

  // By operation; all are null again after a run.
  std::vector<MPI_Request> requests_;
  std::vector<char> done_;                         // with several lanes
  std::vector<int> first_waiting_, next_waiting_;  // with several lanes: who waits for an operation; the next lane
  std::vector<char> unposted_;                     // where receives may be posted late
  std::optional<Run> run_;                         // the run that start() has begun
  struct Failure {
    int code;
    const char* call;
    int op;
  };
  std::optional<Failure> failure_;  // the first of the run

  std::int64_t reduce_count_ = 0;  // elements that a reduction may have to keep aside
  ElementBuffer scratch_, reduce_scratch_;
};

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
