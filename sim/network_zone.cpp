#include "sim/network_zone.hpp"

#include <algorithm>
#include <map>
#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "algorithms/network/forwarded_routes.hpp"

namespace isthmus {
namespace {

namespace routing = simgrid::kernel::routing;
namespace s4u = simgrid::s4u;

constexpr double unknown_speed_flops = 1e9;  // with 0, as `discover` has it, SimGrid gives up

/// Answers from the network's trunks: a SimGrid zone of kind Full would keep the links of each pair of hosts.
class NetworkZone final : public routing::NetZoneImpl {
 public:
  explicit NetworkZone(Network network) : NetZoneImpl(unused_name(network)), network_(std::move(network)) {}

  void fill() {
    // SimGrid takes a route without links for none. On this one messages take no time.
    links_without_cost_ = {create_link(get_name(), {1e18})->set_sharing_policy(s4u::Link::SharingPolicy::FATPIPE)};
    for (const Link& one : network_.links) {
      s4u::Link* link = create_link(one.name, {one.bandwidth_Bps});
      link->set_latency(one.latency_s);
      link->set_sharing_policy(one.sharing == Sharing::shared ? s4u::Link::SharingPolicy::SHARED
                                                              : s4u::Link::SharingPolicy::FATPIPE);
      links_.push_back(link);
    }
    for (const Host& one : network_.hosts) {
      s4u::Host* host = create_host(one.name, {one.speed_flops > 0 ? one.speed_flops : unknown_speed_flops});
      host->set_core_count(one.cores);
      numbers_.emplace(host->get_netpoint(), static_cast<int>(numbers_.size()));
    }
    seal();
  }

  void get_local_route(const routing::NetPoint* from, const routing::NetPoint* to, routing::Route* into,
                       double* latency_s) override {
    for (const s4u::Link* link : route(numbers_.at(from), numbers_.at(to))) {
      into->link_list_.push_back(link->get_impl());
      if (latency_s != nullptr) *latency_s += link->get_latency();
    }
  }

  void get_graph(const s_xbt_graph_t* /*graph*/, std::map<std::string, xbt_node_t, std::less<>>* /*nodes*/,
                 std::map<std::string, xbt_edge_t, std::less<>>* /*edges*/) override {}  // of pictures, never asked for

 private:
  static std::string unused_name(const Network& network) {
    std::string name = "zone";
    const auto is_it = [&](const auto& one) { return one.name == name; };
    while (std::ranges::any_of(network.hosts, is_it) || std::ranges::any_of(network.links, is_it)) name += "_";
    return name;
  }

  /// None between hosts that no route joins.
  std::vector<s4u::Link*> route(int from, int to) const {
    if (!network_.has_route(from, to)) return {};
    std::vector<s4u::Link*> links;
    for (const int number : network_.route(from, to).links) links.push_back(links_[number]);
    return links.empty() ? links_without_cost_ : links;
  }

  const Network network_;
  std::vector<s4u::Link*> links_;  // by number
  std::vector<s4u::Link*> links_without_cost_;
  std::unordered_map<const routing::NetPoint*, int> numbers_;  // of hosts
};

}  // namespace

void make_network_zone(const Network& network) {
  // The first zone is the engine's outermost one, and the engine deletes it.
  (new NetworkZone(without_forwarded_routes(network)))->fill();
}

}  // namespace isthmus
