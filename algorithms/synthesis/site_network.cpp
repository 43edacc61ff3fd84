#include "algorithms/synthesis/site_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "algorithms/errors.hpp"

namespace isthmus {
namespace {

bool contains(const std::vector<int>& links, int link) {
  return std::find(links.begin(), links.end(), link) != links.end();
}

double least_shared_Bps(const Network& network, const std::vector<int>& links) {
  double least = unlimited_Bps;
  for (const int link : links)
    if (network.links[link].sharing == Sharing::shared) least = std::min(least, network.links[link].bandwidth_Bps);
  return least;
}

}  // namespace

SiteNetwork::SiteNetwork(const PlacedNetwork& placed) : placed_(placed) {
  find_sites();
  if (size() < 2)
    throw BadInput(fmt::format("{}: all ranks are in one site; a packing needs two sites or more", network().name));
  find_edges();
  find_rates();
}

void SiteNetwork::find_sites() {
  const Topology& topology = placed_.topology();
  std::vector<char> grouped(placed_.size());
  for (const int child : topology.group(0).children) {
    const Group& group = topology.group(child);
    sites_.push_back({.name = group.name, .ranks = group.ranks});
    for (const int rank : group.ranks) grouped[rank] = 1;
  }
  for (int rank = 0; rank < placed_.size(); ++rank)
    if (grouped[rank] == 0) sites_.push_back({.name = fmt::format("rank {}", rank), .ranks = {rank}});
  std::sort(sites_.begin(), sites_.end(),
            [](const Site& a, const Site& b) { return a.ranks.front() < b.ranks.front(); });
  site_of_rank_.resize(placed_.size());
  for (int s = 0; s < size(); ++s) {
    std::set<int> hosts;
    std::vector<int> endpoints;
    for (const int rank : sites_[s].ranks) {
      site_of_rank_[rank] = s;
      if (!hosts.insert(placed_.host_of(rank)).second) continue;
      const int endpoint = network().hosts[placed_.host_of(rank)].endpoint;
      if (endpoints.empty() || (endpoint != endpoints.back() && !contains(endpoints, endpoint)))
        endpoints.push_back(endpoint);
    }
    sites_[s].hosts = static_cast<int>(hosts.size());
    endpoints_.push_back(std::move(endpoints));
  }
}

const Trunk* SiteNetwork::trunk(int from_endpoint, int to_endpoint) const {
  const auto found = network().trunks.find({from_endpoint, to_endpoint});
  return found == network().trunks.end() ? nullptr : &found->second;
}

/// The links of a trunk to or from other sites that another host of the site does without: its endpoint's own. Two
/// other sites are looked at.
std::vector<int> SiteNetwork::own_links(int site, int endpoint, bool out) const {
  const std::vector<int>& endpoints = endpoints_[site];
  std::vector<int> own;
  if (endpoints.size() < 2) return own;
  const int other_endpoint = endpoint == endpoints[0] ? endpoints[1] : endpoints[0];
  int looked_at = 0;
  for (int s = 0; s < size() && looked_at < 2; ++s) {
    if (s == site) continue;
    const int far = endpoints_[s].front();
    const Trunk* mine = out ? trunk(endpoint, far) : trunk(far, endpoint);
    const Trunk* other = out ? trunk(other_endpoint, far) : trunk(far, other_endpoint);
    if (mine == nullptr || other == nullptr) continue;
    ++looked_at;
    for (const int link : mine->links)
      if (!contains(other->links, link) && !contains(own, link)) own.push_back(link);
  }
  return own;
}

bool SiteNetwork::is_wire_of(int site, const Host& host, int link) const {
  return sites_[site].hosts == 1 && is_wire(network(), host, link);
}

void SiteNetwork::find_edges() {
  const int k = size();
  std::map<int, int> index_of_link;
  std::vector<std::vector<int>> own_out, own_in;
  for (int s = 0; s < k; ++s) {
    own_out.push_back(own_links(s, endpoints_[s].front(), true));
    own_in.push_back(own_links(s, endpoints_[s].front(), false));
  }
  edges_.resize(static_cast<std::size_t>(k) * k);
  for (int i = 0; i < k; ++i) {
    for (int j = 0; j < k; ++j) {
      if (i == j || !network().has_route(first_host(i), first_host(j))) continue;
      SiteEdge& edge = edges_[static_cast<std::size_t>(i) * k + j];
      Route route = network().route(first_host(i), first_host(j));
      edge.exists = route.bandwidth_Bps > 0;
      if (!edge.exists) continue;
      edge.links = std::move(route.links);
      const auto is_of_hosts = [&](int site, int link, bool out) {
        const Host& host = network().hosts[first_host(site)];
        return (contains(out ? host.up : host.down, link) && !is_wire_of(site, host, link)) ||
               contains(out ? own_out[site] : own_in[site], link);
      };
      for (const int link : edge.links) {
        if (network().links[link].sharing != Sharing::shared || is_of_hosts(i, link, true) ||
            is_of_hosts(j, link, false))
          continue;
        const auto [found, added] = index_of_link.try_emplace(link, static_cast<int>(shared_links_.size()));
        if (added) shared_links_.push_back(link);
        if (!contains(edge.shared, found->second)) edge.shared.push_back(found->second);
      }
    }
  }
}

void SiteNetwork::find_rates() {
  host_out_Bps_.resize(placed_.size());
  host_in_Bps_.resize(placed_.size());
  local_routes_.resize(size());
  for (int s = 0; s < size(); ++s) {
    Site& site = sites_[s];
    const auto rates = [&](bool out, std::vector<double>& of_rank) {
      double sum = 0;
      for (const int endpoint : endpoints_[s]) {
        const double own = least_shared_Bps(network(), own_links(s, endpoint, out));
        double hosts_Bps = 0;
        std::set<int> seen;
        for (const int rank : site.ranks) {
          const Host& host = network().hosts[placed_.host_of(rank)];
          if (host.endpoint != endpoint) continue;
          std::vector<int> links = out ? host.up : host.down;
          std::erase_if(links, [&](int link) { return is_wire_of(s, host, link); });
          const double host_Bps = least_shared_Bps(network(), links);
          of_rank[rank] = std::min(own, host_Bps);
          if (seen.insert(placed_.host_of(rank)).second) hosts_Bps += host_Bps;
        }
        sum += std::min(own, hosts_Bps);
      }
      return sum;
    };
    site.out_Bps = rates(true, host_out_Bps_);
    site.in_Bps = rates(false, host_in_Bps_);
    if (site.hosts == 1) forget_links_that_nothing_fills(s);
    for (const int rank : site.ranks) {
      const int host = placed_.host_of(rank);
      if (host == first_host(s) || !network().has_route(first_host(s), host)) continue;
      local_routes_[s] = network().route(first_host(s), host).links;
      break;
    }
  }
}

void SiteNetwork::forget_links_that_nothing_fills(int number) {
  double leaves_Bps = 0, enters_Bps = 0;
  const auto shared_Bps = [&](const SiteEdge& edge) {
    double least = edge.exists ? unlimited_Bps : 0;
    for (const int shared : edge.shared) least = std::min(least, network().links[shared_links_[shared]].bandwidth_Bps);
    return least;
  };
  for (int other = 0; other < size(); ++other) {
    leaves_Bps += shared_Bps(edge(number, other));
    enters_Bps += shared_Bps(edge(other, number));
  }
  Site& site = sites_[number];
  if (site.out_Bps >= leaves_Bps) site.out_Bps = unlimited_Bps;
  if (site.in_Bps >= enters_Bps) site.in_Bps = unlimited_Bps;
  for (const int rank : site.ranks) {
    host_out_Bps_[rank] = std::max(host_out_Bps_[rank], site.out_Bps);
    host_in_Bps_[rank] = std::max(host_in_Bps_[rank], site.in_Bps);
  }
}

SiteNetwork SiteNetwork::with_edges(const std::vector<char>& kept) const {
  SiteNetwork some = *this;
  for (std::size_t i = 0; i < some.edges_.size(); ++i)
    if (kept[i] == 0) some.edges_[i] = {};
  some.number_shared_links();
  return some;
}

SiteNetwork SiteNetwork::renumbered(const std::vector<int>& order) const {
  SiteNetwork same = *this;
  for (int i = 0; i < size(); ++i) {
    const int former = order[i];
    same.sites_[i] = sites_[former];
    for (const int rank : sites_[former].ranks) same.site_of_rank_[rank] = i;
    same.endpoints_[i] = endpoints_[former];
    same.local_routes_[i] = local_routes_[former];
    for (int j = 0; j < size(); ++j)
      same.edges_[static_cast<std::size_t>(i) * sites_.size() + j] = edge(former, order[j]);
  }
  same.number_shared_links();
  return same;
}

void SiteNetwork::number_shared_links() {
  std::vector<int> number(shared_links_.size(), -1), numbered;
  for (SiteEdge& edge : edges_)
    for (int& shared : edge.shared) {
      if (number[shared] < 0) {
        number[shared] = static_cast<int>(numbered.size());
        numbered.push_back(shared_links_[shared]);
      }
      shared = number[shared];
    }
  shared_links_ = std::move(numbered);
}

double occupation_s(const Network& network, std::span<const int> links, double bytes) {
  double most = 0;
  for (const int link : links) {
    const Link& l = network.links[link];
    most = std::max(most, l.link_class >= 0 ? network.classes[l.link_class].gap(bytes)
                                            : (bytes + network.transport.header_bytes) / l.bandwidth_Bps);
  }
  return most;
}

namespace {

double send_overhead_s(const Network& network, int link_class, double bytes) {
  if (link_class >= 0) return network.classes[link_class].send_overhead(bytes);
  return network.transport.send_overhead_s + network.transport.send_overhead_s_per_byte * bytes;
}

double receive_overhead_s(const Network& network, int link_class, double bytes) {
  if (link_class >= 0) return network.classes[link_class].receive_overhead(bytes);
  return network.transport.receive_overhead_s + network.transport.receive_overhead_s_per_byte * bytes;
}

}  // namespace

double send_overhead_s(const Network& network, std::span<const int> links, double bytes) {
  return send_overhead_s(network, network.class_of(links), bytes);
}

double receive_overhead_s(const Network& network, std::span<const int> links, double bytes) {
  return receive_overhead_s(network, network.class_of(links), bytes);
}

double message_s(const Network& network, std::span<const int> links, double bytes) {
  return message_cost(network, links, bytes).whole_s();
}

MessageCost message_cost(const Network& network, std::span<const int> links, double bytes) {
  // Sums of the same latencies in another order, or read from a file of another form, differ in their last digits.
  constexpr double ticks_per_s = 1e12;
  double latency_s = 0;
  for (const int link : links) latency_s += network.links[link].latency_s;
  const int of_route = network.class_of(links);
  return {std::round(latency_s * ticks_per_s) / ticks_per_s, occupation_s(network, links, bytes),
          send_overhead_s(network, of_route, bytes), receive_overhead_s(network, of_route, bytes)};
}

}  // namespace isthmus
