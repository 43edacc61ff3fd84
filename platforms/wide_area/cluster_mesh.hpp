// Clusters, every pair joined by links of its own, as a network without an XML file.
#pragma once

#include <string>
#include <vector>

#include "algorithms/network/network.hpp"

namespace isthmus {

/// Stars of hosts, each with a full-duplex link, and between each pair of clusters one full-duplex link, or where the
/// figures differ by direction one link each way.
struct ClusterMesh {
  std::string name;
  std::vector<int> hosts;     ///< of each cluster, 3 or more
  double host_latency_s = 0;  ///< of a host's link, one way
  double host_bandwidth_Bps = 0;
  double header_bytes = 0;
  std::vector<double> latency_s, bandwidth_Bps;  ///< from cluster to cluster, row by row; the diagonal is not used
};

/// What the reader makes of the same platform in XML (python/isthmus/designs.py), with its names and numbers. Throws
/// BadInput where there is not enough memory.
Network mesh_of_clusters(const ClusterMesh& mesh);

}  // namespace isthmus
