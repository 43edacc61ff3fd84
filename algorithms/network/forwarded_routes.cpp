#include "algorithms/network/forwarded_routes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/errors.hpp"

namespace isthmus {
namespace {

/// The hosts between two others, from one to the other.
using Way = std::vector<int>;
constexpr std::size_t max_forwarded_ways = 16;  // as many as a forwarder uses

/// The ways with the fewest hops over all hosts of a network.
class WaysOverHosts {
 public:
  WaysOverHosts(const Network& network, const Placement& ranks) : network_(network), placement_(ranks) {
    std::vector<char> has_rank(network.hosts.size());
    for (const int host : ranks.host_of_rank) has_rank[host] = 1;
    for (int host = 0; host < static_cast<int>(network.hosts.size()); ++host)
      if (has_rank[host] == 0) placement_.host_of_rank.push_back(host);
    all_ = connectivity_of(network, placement_);
  }

  /// Ranks of one class have the same ways: routes from and to hosts without ranks count too.
  int class_of(int rank) const { return all_.class_of(rank); }

  /// Not between ranks with a route. Empty: they do not reach each other.
  std::vector<Way> between(int from_rank, int to_rank) const {
    if (all_.complete()) return {};
    const std::vector<int> hops = hops_to(all_.class_of(to_rank));
    const int from = all_.class_of(from_rank);
    if (hops[from] < 2) return {};
    std::vector<Way> ways{{}};
    std::vector<int> last{from};  // class of the last host, by way
    for (int left = hops[from] - 1; left > 0; --left) {
      std::vector<Way> longer;
      std::vector<int> last_of_longer;
      for (std::size_t way = 0; way < ways.size(); ++way)
        for (int next = 0; next < all_.classes(); ++next) {
          if (hops[next] != left || !joined(last[way], next)) continue;
          for (const int host : hosts_of(next)) {
            if (longer.size() == max_forwarded_ways) break;
            longer.emplace_back(ways[way]).push_back(host);
            last_of_longer.push_back(next);
          }
        }
      ways = std::move(longer);
      last = std::move(last_of_longer);
    }
    return ways;
  }

 private:
  bool joined(int from, int to) const {
    const int source = all_.members(from).front(), target = all_.members(to).front();
    return all_.direct(source, target) && all_.direct(target, source);
  }

  std::vector<int> hops_to(int to) const {
    std::vector<int> hops(all_.classes(), -1), reached{to};
    hops[to] = 0;
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (int next = 0; next < all_.classes(); ++next) {
        if (hops[next] >= 0 || !joined(next, reached[i])) continue;
        hops[next] = hops[reached[i]] + 1;
        reached.push_back(next);
      }
    return hops;
  }

  std::set<int> hosts_of(int number) const {
    std::set<int> hosts;
    for (const int rank : all_.members(number)) hosts.insert(placement_.host_of_rank[rank]);
    return hosts;
  }

  const Network& network_;
  Placement placement_;  // the ranks, and one on each other host
  Connectivity all_;
};

const std::vector<int>& trunk_between(const Network& network, int from, int to) {
  const Host &source = network.hosts[from], &target = network.hosts[to];
  const auto found = network.trunks.find({source.endpoint, target.endpoint});
  if (found == network.trunks.end()) throw BadInput("no route from host " + source.name + " to host " + target.name);
  return found->second.links;
}

/// The links between a host and another, own links of those between included.
std::vector<int> links_over(const Network& network, int from, const Way& way, int to) {
  std::vector<int> links;
  const auto add = [&](const std::vector<int>& part) { links.insert(links.end(), part.begin(), part.end()); };
  int at = from;
  for (const int host : way) {
    add(trunk_between(network, at, host));
    add(network.hosts[host].down);
    add(network.hosts[host].up);
    at = host;
  }
  add(trunk_between(network, at, to));
  return links;
}

Trunk forwarded_trunk(const Network& network, int from, const std::vector<Way>& ways, int to) {
  Trunk trunk;
  std::set<int> forwarders;
  for (const Way& way : ways) {
    forwarders.insert(way.begin(), way.end());
    if (&way == ways.data())
      trunk.links = links_over(network, from, way, to);
    else
      trunk.other_ways.push_back(links_over(network, from, way, to));
  }
  trunk.forwarders.assign(forwarders.begin(), forwarders.end());
  return trunk;
}

/// Calls `add(from_rank, to_rank, ways)` for ranks of each two endpoints, or two hosts of one, that only other hosts
/// join.
template <typename Add>
void for_each_forwarded(const Network& network, const Placement& placement, const Connectivity& of_ranks,
                        const Add& add) {
  const WaysOverHosts ways(network, placement);
  std::map<int, std::vector<int>> ranks_at;  // by endpoint: ranks of up to two hosts
  for (int rank = 0; rank < placement.size(); ++rank) {
    const int host = placement.host_of_rank[rank];
    std::vector<int>& ranks = ranks_at[network.hosts[host].endpoint];
    if (ranks.empty() || (ranks.size() == 1 && placement.host_of_rank[ranks.front()] != host)) ranks.push_back(rank);
  }
  std::map<std::pair<int, int>, std::vector<Way>> known;  // by class over all hosts
  for (const auto& [from_endpoint, from] : ranks_at)
    for (const auto& [to_endpoint, to] : ranks_at) {
      const int source = from.front(), target = from_endpoint == to_endpoint ? to.back() : to.front();
      if (network.trunks.contains({from_endpoint, to_endpoint}) || of_ranks.reaches(source, target)) continue;
      const auto [found, is_new] = known.try_emplace({ways.class_of(source), ways.class_of(target)});
      if (is_new) found->second = ways.between(source, target);
      if (!found->second.empty()) add(source, target, found->second);
    }
}

bool lacks_ways(const Connectivity& of_ranks) { return !of_ranks.complete() && of_ranks.unreachable().first >= 0; }

}  // namespace

std::int64_t forwarded_piece_bytes(const Network& network) {
  constexpr double piece_s = 40e-6;
  constexpr double least = 4096, most = 32768;
  double slowest_Bps = std::numeric_limits<double>::infinity();
  for (const Link& link : network.links)
    if (link.sharing == Sharing::shared) slowest_Bps = std::min(slowest_Bps, link.bandwidth_Bps);
  return static_cast<std::int64_t>(std::clamp(piece_s * slowest_Bps, least, most));
}

bool has_forwarded_routes(const Network& network) {
  return std::ranges::any_of(network.trunks, [](const auto& trunk) { return !trunk.second.forwarders.empty(); });
}

bool has_parallel_routes(const Network& network) {
  return std::ranges::any_of(network.trunks, [](const auto& trunk) { return !trunk.second.other_ways.empty(); });
}

Network without_forwarded_routes(Network network) {
  std::erase_if(network.trunks, [](const auto& trunk) { return !trunk.second.forwarders.empty(); });
  return network;
}

Network with_forwarded_routes(Network network, const Placement& placement) {
  network = without_forwarded_routes(std::move(network));
  const Connectivity of_ranks = connectivity_of(network, placement);
  if (!lacks_ways(of_ranks)) return network;
  std::map<std::pair<int, int>, Trunk> found;
  for_each_forwarded(network, placement, of_ranks, [&](int from_rank, int to_rank, const std::vector<Way>& ways) {
    const int from = placement.host_of_rank[from_rank], to = placement.host_of_rank[to_rank];
    found[{network.hosts[from].endpoint, network.hosts[to].endpoint}] = forwarded_trunk(network, from, ways, to);
  });
  network.trunks.merge(found);
  return network;
}

Placement with_forwarders(const Network& network, const Placement& placement) {
  if (has_forwarded_routes(network)) return with_forwarders(without_forwarded_routes(network), placement);
  const Connectivity of_ranks = connectivity_of(network, placement);
  if (!lacks_ways(of_ranks)) return placement;
  std::set<int> forwarders;
  for_each_forwarded(network, placement, of_ranks, [&](int, int, const std::vector<Way>& ways) {
    for (const Way& way : ways) forwarders.insert(way.begin(), way.end());
  });
  for (const int host : placement.host_of_rank) forwarders.erase(host);
  Placement all = placement;
  all.host_of_rank.insert(all.host_of_rank.end(), forwarders.begin(), forwarders.end());
  return all;
}

void require_routes(const Network& network, std::span<const int> hosts, std::string_view would_be_right) {
  const std::set<int> different(hosts.begin(), hosts.end());
  std::string first;
  int pairs = 0;
  for (const int from : different) {
    for (const int to : different) {
      if (from == to) continue;
      const Host &sender = network.hosts[from], &receiver = network.hosts[to];
      const auto trunk = network.trunks.find({sender.endpoint, receiver.endpoint});
      if (trunk != network.trunks.end() && trunk->second.forwarders.empty()) continue;
      if (pairs++ == 0) first = fmt::format("from host {} to host {}", sender.name, receiver.name);
    }
  }
  if (pairs == 0) return;
  const std::string others = pairs == 1 ? "" : fmt::format(", nor between {} other pairs", pairs - 1);
  throw BadInput(fmt::format("{}: no route {}{}; {} would be right", network.name, first, others, would_be_right));
}

}  // namespace isthmus
