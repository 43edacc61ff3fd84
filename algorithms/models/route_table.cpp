#include "algorithms/models/route_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "algorithms/errors.hpp"

namespace isthmus {

RouteTable::RouteTable(const Network& network) : network_(network) {
  std::size_t entries = 0;
  for (const Host& host : network.hosts) entries += host.up.size() + host.down.size() + host.loopback.size();
  for (const auto& [ends, trunk] : network.trunks) entries += trunk.links.size();
  links_.reserve(entries);
  const auto add = [&](const std::vector<int>& list) {
    const auto begin = static_cast<std::uint32_t>(links_.size());
    for (int link : list) {
      if (link < 0 || link >= static_cast<int>(network.links.size())) {
        throw BadInput(fmt::format("{}: a route uses link {}; links are 0..{}", network.name, link,
                                   static_cast<int>(network.links.size()) - 1));
      }
      links_.push_back(static_cast<std::uint32_t>(link));
    }
    return begin;
  };

  hosts_.reserve(network.hosts.size() + 1);
  int endpoints = 0;
  for (const Host& host : network.hosts) {
    if (std::max(host.up.size(), host.down.size()) > std::numeric_limits<std::uint16_t>::max()) {
      throw BadInput(fmt::format("{}: host {} has more than {} links of its own", network.name, host.name,
                                 std::numeric_limits<std::uint16_t>::max()));
    }
    hosts_.push_back({add(host.up), host.endpoint, static_cast<std::uint16_t>(host.up.size()),
                      static_cast<std::uint16_t>(host.down.size())});
    add(host.down);
    add(host.loopback);
    endpoints = std::max(endpoints, host.endpoint + 1);
  }
  hosts_.push_back({static_cast<std::uint32_t>(links_.size()), -1, 0, 0});

  first_trunk_.assign(endpoints + 1, 0);
  trunks_.reserve(network.trunks.size());
  for (const auto& [ends, trunk] : network.trunks) {  // ordered by origin, then by destination
    if (ends.first < 0 || ends.first >= endpoints) continue;
    const std::uint32_t begin = add(trunk.links);
    trunks_.push_back({ends.second, begin, static_cast<std::uint32_t>(links_.size())});
    ++first_trunk_[ends.first + 1];
  }
  for (int endpoint = 0; endpoint < endpoints; ++endpoint) first_trunk_[endpoint + 1] += first_trunk_[endpoint];

  std::map<std::tuple<double, double, Sharing>, std::uint32_t> numbers;
  kind_of_.reserve(network.links.size());
  for (const Link& link : network.links) {
    const bool as_before = !kind_of_.empty() && (&link - 1)->bandwidth_Bps == link.bandwidth_Bps &&
                           (&link - 1)->latency_s == link.latency_s && (&link - 1)->sharing == link.sharing;
    if (as_before) {
      kind_of_.push_back(kind_of_.back());
      continue;
    }
    const auto [at, is_new] = numbers.try_emplace({link.bandwidth_Bps, link.latency_s, link.sharing}, kinds_.size());
    if (is_new) kinds_.push_back({1 / link.bandwidth_Bps, link.latency_s, link.sharing == Sharing::shared});
    kind_of_.push_back(at->second);
  }
}

const RouteTable::TrunkList* RouteTable::find_trunk(int from_host, int to_host) const {
  const int from = hosts_[from_host].endpoint, to = hosts_[to_host].endpoint;
  const TrunkList* first = trunks_.data() + first_trunk_[from];
  const TrunkList* last = trunks_.data() + first_trunk_[from + 1];
  const TrunkList* found =
      std::lower_bound(first, last, to, [](const TrunkList& list, int wanted) { return list.to < wanted; });
  return found != last && found->to == to ? found : nullptr;
}

RoutePosition RouteTable::begin(int from_host, int to_host) const {
  if (from_host == to_host) return {hosts_[from_host].loopback(), loopback_part};
  if (find_trunk(from_host, to_host) == nullptr) network_.route(from_host, to_host);  // throws, naming both
  return {hosts_[from_host].up, up_part};
}

double RouteTable::latency_s(int from_host, int to_host) const {
  RoutePosition position = begin(from_host, to_host);
  double latency_s = 0;
  for (int link; (link = link_at(position, from_host, to_host)) >= 0; ++position.next)
    latency_s += kind(link).latency_s;
  return latency_s;
}

}  // namespace isthmus
