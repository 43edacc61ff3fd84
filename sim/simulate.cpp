#include "sim/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "algorithms/collective/mpi_own.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/memory.hpp"
#include "algorithms/network/conditions_json.hpp"
#include "algorithms/network/link_names.hpp"
#include "algorithms/process/child.hpp"
#include "algorithms/text/counted.hpp"
#include "sim/in_flight.hpp"
#include "sim/platform_argument.hpp"

namespace isthmus {
namespace {

using nlohmann::json;

std::string describe(const Job& job, std::size_t point) {
  const Problem& problem = job.points[point].problem;
  return fmt::format("{}/{}, {} bytes, {}{}", name(problem.collective), to_string(job.points[point].plan),
                     problem.bytes(), counted(job.placement.size(), "rank"),
                     has_root(problem.collective) ? fmt::format(", root {}", problem.root) : "");
}

/// Throws BadInput for what cannot be simulated.
void check_conditions(const Network& network, const SimulationOptions& options) {
  const Conditions& conditions = options.conditions;
  if (const std::string lacking = not_simulated(conditions); !lacking.empty()) throw BadInput(lacking);
  const bool disturbed = changes_with_time(network, conditions) || !conditions.traffic.empty();
  if (disturbed && options.queueing != Queueing::fifo) {
    throw BadInput("links that change and ambient traffic are simulated with links crossed in turn (fifo) alone");
  }
  for (const LinkChange& change : conditions.changes) links_named(network, change.links);
  for (const AmbientTraffic& traffic : conditions.traffic) {
    for (const std::string& name : {traffic.from, traffic.to}) {
      const auto is_it = [&](const Host& host) { return host.name == name; };
      if (std::none_of(network.hosts.begin(), network.hosts.end(), is_it)) {
        throw BadInput(fmt::format("host `{}`: none of this name in {}", name, network.name));
      }
    }
  }
}

/// Throws BadInput when one point takes more memory than there is: points run one after the other.
void check_memory(const Job& job) {
  const PlacedNetwork placed(job.network, job.placement);
  const auto available = static_cast<double>(available_memory_bytes());
  for (std::size_t number = 0; number < job.points.size(); ++number) {
    const Point& point = job.points[number];
    const auto require = [&](double bytes) {
      require_memory(bytes, describe(job, number),
                     "fewer bytes or ranks, or `predict`, which has no data, would be right");
    };
    const double data = data_bytes(point, placed.topology());
    require(data);
    // Messages on their way are on the way into these buffers, so that they are hardly more.
    if (2 * data > available) require(data + most_bytes_in_flight(placed, point));
  }
}

}  // namespace

std::string not_simulated(const Conditions& conditions) {
  for (const LinkCondition& condition : conditions.links) {
    if (!condition.impairment.any()) continue;
    return fmt::format(
        "link `{}`: loss, jitter, reordering, duplication and queue lengths are of frames, which SMPI has not; the "
        "emulated network has",
        condition.links);
  }
  return "";
}

Simulated simulate(const std::string& platform_file, const Job& job, double timeout_s,
                   const std::function<void(int, const PointResult&)>& done, const SimulationOptions& options) {
  const std::string platform = platform_argument(platform_file);
  for (const Point& point : job.points) check_selector(point.plan, smpi_selectors, "SMPI");
  check_conditions(job.network, options);
  check_memory(job);
  Simulated simulated;
  ChildOptions child;
  json request = to_json(job);
  request["conditions"] = options.conditions;
  child.input = request.dump(-1, ' ', false, json::error_handler_t::replace);
  child.timeout_s = timeout_s;
  child.on_line = [&](const std::string& text) {
    const json line = json::parse(text);
    if (line.contains("provenance")) {
      simulated.provenance = line["provenance"].get<decltype(simulated.provenance)>();
      if (options.ready) options.ready(simulated);
      return;
    }
    const std::size_t point = simulated.points.size();
    if (line.contains("refused")) {
      throw Refused(fmt::format("{}: {}", describe(job, point), line["refused"].get<std::string>()));
    }
    simulated.points.push_back(point_result_from_json(line));
    if (!simulated.points.back().correct)
      throw Refused(fmt::format("{}: a rank ends with wrong bytes", describe(job, point)));
    if (done) done(static_cast<int>(point), simulated.points.back());
  };
  const char* queueing = options.queueing == Queueing::fifo ? "fifo" : "fluid";
  const ChildResult result = run_child({helper_program("isthmus-smpi"), platform, queueing}, child);
  if (result.exit_status == 0 && simulated.points.size() == job.points.size()) return simulated;
  if (result.exit_status == 2) throw BadInput(result.last_error_line());
  const std::string words = result.last_error_line();
  const std::string how =
      fmt::format("the simulator {}{}{}", result.how_it_ended(child), words.empty() ? "" : ": ", words);
  if (simulated.points.size() == job.points.size()) throw Refused(how);
  throw Refused(fmt::format("{}: {}", describe(job, simulated.points.size()), how));
}

}  // namespace isthmus
