#include "algorithms/tuning/rank_sample.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

namespace isthmus {
namespace {

/// The number of sampled parts of a group, by level, for a topology with `levels` levels of groups. Outermost groups
/// that are not alike are all there, if they are few.
int parts_copied(int levels, int level, bool are_alike) {
  if (levels == 0) return 32;
  if (level == 0 && !are_alike) return static_cast<int>(max_sampled_sites);
  if (levels == 1) return are_alike ? 4 : 2;
  if (levels == 2) return level == 0 ? 4 : 2;
  return level == 0 ? 3 : 2;
}

void add_ranks(const Topology& topology, int number, bool are_alike, std::vector<int>& ranks) {
  const Group& group = topology.group(number);
  const auto most = static_cast<std::size_t>(parts_copied(topology.levels(), group.level, are_alike));
  if (group.children.empty()) {
    const std::size_t few = std::min(group.ranks.size(), most);
    ranks.insert(ranks.end(), group.ranks.begin(), group.ranks.begin() + static_cast<std::ptrdiff_t>(few));
    return;
  }
  // The largest parts, the first ones among equals; a rank in no child is a part of one rank.
  struct Part {
    std::size_t ranks;
    int child, rank;
  };
  std::vector<Part> parts;
  std::vector<bool> in_child(static_cast<std::size_t>(topology.size()));
  for (const int child : group.children) {
    parts.push_back({topology.group(child).ranks.size(), child, -1});
    for (const int rank : topology.group(child).ranks) in_child[static_cast<std::size_t>(rank)] = true;
  }
  for (const int rank : group.ranks)
    if (!in_child[static_cast<std::size_t>(rank)]) parts.push_back({1, -1, rank});
  std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.ranks > b.ranks; });
  if (parts.size() > most) parts.resize(most);
  for (const Part& part : parts) {
    if (part.child >= 0)
      add_ranks(topology, part.child, are_alike, ranks);
    else
      ranks.push_back(part.rank);
  }
}

/// Whether the routes between the first ranks of the outermost groups do not differ. Many groups count as alike.
bool are_alike(const PlacedNetwork& placed, std::span<const int> groups) {
  if (groups.size() > max_sampled_sites) return true;
  std::set<std::pair<double, double>> figures;
  for (const int from : groups)
    for (const int to : groups) {
      if (from == to) continue;
      const int from_host = placed.host_of(placed.topology().group(from).ranks.front());
      const int to_host = placed.host_of(placed.topology().group(to).ranks.front());
      if (!placed.network().has_route(from_host, to_host)) return false;
      const Route route = placed.network().route(from_host, to_host);
      figures.insert({route.latency_s, route.bandwidth_Bps});
      if (figures.size() > 1) return false;
    }
  return true;
}

}  // namespace

std::vector<int> ranks_to_sample(const PlacedNetwork& placed) {
  constexpr int few = 32;
  const Topology& topology = placed.topology();
  if (topology.size() <= few) return topology.group(0).ranks;
  std::vector<int> ranks;
  add_ranks(topology, 0, are_alike(placed, topology.group(0).children), ranks);
  std::sort(ranks.begin(), ranks.end());
  return ranks;
}

PlacedNetwork sample_of(const PlacedNetwork& placed, const std::vector<int>& ranks) {
  const Network& network = placed.network();
  Network sample;
  Placement sample_placement;
  sample.name = network.name;
  sample.transport = network.transport;
  sample.classes = network.classes;
  std::map<int, int> hosts, links, endpoints;
  const auto renumber = [&](auto& numbers) {
    for (int& number : numbers) {
      const auto [at, is_new] = links.try_emplace(number, static_cast<int>(sample.links.size()));
      if (is_new) sample.links.push_back(network.links[number]);
      number = at->second;
    }
  };
  const auto number_in_sample = [&](int number) {
    const auto [at, is_new] = hosts.try_emplace(number, static_cast<int>(sample.hosts.size()));
    if (is_new) {
      Host host = network.hosts[number];
      renumber(host.up);
      renumber(host.down);
      renumber(host.loopback);
      endpoints.try_emplace(host.endpoint, host.endpoint);
      sample.hosts.push_back(std::move(host));
    }
    return at->second;
  };
  for (const int rank : ranks) sample_placement.host_of_rank.push_back(number_in_sample(placed.host_of(rank)));
  const std::vector<int>& with_forwarders = placed.with_forwarders().placement().host_of_rank;
  for (std::size_t i = placed.size(); i < with_forwarders.size(); ++i) number_in_sample(with_forwarders[i]);
  for (const auto& [from, unused] : endpoints)
    for (const auto& [to, unused_too] : endpoints) {
      const auto trunk = network.trunks.find({from, to});
      if (trunk == network.trunks.end() || !trunk->second.forwarders.empty()) continue;  // found again in the sample
      Trunk& own = sample.trunks[{from, to}] = trunk->second;
      renumber(own.links);
    }
  return {std::move(sample), std::move(sample_placement)};
}

}  // namespace isthmus
