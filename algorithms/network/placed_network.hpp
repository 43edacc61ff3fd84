// A network with its ranks in place: what every question is asked of.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "algorithms/network/network.hpp"
#include "algorithms/topology/topology.hpp"

namespace isthmus {

/// Network, placement, topology and digest. It is made once for a question; a copy shares everything and costs nothing.
class PlacedNetwork {
 public:
  /// Works out the topology. Throws BadInput for no rank.
  PlacedNetwork(Network network, Placement placement);

  const Network& network() const;
  const Placement& placement() const;
  const Topology& topology() const;  ///< topology_of() the two
  /// Of the whole network as JSON, so that two platforms of one name are told apart. Worked out when it is first asked
  /// for.
  const std::string& digest() const;

  int size() const { return placement().size(); }
  int host_of(int rank) const { return placement().host_of_rank[rank]; }

  /// Some of the ranks, in this order, on the same network.
  PlacedNetwork with_ranks(std::span<const int> ranks) const;
  /// The same ranks in the same groups on links that cost something else: hosts and their zones have to be the same.
  PlacedNetwork with_links_of(Network network) const;

 private:
  struct Parts;
  explicit PlacedNetwork(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}

  std::shared_ptr<const Parts> parts_;
};

/// How many topologies of placements were worked out in this process. For tests that see to it that one question needs
/// one.
std::int64_t topologies_worked_out();

}  // namespace isthmus
