#include "algorithms/network/placed_network.hpp"

#include <atomic>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>

#include "algorithms/errors.hpp"
#include "algorithms/network/forwarded_routes.hpp"
#include "algorithms/network/network_json.hpp"
#include "algorithms/text/digest.hpp"

namespace isthmus {
namespace {

std::atomic<std::int64_t> worked_out = 0;

Topology work_out_topology(const Network& network, const Placement& placement) {
  if (placement.size() == 0) throw BadInput("placement: no rank; at least one would be right");
  ++worked_out;
  return topology_of(network, placement);
}

/// With the routes over forwarders that these ranks need; the same network where they need none.
std::shared_ptr<const Network> network_for(std::shared_ptr<const Network> network, const Placement& placement) {
  const Connectivity connectivity = connectivity_of(*network, placement);
  const bool lacks_ways = !connectivity.complete() && connectivity.unreachable().first >= 0;
  if (!lacks_ways && !has_forwarded_routes(*network)) return network;
  return std::make_shared<const Network>(with_forwarded_routes(*network, placement));
}

}  // namespace

struct PlacedNetwork::Parts {
  Parts(const std::shared_ptr<const Network>& of_network, Placement of_placement, Topology of_topology)
      : network(network_for(of_network, of_placement)),
        placement(std::move(of_placement)),
        topology(std::move(of_topology)) {}

  std::shared_ptr<const Network> network;
  Placement placement;
  Topology topology;
  mutable std::once_flag digest_known, forwarders_known;
  mutable std::string digest;
  mutable std::shared_ptr<const Parts> with_forwarders;  // null: no routes are forwarded
};

PlacedNetwork::PlacedNetwork(Network network, Placement placement)
    : PlacedNetwork(std::make_shared<const Network>(std::move(network)), std::move(placement)) {}

PlacedNetwork::PlacedNetwork(std::shared_ptr<const Network> network, Placement placement) {
  Topology topology = work_out_topology(*network, placement);
  parts_ = std::make_shared<const Parts>(std::move(network), std::move(placement), std::move(topology));
}

const Network& PlacedNetwork::network() const { return *parts_->network; }
const Placement& PlacedNetwork::placement() const { return parts_->placement; }
const Topology& PlacedNetwork::topology() const { return parts_->topology; }

const std::string& PlacedNetwork::digest() const {
  std::call_once(parts_->digest_known, [&] { parts_->digest = isthmus::digest(to_json(network()).dump()); });
  return parts_->digest;
}

PlacedNetwork PlacedNetwork::with_ranks(std::span<const int> ranks) const {
  Placement placement = placement_of(ranks);
  Topology topology = work_out_topology(network(), placement);
  return PlacedNetwork(std::make_shared<const Parts>(parts_->network, std::move(placement), std::move(topology)));
}

PlacedNetwork PlacedNetwork::with_ranks(std::span<const int> ranks, Topology topology) const {
  return PlacedNetwork(std::make_shared<const Parts>(parts_->network, placement_of(ranks), std::move(topology)));
}

PlacedNetwork PlacedNetwork::with_forwarders() const {
  std::call_once(parts_->forwarders_known, [&] {
    if (!has_forwarded_routes(network())) return;
    parts_->with_forwarders =
        PlacedNetwork(without_forwarded_routes(network()), isthmus::with_forwarders(network(), placement())).parts_;
  });
  return parts_->with_forwarders ? PlacedNetwork(parts_->with_forwarders) : *this;
}

Placement PlacedNetwork::placement_of(std::span<const int> ranks) const {
  Placement placement;
  placement.host_of_rank.reserve(ranks.size());
  for (const int rank : ranks) placement.host_of_rank.push_back(host_of(rank));
  return placement;
}

PlacedNetwork PlacedNetwork::with_links_of(Network network) const {
  return PlacedNetwork(
      std::make_shared<const Parts>(std::make_shared<const Network>(std::move(network)), placement(), topology()));
}

std::int64_t topologies_worked_out() { return worked_out; }

}  // namespace isthmus
