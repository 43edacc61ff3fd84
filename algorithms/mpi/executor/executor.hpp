// Running one rank's program with MPI: in-order lanes over non-blocking point-to-point calls.
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

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// What a call of a collective hands over. `input` may be null where the program does not read it; `op` matters to
/// programs that reduce.
struct Arguments {
  const void* input = nullptr;
  void* output = nullptr;
  MPI_Datatype datatype = MPI_BYTE;
  MPI_Op op = MPI_OP_NULL;
  /// The tag of lane 0; the other lanes' follow. Runs that may be under way at the same time on one communicator need
  /// tags of their own, alike on all ranks.
  int first_tag = 0;
};

struct ExecutorOptions {
  /// Of lanes that send one message at a time: a message up to this size counts as sent at once; a larger one is sent
  /// synchronously (MPI_Issend), so that its completion means that the receiver has it.
  std::int64_t buffered_bytes = 65536;
  /// A simulated MPI mixes up messages between two ranks of which it sends some eagerly and others not: those above
  /// this size take tags of their own. It also goes through all posted receives with every message, although one that
  /// is sent eagerly comes at the same time without: receives up to this size and buffered_bytes are not posted before
  /// they are waited for. 0: the MPI keeps messages' order, as it should, and wants receives early.
  std::int64_t eager_bytes = 0;
  /// Called when a message sent synchronously has completed, before anything that waits for it goes on. A simulated MPI
  /// sees a synchronous send complete at delivery; the time of the acknowledgement's way back is added here. The rank's
  /// other lanes wait meanwhile.
  std::function<void(int peer)> acknowledged = {};
  /// Called after each reduction with the bytes of an operand: a simulated MPI lets the time for it pass here.
  std::function<void(std::int64_t bytes)> reduced = {};
  /// Called before a send begins and after a receive has completed, with the number of the operation in the program: a
  /// simulated MPI learns from it which message it is.
  std::function<void(int op)> sending = {}, received = {};
};

/// A program made ready to run any number of times. Requests, scratch and all that can be known beforehand are kept, so
/// that a run does little beyond its MPI calls.
///
/// The communicator must carry no other point-to-point messages of the same tags, and successive runs of different
/// executors with the same tags must come in the same order on all ranks, as collective calls do. Not to be run by two
/// threads at once.
class Executor {
 public:
  /// Throws MpiError; std::length_error when there are more lanes than the MPI has tags.
  Executor(Program program, MPI_Comm comm, ExecutorOptions options = {});

  /// Returns when everything that this rank takes part in has completed. A send or receive that fails (the
  /// communicator's error handler permitting) does not keep the rest from being done; the first failure is then thrown
  /// as MpiError.
  void run(const Arguments& arguments);

  /// The same without waiting: start() issues what waits for no message, progress() what can be issued by then, and
  /// says whether all is done. finish() waits for the rest. One run at a time; all three throw what run() throws.
  void start(const Arguments& arguments);
  bool progress();
  void finish();

  /// For who asks MPI about the messages of many runs in one call. The operations whose messages this run waits for,
  /// and copies of their requests, are appended: none where it waits for nothing. has_completed() is told what MPI
  /// says of one of them: its code, and what became of the request. issue() then is progress() by that alone.
  void add_awaited(std::vector<int>& ops, std::vector<MPI_Request>& requests);
  void has_completed(int op, int code, MPI_Request left);
  bool issue();

  const Program& program() const { return program_; }

 private:
  // What is known during one run only.
  struct Run {
    Run(const Arguments& arguments, int rank)
        : type(arguments.datatype, rank), op(arguments.op), first_tag(arguments.first_tag) {}

    std::byte* at(const Slice& slice) const {
      return base[static_cast<int>(slice.buffer)] + type.displacement(slice.offset);
    }

    ElementType type;
    MPI_Op op;
    int first_tag;
    std::byte* base[3] = {};                     // by Buffer
    std::size_t next = 0;                        // with one lane: the operation to issue
    std::size_t last_wait = 0;                   // index into last_waits_
    std::vector<std::deque<int>> unposted = {};  // by source and lane: receives that are issued and not posted

    // With several lanes.
    std::vector<std::size_t> lane_next = {};         // by lane: index into lane_ops_
    std::vector<int> awaited = {};                   // messages that lanes wait for
    std::vector<MPI_Request> awaited_requests = {};  // theirs
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
  bool advance(Run& run, int lane);
  bool lanes_finished(const Run& run) const;
  void test_awaited(Run& run, int lane);
  void wait_for_some(Run& run);
  bool may_start(const Run& run, int op) const;

  int tag_of(const Run& run, const Op& op) const;
  void start(Run& run, int op);
  void receive(Run& run, int op);
  bool may_post_late(const Run& run, const Op& receive) const;
  /// Posts a receive that has not been, with those before it from its source.
  void post(Run& run, int op);
  void reduce(Run& run, const Op& op);
  /// A message that an operation waits for and that is not known to have completed, or -1.
  int first_under_way(Run& run, int op);
  bool is_under_way(Run& run, int message);
  void find_awaited(Run& run);
  /// Waits for a send or receive unless it has been waited for.
  void complete(Run& run, int op);
  /// Whether a send or receive has completed.
  bool test(Run& run, int op);
  void completed(Run& run, int op);
  void failed(Run& run, int code, const char* call, int op);
  bool is_synchronous(const Run& run, int op) const;
  /// The send that a send must not overtake in a lane of one send at a time, or -1.
  int send_before(int op) const { return send_before_.empty() ? -1 : send_before_[op]; }
  std::span<const int> waits(int op) const {
    return {waits_.data() + waits_begin_[op], static_cast<std::size_t>(waits_begin_[op + 1] - waits_begin_[op])};
  }
  void abandon();

  Program program_;
  MPI_Comm comm_;
  ExecutorOptions options_;
  int rank_ = 0;

  // What each operation waits for. With one lane: messages alone, and each only where it is first waited for, so that
  // nothing is waited for twice; with several: everything that may not have been completed by the order of its own
  // lane.
  std::vector<int> waits_begin_, waits_;
  std::vector<int> last_waits_;             // messages that no operation waits for
  std::vector<int> send_before_;            // empty without lanes of one send at a time
  std::vector<std::vector<int>> lane_ops_;  // with several lanes: the operations of each
  std::vector<int> source_;                 // of receives that may be posted late: number of its source and lane
  int sources_ = 0;

  // By operation; everything is null again after a run.
  std::vector<MPI_Request> requests_;
  std::vector<char> done_;      // with several lanes
  std::vector<char> unposted_;  // where receives may be posted late
  std::optional<Run> run_;      // what start() has begun
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
