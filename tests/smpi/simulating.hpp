// Helpers for the tests of the simulation.
#pragma once

#include <string>
#include <vector>

#include "algorithms/catalog.hpp"
#include "platforms/reader.hpp"
#include "sim/simulate.hpp"

namespace isthmus {

/// SimGrid takes events within 1e-10 s of each other as one; along a chain of messages that adds up.
inline constexpr double rounding_s = 2e-9;

inline std::string platform(const std::string& name) { return std::string(ISTHMUS_PLATFORMS) + "/" + name + ".xml"; }

/// One rank on every host of a platform, without points.
inline Job job_on(const std::string& name) {
  Job job;
  job.network = read_platform(platform(name));
  job.placement = place_ranks(job.network, PlacementRule::block, 1);
  return job;
}

/// A rank on each host named, in this order.
inline Placement on_hosts(const Network& network, const std::vector<std::string>& names) {
  Placement placement;
  for (const std::string& name : names) {
    for (int host = 0; host < static_cast<int>(network.hosts.size()); ++host) {
      if (network.hosts[host].name == name) placement.host_of_rank.push_back(host);
    }
  }
  return placement;
}

inline Point broadcast(const std::string& plan, std::int64_t bytes, int root = 0) {
  return {{Collective::broadcast, bytes, 1, root}, parse_plan(Collective::broadcast, plan)};
}

}  // namespace isthmus
