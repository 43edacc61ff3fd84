#include "algorithms/mpi/job/run_job.hpp"

#include <sys/prctl.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/collective/mpi_own.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/measuring/calibration.hpp"
#include "algorithms/mpi/executor/clock.hpp"
#include "algorithms/mpi/executor/executor.hpp"
#include "algorithms/mpi/job/control.hpp"
#include "algorithms/mpi/job/job_data.hpp"
#include "algorithms/mpi/job/job_element.hpp"
#include "algorithms/mpi/job/mpi_call.hpp"
#include "algorithms/network/forwarded_routes.hpp"
#include "algorithms/network/placed_network.hpp"
#include "algorithms/relays/relays.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

constexpr double longest_margin_s = 60;
// The factor on the longest repetition so far during which no rank reports.
constexpr double longer_than_noise = 1.25;

// The root's announcement of a repetition.
struct Announcement {
  double start_s = 0;
  double quiet_s = 0;  // time after the start during which no rank reports
  double more = 0;     // 0: the point is done
};
constexpr int announcement_doubles = sizeof(Announcement) / sizeof(double);

// The report of a rank to the root after a repetition.
struct RankReport {
  double announced_late_s = 0;  // when the announcement arrived, from the start; negative: in time
  double start_s = 0;           // when the rank started its part, from the start
  double end_s = 0;             // from the start
  double correct = 0;           // 1 when every byte was right
};
constexpr int report_doubles = sizeof(RankReport) / sizeof(double);

// A communicator of our own, which reports its errors instead of ending the program.
class PrivateComm {
 public:
  // A simulated MPI makes communicators by messages that need a route between all ranks: without one, the original.
  PrivateComm(MPI_Comm of, bool duplicated) : comm_(of), duplicated_(duplicated) {
    if (duplicated) check_mpi(MPI_Comm_dup(of, &comm_), {.call = "MPI_Comm_dup"});
    check_mpi(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), {.call = "MPI_Comm_set_errhandler"});
  }
  ~PrivateComm() {
    if (duplicated_) MPI_Comm_free(&comm_);
  }
  PrivateComm(const PrivateComm&) = delete;
  PrivateComm& operator=(const PrivateComm&) = delete;
  MPI_Comm get() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  bool duplicated_;
};

class JobRunner {
 public:
  JobRunner(const Job& job, MPI_Comm comm, const RankEnvironment& environment)
      : job_(job),
        environment_(environment),
        user_comm_(comm),
        placed_(job.network, job.placement),
        topology_(placed_.topology()),
        everybody_(is_simulated() ? placed_.with_forwarders() : placed_),
        executing_(comm, may_duplicate()),
        control_comm_(comm, may_duplicate()),
        control_(control_comm(), everybody_.topology(), executor_options()),
        margin_s_(environment.timing.start_margin_s) {
    check_mpi(MPI_Comm_rank(control_comm(), &rank_), {.call = "MPI_Comm_rank"});
    reports_.resize(rank_ == 0 ? everybody_.size() : 0);
    find_margin();
  }

  PointResult run(const Point& point) {
    check(point.plan, topology_, point.problem);
    const Timed timed = timed_of(point);
    const JobElement element(point.problem);
    std::optional<JobData> data;  // not of a forwarder
    if (rank_ < topology_.size()) data.emplace(point.problem, topology_.size(), rank_);
    std::vector<std::byte> input(data ? data->input_bytes() : 0), output(data ? data->output_bytes() : 0);

    PointResult result;
    result.correct = true;
    quiet_s_ = environment_.timing.quiet_s;
    // Rank 0 counts. The first call of an MPI's own collective may set up what later ones use.
    int counted = -std::max(job_.warm_up, is_mpi_own(point.plan) ? 1 : 0);
    for (std::uint64_t attempt = 1;; ++attempt) {
      if (data) data->write(attempt, input, output);
      if (!announce(wants_more(counted, result), margin_s_)) return result;
      RankReport report = repeat(
          timed, {.input = input.data(), .output = output.data(), .datatype = element.datatype(), .op = element.op()});
      // An MPI's own barrier has no token.
      const bool has_data = data && (carries_data(point.problem.collective) || !is_mpi_own(point.plan));
      environment_.sleep_until(announcement_.start_s + announcement_.quiet_s);
      report.correct = !has_data || data->is_right(attempt, input, output) ? 1 : 0;
      gather(report);
      if (rank_ != 0) continue;
      if (const auto repetition = judge(result, point.problem.collective)) {
        if (counted >= 0) result.repetitions.push_back(*repetition);
        ++counted;
      }
    }
  }

 private:
  using Timed = std::function<void(const Arguments&)>;

  // What is timed: the plan's program, or the MPI's own collective.
  Timed timed_of(const Point& point) {
    if (is_mpi_own(point.plan)) {
      if (!everybody_.topology().connectivity().complete())
        throw BadInput(
            "the MPI's own collectives send between ranks without a route; a plan of isthmus, whose messages "
            "are relayed, would be right");
      std::vector<int> everybody(topology_.size());
      std::iota(everybody.begin(), everybody.end(), 0);
      connect_peers(everybody);
      select(point.plan.parameters.selector);
      const auto call = std::make_shared<MpiCall>(point.problem, point.plan.parameters.selector, user_comm_);
      return [call](const Arguments& arguments) { call->run(arguments); };
    }
    Program program;
    programs_of(point)(rank_, program);
    std::vector<int> peers;
    for (const Op& op : program.ops())
      if (op.kind == OpKind::send || op.kind == OpKind::receive) peers.push_back(op.peer);
    connect_peers(peers);
    ExecutorOptions options = executor_options();
    options.reduced = environment_.reduced;
    if (is_simulated()) watch_messages(program, options);
    const auto executor = std::make_shared<Executor>(std::move(program), executing_.get(), std::move(options));
    return [executor](const Arguments& arguments) { executor->run(arguments); };
  }

  // A simulated network has no forwarders: ranks of their own are there in their place.
  ProgramSource programs_of(const Point& point) const {
    ProgramSource programs = source(point.plan, topology_, point.problem);
    if (everybody_.size() == topology_.size()) return programs;
    return with_relays_after(std::move(programs), topology_.size(), everybody_.topology().connectivity(),
                             everybody_.size(),
                             forwarded_piece_bytes(everybody_.network()) / point.problem.element_bytes);
  }

  // An MPI opens a connection with the first message between two ranks. Amid the data of a repetition its handshake
  // would wait in their queues for longer than TCP waits before it asks again: so it comes before, on quiet links. Of
  // two ranks each has the other among its peers.
  void connect_peers(const std::vector<int>& peers) {
    if (!environment_.timing.connects) return;
    met_.resize(everybody_.size());
    std::vector<MPI_Request> requests;
    for (const int peer : peers) {
      if (peer == rank_ || std::exchange(met_[peer], char{1})) continue;
      MPI_Request* const request = &requests.emplace_back();
      if (rank_ < peer)
        check_mpi(MPI_Isend(nullptr, 0, MPI_BYTE, peer, 0, control_comm(), request),
                  {.call = "MPI_Isend", .rank = rank_});
      else
        check_mpi(MPI_Irecv(nullptr, 0, MPI_BYTE, peer, 0, control_comm(), request),
                  {.call = "MPI_Irecv", .rank = rank_});
    }
    check_mpi(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
              {.call = "MPI_Waitall", .rank = rank_});
  }

  // Announces to the environment the messages that the executor sends and receives.
  void watch_messages(const Program& program, ExecutorOptions& options) const {
    struct Reception {
      int peer, lane;
      std::int64_t number;
    };
    std::vector<Reception> receptions(program.ops().size());
    std::map<std::pair<int, int>, std::int64_t> count;  // by peer and lane
    for (std::size_t op = 0; op < program.ops().size(); ++op) {
      const Op& one = program.ops()[op];
      receptions[op] = {one.peer, one.lane, 0};
      if (one.kind == OpKind::receive) receptions[op].number = count[{one.peer, one.lane}]++;
    }
    options.sending = [sending = environment_.sending, receptions](int op, bool synchronous) {
      sending(receptions[op].peer, receptions[op].lane, synchronous);
    };
    options.acknowledged = [acknowledged = environment_.acknowledged, receptions](int op) {
      acknowledged(receptions[op].peer, receptions[op].lane);
    };
    options.posting = [posting = environment_.posting, receptions, count](int op) mutable {
      auto& [peer, lane, number] = receptions[op];
      posting(peer, lane, number);
      number += count.at({peer, lane});  // in the next repetition
    };
    const auto awaited = std::make_shared<std::vector<Reception>>(receptions);
    options.received = [received = environment_.received, awaited, count](int op) {
      auto& [peer, lane, number] = (*awaited)[op];
      received(peer, lane, number);
      number += count.at({peer, lane});  // in the next repetition
    };
    options.has_come = [has_come = environment_.has_come, awaited](int op) {
      const auto& [peer, lane, number] = (*awaited)[op];
      return has_come(peer, lane, number);
    };
  }

  bool is_simulated() const { return static_cast<bool>(environment_.sending); }
  bool may_duplicate() const { return !is_simulated() || everybody_.topology().connectivity().complete(); }
  ExecutorOptions executor_options() const {
    ExecutorOptions options{.buffered_bytes = job_.network.transport.buffered_bytes};
    if (is_simulated()) options.eager_bytes = job_.network.transport.eager_bytes;
    return options;
  }

  // SMPI's collectives that know of nodes fail on a duplicate.
  MPI_Comm control_comm() const { return environment_.select ? user_comm_ : control_comm_.get(); }

  // Once a rank is through the barrier all have begun it: none finds another algorithm than the others in its midst.
  void select(const std::string& selector) {
    if (!environment_.select) return;
    check_mpi(MPI_Barrier(control_comm()), {.call = "MPI_Barrier", .rank = rank_});
    environment_.select(selector);
  }

  // Measures the time of an announcement to all ranks, so that few repetitions start too late.
  void find_margin() {
    constexpr int rounds = 3;  // the first one also opens connections
    for (int round = 0; round < rounds; ++round) {
      announce(true, 0);
      gather({.announced_late_s = environment_.now_s() - announcement_.start_s});
      for (const RankReport& report : reports_) margin_s_ = std::max(margin_s_, 2 * report.announced_late_s);
    }
  }

  bool wants_more(int counted, const PointResult& result) const {
    if (rank_ != 0 || counted >= job_.repetitions) return false;
    if (job_.confidence <= 0 || counted < few_repetitions) return true;
    std::vector<double> seconds;
    for (const Repetition& repetition : result.repetitions) seconds.push_back(repetition.seconds);
    const Estimate median = median_of(seconds);
    return median.half_width_s > job_.confidence * median.seconds;
  }

  // Rank 0 announces the start of the next repetition, if there is one. The barrier ensures that all ranks listen and
  // that all messages of the previous repetition have been received.
  bool announce(bool more, double margin_s) {
    control_.barrier();
    if (rank_ == 0) announcement_ = {start_after(environment_.now_s(), margin_s), quiet_s_, more ? 1.0 : 0.0};
    if (rank_ == 0 && more && margin_s > 0 && environment_.announced) environment_.announced(announcement_.start_s);
    control_.broadcast({&announcement_.start_s, announcement_doubles});
    return announcement_.more != 0;
  }

  // A start is on a whole hundredth of a second: where time is virtual, what follows then has the same phase to every
  // tick and timer of the kernel in each run, and gives the same seconds to the last digit.
  static double start_after(double now_s, double margin_s) {
    return margin_s > 0 ? std::ceil((now_s + margin_s) * 100) / 100 : now_s;
  }

  RankReport repeat(const Timed& timed, const Arguments& arguments) {
    RankReport report;
    report.announced_late_s = environment_.now_s() - announcement_.start_s;
    environment_.sleep_until(announcement_.start_s);
    report.start_s = environment_.now_s() - announcement_.start_s;
    timed(arguments);
    report.end_s = environment_.now_s() - announcement_.start_s;
    if (environment_.timing.rest_s > 0)
      environment_.sleep_until(announcement_.start_s + report.end_s + environment_.timing.rest_s);
    return report;
  }

  void gather(const RankReport& report) {
    control_.gather({&report.announced_late_s, report_doubles}, reinterpret_cast<double*>(reports_.data()));
  }

  // On rank 0: nothing when the repetition does not count. No rank may leave a barrier before all have come.
  std::optional<Repetition> judge(PointResult& result, Collective collective) {
    Repetition repetition;
    double first_end_s = reports_.front().end_s;
    double announced_late_s = -1;
    for (const RankReport& report : std::span(reports_).first(topology_.size())) {
      announced_late_s = std::max(announced_late_s, report.announced_late_s);
      repetition.rank_start_s.push_back(report.start_s);
      repetition.seconds = std::max(repetition.seconds, report.end_s);
      repetition.rank_end_s.push_back(report.end_s);
      first_end_s = std::min(first_end_s, report.end_s);
      result.correct = result.correct && report.correct == 1;
    }
    quiet_s_ = std::max(quiet_s_, longer_than_noise * repetition.seconds);
    if (collective == Collective::barrier && first_end_s < repetition.late_s()) result.correct = false;
    if (announced_late_s <= 0) return repetition;
    margin_s_ = 2 * std::max(margin_s_, announced_late_s);
    if (margin_s_ > longest_margin_s)
      throw Refused("the ranks do not start together: one heard of a start " + std::to_string(announced_late_s) +
                    " s after it; are all on one clock?");
    return std::nullopt;
  }

  const Job& job_;
  const RankEnvironment& environment_;
  MPI_Comm user_comm_;
  PlacedNetwork placed_;
  const Topology& topology_;
  PlacedNetwork everybody_;  // in a simulation with the forwarders
  PrivateComm executing_, control_comm_;
  Control control_;
  int rank_ = 0;
  double margin_s_;
  std::vector<char> met_;  // by rank
  double quiet_s_ = 0;     // rank 0
  Announcement announcement_;
  std::vector<RankReport> reports_;  // rank 0
};

}  // namespace

RankEnvironment real_time() {
  // Sleeps end within microseconds of the instant asked for instead of the usual 50. Nothing spins: ranks may outnumber
  // processors, and where a kernel's time is virtual, spinning would be what moves it.
  prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
  const Clock clock = kernel_clock();
  return {.now_s = clock.now_s, .sleep_until = clock.sleep_until, .timing = {.connects = true}};
}

void run_job(const Job& job, MPI_Comm comm, const RankEnvironment& environment, const ResultSink& done) {
  int size = 0;
  int rank = 0;
  check_mpi(MPI_Comm_size(comm, &size), {.call = "MPI_Comm_size"});
  check_mpi(MPI_Comm_rank(comm, &rank), {.call = "MPI_Comm_rank"});
  const int expected = environment.sending ? with_forwarders(job.network, job.placement).size() : job.placement.size();
  if (size != expected)
    throw BadInput("a job for " + std::to_string(expected) + " ranks was started on " + std::to_string(size));
  JobRunner runner(job, comm, environment);
  for (std::size_t point = 0; point < job.points.size(); ++point) {
    const PointResult result = runner.run(job.points[point]);
    if (rank == 0 && done) done(static_cast<int>(point), result);
  }
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
