#include "emulator/emulate.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "algorithms/errors.hpp"
#include "algorithms/process/child.hpp"
#include "emulator/plan.hpp"
#include "emulator/settings.hpp"
#include "emulator/substrate.hpp"
#include "emulator/system.hpp"

namespace isthmus {
namespace {

std::string required_program(const std::string& name, const std::string& package) {
  const std::string path = program_path(name);
  if (path.empty()) throw Missing(fmt::format("no {}; `apt-get install {}` brings it", name, package));
  return path;
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// Memory for the kernel of its own, taken from this machine only as it is used: itself, the programs of each rank and
/// each host, and what the data of the largest point take on their way through the ranks.
std::int64_t memory_MiB(const Job& job) {
  const int ranks = job.placement.size();
  std::int64_t largest = 0;
  for (const Point& point : job.points) {
    std::int64_t elements = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      const BufferCounts counts = buffer_counts(point.problem, ranks, rank);
      elements += counts.input + counts.output;
    }
    largest = std::max(largest, elements * point.problem.element_bytes);
  }
  return 1024 + ranks * std::int64_t{64} + 8 * (largest >> 20);
}

std::vector<std::string> command_line(const Substrate& substrate, const Job& job, const std::string& program) {
  if (!substrate.own_kernel) return {program, "inside"};
  std::vector<std::string> argv{substrate.kernel,
                                "root=/dev/root",
                                "rootfstype=hostfs",
                                "rootflags=/",
                                "ro",
                                fmt::format("mem={}M", memory_MiB(job)),
                                "init=/run/isthmus/init",
                                "con=null",
                                "con0=null,fd:1",
                                "quiet",
                                "loglevel=1",
                                "uml_dir=/run/isthmus"};
  argv.insert(argv.end(), substrate.boot.begin(), substrate.boot.end());
  return argv;
}

std::string first_line_of(const std::vector<std::string>& argv) {
  std::string first;
  ChildOptions listening;
  listening.on_line = [&](const std::string& line) {
    if (first.empty()) first = line;
  };
  run_child(argv, listening);
  return first;
}

/// Times are differences of a clock that shows whole nanoseconds; what is beyond them is the arithmetic's.
PointResult whole_nanoseconds(PointResult result) {
  const auto round = [](double& seconds) { seconds = std::round(seconds * 1e9) / 1e9; };
  for (Repetition& repetition : result.repetitions) {
    round(repetition.seconds);
    round(repetition.late_s);
    for (double& end_s : repetition.rank_end_s) round(end_s);
  }
  return result;
}

/// Takes in what the emulation tells.
class Listener {
 public:
  Listener(std::size_t points, const EmulationOptions& options,
           const std::function<void(int, const PointResult&)>& done, Emulated& result)
      : points_(points), options_(options), done_(done), result_(result) {}

  void hear(const std::string& line) {
    const nlohmann::json event = nlohmann::json::parse(line);
    if (event.contains("error")) {
      error_ = event.at("error");
      status_ = event.at("status");
    } else if (event.contains("progress")) {
      if (options_.progress) options_.progress(event.at("progress"));
    } else if (event.contains("provenance")) {
      result_.provenance.emplace_back(event.at("provenance").at(0), event.at("provenance").at(1));
    } else if (event.contains("achieved")) {
      const nlohmann::json& got = event.at("achieved");
      result_.achieved.push_back({got.at("from"), got.at("to"), got.at("asked_latency_s"), got.at("latency_s"),
                                  got.at("asked_bandwidth_Bps"), got.at("bandwidth_Bps")});
    } else if (event.contains("point")) {
      take_point(event);
    } else if (event.contains("end")) {
      ended_ = true;
    }
  }

  void check() const {
    if (!error_.empty()) {
      if (status_ == 2) throw BadInput(error_);
      if (status_ == 3) throw Missing(error_);
      throw Refused(error_);
    }
    if (!ended_ || result_.points.size() != points_) throw Refused("the emulation broke off");
  }

 private:
  void take_point(const nlohmann::json& event) {
    const int number = event.at("point");
    if (number != static_cast<int>(result_.points.size()))
      throw Refused(fmt::format("point {} came out of turn", number));
    result_.points.push_back(whole_nanoseconds(point_result_from_json(event)));
    if (!result_.points.back().correct) throw Refused(fmt::format("point {}: a rank got wrong bytes", number));
    if (number == 0 && options_.ready) options_.ready(result_);
    if (done_) done_(number, result_.points.back());
  }

  std::size_t points_;
  const EmulationOptions& options_;
  const std::function<void(int, const PointResult&)>& done_;
  Emulated& result_;
  std::string error_;
  int status_ = 0;
  bool ended_ = false;
};

}  // namespace

Emulated emulate(const Job& job, const EmulationOptions& options,
                 const std::function<void(int, const PointResult&)>& done) {
  plan_emulation(job.network, job.placement);
  const std::string mpirun = required_program("mpirun", "openmpi-bin");
  required_program("ip", "iproute2");
  required_program("tc", "iproute2");
  const Substrate substrate = choose_substrate(options.substrate);
  const std::string program = std::filesystem::absolute(helper_program("isthmus-emulator")).string();

  EmulationSettings settings;
  settings.helpers = std::filesystem::path(program).parent_path().string();
  settings.mpirun = mpirun;
  settings.path = variable("PATH") + ":/usr/sbin:/usr/bin:/sbin:/bin";
  settings.library_path = variable("LD_LIBRARY_PATH");
  settings.timeout_s = options.timeout_s;
  settings.tolerance = options.tolerance > 0 ? options.tolerance : substrate.tolerance;
  settings.latency_slack_s = substrate.latency_slack_s;
  settings.settle_s = substrate.settle_s;
  settings.shape_host_links = substrate.shapes_host_links;
  settings.modules = substrate.modules;

  Emulated result;
  result.provenance = {{"substrate", substrate.name},
                       {"mpi", first_line_of({mpirun, "--version"})},
                       {"iproute2", first_line_of({program_path("tc"), "-V"})},
                       {"tolerance", fmt::format("{:g}", settings.tolerance)}};
  result.provenance.insert(result.provenance.end(), substrate.provenance.begin(), substrate.provenance.end());
  if (options.progress) options.progress(fmt::format("starting the substrate `{}`", substrate.name));

  const nlohmann::json request{{"job", to_json(job)},
                               {"settings", settings},
                               {"program", program},
                               {"own_kernel", substrate.own_kernel},
                               {"argv", command_line(substrate, job, program)},
                               {"parent", getpid()}};
  Listener listener(job.points.size(), options, done, result);
  ChildOptions supervision;
  supervision.input = request.dump();
  supervision.on_line = [&](const std::string& line) { listener.hear(line); };
  const ChildResult child = run_child({program, "supervise"}, supervision);
  listener.check();
  if (child.exit_status != 0) throw Refused(fmt::format("isthmus-emulator: {}", child.last_error_line()));
  return result;
}

}  // namespace isthmus
