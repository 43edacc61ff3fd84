// A network with a placement of ranks: the argument of models, searches and runs.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "algorithms/network/network.hpp"
#include "algorithms/topology/topology.hpp"

namespace isthmus {

/// Network, placement, topology and digest. Made once per request; copies share the data and are cheap.
class PlacedNetwork {
 public:
  /// Computes the topology. Throws BadInput for a placement without ranks.
  PlacedNetwork(Network network, Placement placement);
  /// The same with a network that others use too, which must not change.
  PlacedNetwork(std::shared_ptr<const Network> network, Placement placement);

  /// With the routes over forwarders that the ranks need (forwarded_routes.hpp).
  const Network& network() const;
  const Placement& placement() const;
  const Topology& topology() const;  ///< topology_of() the two
  /// Digest of the whole network as JSON, which distinguishes two platforms of one name. Computed at the first call.
  const std::string& digest() const;

  int size() const { return placement().size(); }
  int host_of(int rank) const { return placement().host_of_rank[rank]; }

  /// A selection of the ranks, in this order, on the same network.
  PlacedNetwork with_ranks(std::span<const int> ranks) const;
  /// The same with other groups than those of the network.
  PlacedNetwork with_ranks(std::span<const int> ranks, Topology topology) const;
  /// Where routes are forwarded: the ranks, followed by one on each forwarder, on the routes of the platform alone. A
  /// schedule of the ranks then has to be relayed. Else the same.
  PlacedNetwork with_forwarders() const;
  /// The same ranks and groups on links with other costs: hosts and their zones have to be the same.
  PlacedNetwork with_links_of(Network network) const;

 private:
  struct Parts;
  Placement placement_of(std::span<const int> ranks) const;
  explicit PlacedNetwork(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}

  std::shared_ptr<const Parts> parts_;
};

/// The number of topologies computed in this process. For tests that check that one request computes one.
std::int64_t topologies_worked_out();

}  // namespace isthmus
