// Latencies of hosts' own links, from the latencies of the routes between hosts.
#pragma once

#include <vector>

namespace isthmus {

/// The latency of a route: that of the first host, of the second host, and of what lies between them.
struct RouteLatency {
  int one = 0, other = 0;  ///< hosts
  int between = -1;        ///< number of what lies between them; -1: nothing
  double latency_s = 0;
  double scale_s = 0;  ///< an error counts relative to this; above 0
};

struct HostLatencies {
  std::vector<double> of_host, of_between;  ///< seconds, 0 or more
};

/// The least squares of relative errors, by coordinate descent from `of_host`. Hosts whose entry in `is_fixed` is true
/// keep the given latency.
HostLatencies fit_host_latencies(std::vector<double> of_host, const std::vector<bool>& is_fixed, int betweens,
                                 const std::vector<RouteLatency>& routes);

}  // namespace isthmus
