#include "algorithms/network/link_names.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>

#include "algorithms/errors.hpp"
#include "algorithms/text/near_matches.hpp"
#include "algorithms/text/printable.hpp"

namespace isthmus {
namespace {

constexpr std::string_view directions[] = {"_UP", "_DOWN"};

/// The names of the zones that are sites, by endpoint; several hosts share an endpoint.
std::vector<std::string> sites_of_endpoints(const Network& network) {
  std::vector<std::string> sites;
  for (const Host& host : network.hosts) {
    if (host.endpoint >= static_cast<int>(sites.size())) sites.resize(host.endpoint + 1);
    if (!host.zones.empty()) sites[host.endpoint] = host.zones.front().name;
  }
  return sites;
}

std::string without_direction(const std::set<std::string_view>& names, const std::string& link) {
  for (const std::string_view direction : directions) {
    if (!link.ends_with(direction)) continue;
    const std::string base = link.substr(0, link.size() - direction.size());
    const bool is_up = direction == directions[0];
    if (names.contains(base + std::string(directions[is_up ? 1 : 0]))) return base;
  }
  return link;
}

std::set<std::string_view> all_names(const Network& network) {
  std::set<std::string_view> names;
  for (const Link& link : network.links) names.insert(link.name);
  return names;
}

std::string none_named(const Network& network, const std::string& pattern) {
  constexpr std::size_t max_listed = 12;
  const std::vector<std::string> names = link_names(network);
  const std::vector<std::string_view> views(names.begin(), names.end());
  return fmt::format("link `{}`: none of this name in {}{}", excerpt(pattern), excerpt(network.name),
                     near_matches(pattern, views, max_listed));
}

}  // namespace

std::vector<int> links_named(const Network& network, const std::string& pattern) {
  std::vector<int> found;
  for (std::size_t i = 0; i < network.links.size(); ++i) {
    const std::string name = network.links[i].name;
    for (const char* direction : {"", "_UP", "_DOWN"}) {
      if (fnmatch((pattern + direction).c_str(), name.c_str(), 0) != 0) continue;
      found.push_back(static_cast<int>(i));
      break;
    }
  }
  if (found.empty()) throw BadInput(none_named(network, pattern));
  return found;
}

std::vector<bool> wide_area_links(const Network& network) {
  std::vector<bool> wide(network.links.size());
  const std::vector<std::string> sites = sites_of_endpoints(network);
  const auto site_of = [&](int endpoint) { return endpoint < std::ssize(sites) ? sites[endpoint] : std::string(); };
  for (const auto& [ends, trunk] : network.trunks) {
    if (site_of(ends.first) == site_of(ends.second)) continue;
    for (const int link : trunk.links) wide[link] = true;
  }
  return wide;
}

std::string name_of_both(const Network& network, const std::string& link) {
  return without_direction(all_names(network), link);
}

std::vector<std::string> link_names(const Network& network) {
  const std::vector<bool> wide = wide_area_links(network);
  std::vector<bool> own(network.links.size());
  for (const Host& host : network.hosts)
    for (const LinkList* links : {&host.up, &host.down, &host.loopback})
      for (const int link : *links) own[link] = true;
  const auto rank = [&](int link) { return std::tuple(own[link], !wide[link], -network.links[link].latency_s); };
  std::vector<int> order(network.links.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  std::ranges::stable_sort(order, {}, rank);
  const std::set<std::string_view> all = all_names(network);
  std::vector<std::string> names;
  std::set<std::string> listed;
  for (const int link : order) {
    const std::string name = without_direction(all, network.links[link].name);
    if (listed.insert(name).second) names.push_back(name);
  }
  return names;
}

}  // namespace isthmus
