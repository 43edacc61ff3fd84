#include "algorithms/network/link_names.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <map>
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

/// By link number: whether it belongs to the host that is alone at its endpoint: all trunks from there begin with it,
/// or all to there end with it, and no other trunk uses it.
std::vector<bool> links_of_lone_hosts(const Network& network) {
  constexpr int none = -1;
  std::map<int, int> hosts_at, first, last;
  for (const Host& host : network.hosts) ++hosts_at[host.endpoint];
  for (const auto& [ends, trunk] : network.trunks) {
    if (ends.first == ends.second) continue;
    const bool has_several = trunk.links.size() > 1;
    const auto note = [&](std::map<int, int>& links, int endpoint, const auto& at) {
      const int link = has_several && hosts_at[endpoint] == 1 ? *at : none;
      if (const auto [known, is_new] = links.try_emplace(endpoint, link); known->second != link) known->second = none;
    };
    note(first, ends.first, trunk.links.begin());
    note(last, ends.second, trunk.links.end() - 1);
  }
  std::vector<bool> own(network.links.size());
  for (const auto& links : {first, last})
    for (const auto& [endpoint, link] : links)
      if (link != none) own[link] = true;
  for (const auto& [ends, trunk] : network.trunks)
    for (const int link : trunk.links)
      if (own[link] && first[ends.first] != link && last[ends.second] != link) own[link] = false;
  return own;
}

std::vector<bool> own_links(const Network& network) {
  std::vector<bool> own = links_of_lone_hosts(network);
  for (const Host& host : network.hosts)
    for (const LinkList* links : {&host.up, &host.down, &host.loopback})
      for (const int link : *links) own[link] = true;
  return own;
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
      const std::string wanted = pattern + direction;
      if (name != wanted && fnmatch(wanted.c_str(), name.c_str(), 0) != 0) continue;
      found.push_back(static_cast<int>(i));
      break;
    }
  }
  if (found.empty()) throw BadInput(none_named(network, pattern));
  return found;
}

std::vector<bool> wide_area_links(const Network& network) {
  std::vector<bool> wide(network.links.size());
  const std::vector<bool> own = own_links(network);
  const std::vector<std::string> sites = sites_of_endpoints(network);
  const auto site_of = [&](int endpoint) { return endpoint < std::ssize(sites) ? sites[endpoint] : std::string(); };
  for (const auto& [ends, trunk] : network.trunks) {
    if (site_of(ends.first) == site_of(ends.second)) continue;
    const bool has_others = !std::ranges::all_of(trunk.links, [&](int link) { return own[link]; });
    for (const int link : trunk.links) wide[link] = wide[link] || !has_others || !own[link];
  }
  return wide;
}

std::string name_of_both(const Network& network, const std::string& link) {
  return without_direction(all_names(network), link);
}

std::vector<std::string> link_names(const Network& network) {
  const std::vector<bool> wide = wide_area_links(network);
  const std::vector<bool> own = own_links(network);
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
