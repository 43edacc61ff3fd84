#include "algorithms/bounds/site_graph.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "algorithms/network/forwarded_routes.hpp"

namespace isthmus::bounds {
namespace {

constexpr int max_sites_of_graph = 64;
constexpr std::size_t max_endpoints = 512;

/// The site of each endpoint that has ranks, numbered from 0.
std::map<int, int> sites_of_endpoints(const Demand& demand) {
  const Network& network = demand.network();
  std::map<int, int> sites;
  for (const int host : demand.hosts()) sites.try_emplace(network.hosts[host].endpoint, static_cast<int>(sites.size()));
  if (sites.size() > max_endpoints) return {};
  int left = static_cast<int>(sites.size());
  if (left <= max_sites_of_graph) return sites;
  std::vector<std::tuple<double, int, int>> widest;
  for (const auto& [ends, trunk] : network.trunks) {
    const auto from = sites.find(ends.first), to = sites.find(ends.second);
    if (ends.first != ends.second && from != sites.end() && to != sites.end())
      widest.emplace_back(route_cost(network, trunk.links).bandwidth_Bps, from->second, to->second);
  }
  std::ranges::sort(widest, std::greater<>());
  std::vector<int> joined(sites.size());
  std::iota(joined.begin(), joined.end(), 0);
  for (const auto& [bandwidth_Bps, from, to] : widest) {
    if (left <= max_sites_of_graph) break;
    if (joined[from] == joined[to]) continue;
    std::ranges::replace(joined, int{joined[from]}, int{joined[to]});
    --left;
  }
  std::map<int, int> numbers;
  for (auto& [endpoint, site] : sites)
    site = numbers.try_emplace(joined[site], static_cast<int>(numbers.size())).first->second;
  return left <= max_sites_of_graph ? sites : std::map<int, int>();
}

}  // namespace

std::vector<double> latencies_around_links(const Demand& demand) {
  const Network& network = demand.network();
  std::map<int, std::pair<double, double>> own_s;  // by endpoint: the least latencies of hosts' own links out and in
  for (int number = 0; number < demand.graph().classes(); ++number) {
    const int endpoint = network.hosts[demand.hosts_of_class(number).front()].endpoint;
    auto& [up_s, down_s] = own_s.try_emplace(endpoint, infinite, infinite).first->second;
    up_s = std::min(up_s, demand.graph().up(number).latency_s);
    down_s = std::min(down_s, demand.graph().down(number).latency_s);
  }
  const auto own = [&](int endpoint) {
    const auto found = own_s.find(endpoint);
    return found == own_s.end() ? std::pair(0.0, 0.0) : found->second;  // a gateway's
  };
  std::vector<double> before_s(network.links.size(), infinite), behind_s(network.links.size(), infinite);
  for (const auto& [ends, trunk] : network.trunks) {
    double reached_s = own(ends.first).first;
    for (const int link : trunk.links) {
      before_s[link] = std::min(before_s[link], reached_s);
      reached_s += network.links[link].latency_s;
    }
    double left_s = own(ends.second).second;
    for (auto link = trunk.links.rbegin(); link != trunk.links.rend(); ++link) {
      behind_s[*link] = std::min(behind_s[*link], left_s);
      left_s += network.links[*link].latency_s;
    }
  }
  for (std::size_t link = 0; link < before_s.size(); ++link)
    before_s[link] += network.links[link].latency_s + behind_s[link];
  return before_s;
}

SiteGraph::SiteGraph(const Demand& demand) : demand_(demand) {
  const Network& network = demand.network();
  const std::map<int, int> site_of = sites_of_endpoints(demand);
  if (site_of.empty() || has_parallel_routes(network)) return;
  std::size_t sites = 0;
  for (const auto& [endpoint, site] : site_of) sites = std::max(sites, static_cast<std::size_t>(site) + 1);
  ranks_.resize(sites);
  up_Bps_.resize(sites);
  down_Bps_.resize(sites);
  classes_.resize(sites);
  own_latency_s_.assign(sites, infinite);
  link_latency_s_ = latencies_around_links(demand);
  links_.resize(sites * sites);
  route_links_.resize(sites * sites);
  unlimited_.resize(sites * sites);
  bandwidth_Bps_.resize(sites * sites);
  latency_s_.assign(sites * sites, infinite);
  add_routes(site_of, add_hosts(site_of));
}

std::map<int, std::pair<double, double>> SiteGraph::add_hosts(const std::map<int, int>& site_of) {
  const Network& network = demand_.network();
  const LinkGraph& graph = demand_.graph();
  std::map<int, std::pair<double, double>> own_s;
  for (int rank = 0; rank < demand_.size(); ++rank)
    ranks_[site_of.at(network.hosts[demand_.host(rank)].endpoint)].push_back(rank);
  for (int number = 0; number < graph.classes(); ++number) {
    const int endpoint = network.hosts[demand_.hosts_of_class(number).front()].endpoint;
    up_Bps_[site_of.at(endpoint)] += graph.up(number).bandwidth_Bps * graph.hosts_in(number);
    down_Bps_[site_of.at(endpoint)] += graph.down(number).bandwidth_Bps * graph.hosts_in(number);
    auto& [up_s, down_s] = own_s.try_emplace(endpoint, infinite, infinite).first->second;
    up_s = std::min(up_s, graph.up(number).latency_s);
    down_s = std::min(down_s, graph.down(number).latency_s);
    classes_[site_of.at(endpoint)].push_back(number);
  }
  for (const auto& [endpoint, own] : own_s)
    own_latency_s_[site_of.at(endpoint)] = std::min(own_latency_s_[site_of.at(endpoint)], own.first + own.second);
  return own_s;
}

void SiteGraph::add_routes(const std::map<int, int>& site_of, const std::map<int, std::pair<double, double>>& own_s) {
  const Network& network = demand_.network();
  std::vector<int> routes(links_.size());
  for (const auto& [ends, trunk] : network.trunks) {
    const auto from = site_of.find(ends.first), to = site_of.find(ends.second);
    if (from == site_of.end() || to == site_of.end() || from->second == to->second) continue;
    const std::size_t at = index(from->second, to->second);
    route_links_[at].clear();
    const bool is_only = ++routes[at] == 1;
    int slowest = -1;
    double latency_s = own_s.at(ends.first).first + own_s.at(ends.second).second;
    for (const int link : trunk.links) {
      latency_s += network.links[link].latency_s;
      if (is_only && network.links[link].sharing == Sharing::shared) route_links_[at].push_back(link);
      if (network.links[link].sharing == Sharing::shared &&
          (slowest < 0 || network.links[link].bandwidth_Bps < network.links[slowest].bandwidth_Bps))
        slowest = link;
    }
    latency_s_[at] = std::min(latency_s_[at], latency_s);
    if (slowest < 0)
      unlimited_[at] = 1;
    else
      links_[at].push_back(slowest);
  }
  for (std::size_t at = 0; at < links_.size(); ++at) {
    std::ranges::sort(links_[at]);
    links_[at].erase(std::unique(links_[at].begin(), links_[at].end()), links_[at].end());
    for (const int link : links_[at]) bandwidth_Bps_[at] += network.links[link].bandwidth_Bps;
    if (unlimited_[at] != 0) bandwidth_Bps_[at] = infinite;
  }
}

Part SiteGraph::part(const std::vector<bool>& chosen) const {
  std::vector<int> ranks;
  for (int site = 0; site < sites(); ++site)
    if (chosen[site]) ranks.insert(ranks.end(), ranks_[site].begin(), ranks_[site].end());
  std::ranges::sort(ranks);
  return *part_of(demand_, ranks);
}

}  // namespace isthmus::bounds
