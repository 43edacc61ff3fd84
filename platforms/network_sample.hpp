// A network of which large clusters have a few hosts only: what the helper that loads a platform tells the program that
// asked.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algorithms/network/name_range.hpp"
#include "algorithms/network/network.hpp"

namespace isthmus {

/// The number of hosts that a cluster of a sample has. The reader numbers the links of the first three in an order of
/// its own; the three after them have to be alike.
inline constexpr int sampled_hosts = 6;

struct NetworkSample {
  Network network;
  std::vector<NameRange> clusters;  ///< the names of all hosts of each cluster that has its first hosts only
};

/// One line.
std::string to_text(const NetworkSample& sample);
/// Throws BadInput for what is none.
NetworkSample network_sample_from(const std::string& text);

/// The network with all hosts. None where the last hosts of a cluster are not alike: how others would be is then not
/// known.
std::optional<Network> with_all_hosts(NetworkSample sample);

}  // namespace isthmus
