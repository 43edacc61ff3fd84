#include "algorithms/bounds/demand.hpp"

#include <map>

namespace isthmus::bounds {

Demand::Demand(const PlacedNetwork& placed, const Problem& problem)
    : placed_(placed), problem_(problem), graph_(placed), ranks_on_(placed.network().hosts.size()) {
  for (int rank = 0; rank < size(); ++rank) ranks_on_[host(rank)].push_back(rank);
  for (std::size_t host = 0; host < ranks_on_.size(); ++host)
    if (!ranks_on_[host].empty()) hosts_.push_back(static_cast<int>(host));
  hosts_of_class_.resize(graph_.classes());
  for (const int host : hosts_) hosts_of_class_[graph_.class_of(host)].push_back(host);
  if (!is_alltoall(problem_.collective))
    for (int rank = 0; rank < size(); ++rank) all_bytes_ += block_bytes(rank);
}

double Demand::block_bytes(int rank) const {
  return static_cast<double>(block_count(problem_, rank)) * static_cast<double>(problem_.element_bytes);
}

double Demand::block_bytes(int from, int to) const {
  return static_cast<double>(block_count(problem_, size(), from, to)) * static_cast<double>(problem_.element_bytes);
}

double Demand::bytes_of(std::span<const int> ranks) const {
  double bytes = 0;
  for (const int rank : ranks) bytes += block_bytes(rank);
  return bytes;
}

double Demand::bytes_between(std::span<const int> from, std::span<const int> to) const {
  if (problem_.counts.empty())
    return static_cast<double>(from.size()) * static_cast<double>(to.size()) * vector_bytes();
  double bytes = 0;
  for (const int source : from)
    for (const int target : to) bytes += block_bytes(source, target);
  return bytes;
}

int slowest_of(const Network& network, const std::vector<int>& links) {
  int slowest = -1;
  for (const int link : links)
    if (network.links[link].sharing == Sharing::shared &&
        (slowest < 0 || network.links[link].bandwidth_Bps < network.links[slowest].bandwidth_Bps))
      slowest = link;
  return slowest;
}

bool is_allgather(Collective collective) {
  return collective == Collective::allgather || collective == Collective::allgatherv;
}

std::optional<Part> part_of(const Demand& demand, std::span<const int> ranks) {
  Part part{{ranks.begin(), ranks.end()}, demand.graph().nobody()};
  std::map<int, std::size_t> ranks_there;  // by host
  for (const int rank : ranks) ++ranks_there[demand.host(rank)];
  for (const auto& [host, number] : ranks_there) {
    if (number != demand.ranks_on(host).size()) return std::nullopt;
    ++part.hosts[demand.graph().class_of(host)];
  }
  return part;
}

std::vector<int> all_but(const Demand& demand, std::span<const int> ranks) {
  std::vector<int> others;
  std::size_t next = 0;
  for (int rank = 0; rank < demand.size(); ++rank) {
    if (next < ranks.size() && ranks[next] == rank)
      ++next;
    else
      others.push_back(rank);
  }
  return others;
}

LinkGraph::Hosts one_of(const Demand& demand, int host_class) {
  LinkGraph::Hosts hosts = demand.graph().nobody();
  hosts[host_class] = 1;
  return hosts;
}

LinkGraph::Hosts without(LinkGraph::Hosts all, const LinkGraph::Hosts& some) {
  for (std::size_t i = 0; i < all.size(); ++i) all[i] -= some[i];
  return all;
}

}  // namespace isthmus::bounds
