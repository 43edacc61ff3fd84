#include "emulator/client/emulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "algorithms/collective/mpi_own.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/network/forwarded_routes.hpp"
#include "emulator/client/agent_client.hpp"
#include "emulator/plan/host_names.hpp"

namespace isthmus {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// The memory that all ranks together need for the data of the largest point.
std::int64_t data_MiB(const Job& job) {
  const Topology topology = topology_of(job.network, job.placement);
  double largest = 0;
  for (const Point& point : job.points) largest = std::max(largest, data_bytes(point, topology));
  constexpr double most = 1e15;  // more than any machine has
  return 8 * static_cast<std::int64_t>(std::min(largest, most) / (1 << 20));
}

/// Times are differences of a clock that shows whole nanoseconds; smaller digits are errors of the arithmetic.
PointResult whole_nanoseconds(PointResult result) {
  const auto round = [](double& seconds) { seconds = std::round(seconds * 1e9) / 1e9; };
  for (Repetition& repetition : result.repetitions) {
    round(repetition.seconds);
    for (double& start_s : repetition.rank_start_s) round(start_s);
    for (double& end_s : repetition.rank_end_s) round(end_s);
  }
  return result;
}

}  // namespace

Emulated emulate(const Job& asked, const EmulationOptions& asked_options, const EmulationEvents& events) {
  for (const Point& point : asked.points) check_selector(point.plan, openmpi_selectors, "Open MPI");
  Job job = asked;
  job.network = with_emulated_names(std::move(job.network));
  EmulationOptions options = asked_options;
  options.conditions = with_emulated_names(std::move(options.conditions), asked.network);
  AgentLaunch launch = prepare_agent(job.network, job.placement, options, data_MiB(job));
  launch.settings.environment = {{"PATH", variable("PATH") + ":/usr/sbin:/usr/bin:/sbin:/bin"}};
  if (const std::string folders = variable("LD_LIBRARY_PATH"); !folders.empty()) {
    launch.settings.environment.emplace_back("LD_LIBRARY_PATH", folders);
  }

  Emulated result;
  const auto take_point = [&](const nlohmann::json& event, const AgentReport& so_far) {
    const int number = event.at("point");
    if (number != static_cast<int>(result.points.size()))
      throw Refused(fmt::format("point {} came out of turn", number));
    result.points.push_back(whole_nanoseconds(point_result_from_json(event)));
    if (!result.points.back().correct) throw Refused(fmt::format("point {}: a rank got wrong bytes", number));
    if (number == 0 && events.ready) events.ready(so_far);
    if (events.done) events.done(number, result.points.back());
  };
  nlohmann::json work = {{"job", to_json(job)}};
  if (with_forwarders(job.network, job.placement).size() > job.placement.size())
    work["drop_in"] = show_drop_in(launch.settings, "libisthmus-mpi.so");
  static_cast<AgentReport&>(result) = run_agent(launch, work, {events.progress, take_point});
  if (result.points.size() != job.points.size()) throw Refused("the emulation broke off");
  return result;
}

}  // namespace isthmus
