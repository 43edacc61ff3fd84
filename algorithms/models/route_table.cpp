#include "algorithms/models/route_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>

#include "algorithms/errors.hpp"

namespace isthmus {

RouteTable::RouteTable(const Network& network) : network_(network) {
  const auto add = [&](const std::vector<int>& list) {
    const auto begin = static_cast<std::uint32_t>(links_of_lists_.size());
    for (int link : list) {
      if (link < 0 || link >= static_cast<int>(network.links.size())) {
        throw BadInput(fmt::format("{}: a route uses link {}; links are 0..{}", network.name, link,
                                   static_cast<int>(network.links.size()) - 1));
      }
      links_of_lists_.push_back(static_cast<std::uint32_t>(link));
    }
    return begin;
  };

  links_of_lists_.reserve(2 * network.hosts.size());  // most hosts have one link each way
  hosts_.reserve(network.hosts.size() + 1);
  int endpoints = 0;
  std::size_t ups = 0, trunks = 0, downs = 0;  // the most that there are
  for (const Host& host : network.hosts) {
    hosts_.push_back({add(host.up), host.endpoint, static_cast<std::uint16_t>(host.up.size()),
                      static_cast<std::uint16_t>(host.down.size())});
    add(host.down);
    add(host.loopback);
    endpoints = std::max(endpoints, host.endpoint + 1);
    ups = std::max({ups, host.up.size(), host.loopback.size()});
    downs = std::max(downs, host.down.size());
  }
  hosts_.push_back({static_cast<std::uint32_t>(links_of_lists_.size()), -1, 0, 0});

  first_trunk_.assign(endpoints + 1, 0);
  trunks_.reserve(network.trunks.size());
  for (const auto& [ends, trunk] : network.trunks) {  // ordered by origin, then by destination
    if (ends.first < 0 || ends.first >= endpoints) continue;
    const std::uint32_t begin = add(trunk.links);
    trunks_.push_back({ends.second, begin, static_cast<std::uint32_t>(links_of_lists_.size())});
    ++first_trunk_[ends.first + 1];
    trunks = std::max(trunks, trunk.links.size());
  }
  for (int endpoint = 0; endpoint < endpoints; ++endpoint) first_trunk_[endpoint + 1] += first_trunk_[endpoint];
  if (ups + trunks + downs > longest_route) {
    throw BadInput(fmt::format("{}: a route has {} links; at most {} are possible", network.name, ups + trunks + downs,
                               longest_route));
  }

  std::map<std::tuple<double, double, Sharing>, std::uint32_t> numbers;
  links_.reserve(network.links.size());
  for (const Link& link : network.links) {
    const bool as_before = !links_.empty() && (&link - 1)->bandwidth_Bps == link.bandwidth_Bps &&
                           (&link - 1)->latency_s == link.latency_s && (&link - 1)->sharing == link.sharing;
    if (as_before) {
      links_.push_back({.kind = links_.back().kind, .fed_by = nobody});
      continue;
    }
    const auto [at, is_new] = numbers.try_emplace({link.bandwidth_Bps, link.latency_s, link.sharing}, kinds_.size());
    if (is_new) kinds_.push_back({1 / link.bandwidth_Bps, link.latency_s, link.sharing == Sharing::shared});
    links_.push_back({.kind = at->second, .fed_by = nobody});
  }
}

void RouteTable::refuse(int from_host, int to_host) const {
  network_.route(from_host, to_host);  // throws, naming both
  std::abort();
}

double RouteTable::latency_s(int from_host, int to_host) const {
  const Route links = route(from_host, to_host);
  double latency_s = 0;
  for (std::size_t i = 0; i < links.size(); ++i) latency_s += kind(links_[links[i]]).latency_s;
  return latency_s;
}

}  // namespace isthmus
