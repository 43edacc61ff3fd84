// Discovery: exact measurements on a known network give a network with the same costs.
#include "algorithms/measuring/discovery.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "algorithms/errors.hpp"
#include "algorithms/network/link_names.hpp"
#include "algorithms/network/medium.hpp"
#include "algorithms/network/network_json.hpp"
#include "tests/support/networks.hpp"

namespace isthmus {
namespace {

/// Exact measurements: messages have headers, and messages that share a link cross it one after the other.
PairProber prober_on(const Network& network) {
  const double header_bytes = network.transport.header_bytes;
  const auto one_way_s = [&network, header_bytes](int from, int to, double bytes) {
    const Route route = network.route(from, to);
    return route.latency_s + (bytes + header_bytes) / route.bandwidth_Bps;
  };
  return {[=](int from, int to, std::int64_t bytes, int) {
            return one_way_s(from, to, static_cast<double>(bytes)) + one_way_s(to, from, 0);
          },
          [=, &network](std::pair<int, int> one, std::pair<int, int> other, std::int64_t bytes, int) {
            const std::vector<int> links = network.route(one.first, one.second).links;
            double together_s = 0;
            for (const int link : network.route(other.first, other.second).links)
              if (std::ranges::find(links, link) != links.end())
                together_s += 2 * (static_cast<double>(bytes) + header_bytes) / network.links[link].bandwidth_Bps;
            return std::max({together_s, one_way_s(one.first, one.second, static_cast<double>(bytes)),
                             one_way_s(other.first, other.second, static_cast<double>(bytes))});
          }};
}

std::vector<DiscoveredHost> hosts_of(const Network& network) {
  std::vector<DiscoveredHost> hosts;
  for (const Host& host : network.hosts) hosts.push_back({host.name, 1});
  return hosts;
}

std::vector<std::vector<int>> groups_of(const Network& network) {
  std::vector<std::vector<int>> groups;
  const Topology topology = topology_of(network, place_ranks(network, PlacementRule::block, 1));
  for (const Group& group : topology.groups()) groups.push_back(group.ranks);
  return groups;
}

void expect_same_routes(const Network& found, const Network& known) {
  for (int from = 0; from < static_cast<int>(known.hosts.size()); ++from) {
    for (int to = 0; to < static_cast<int>(known.hosts.size()); ++to) {
      if (from == to) continue;
      const Route there = known.route(from, to), here = found.route(from, to);
      EXPECT_NEAR(here.latency_s, there.latency_s, 1e-9) << from << ' ' << to;
      EXPECT_NEAR(here.bandwidth_Bps / there.bandwidth_Bps, 1, 1e-6) << from << ' ' << to;
    }
  }
}

TEST(Discovery, FindsGroupsLatenciesAndBandwidthsOfClusters) {
  for (const auto& [clusters, hosts] : {std::pair(4, 4), {2, 3}, {1, 6}, {4, 1}, {3, 20}, {12, 2}}) {
    SCOPED_TRACE(fmt::format("{} x {}", clusters, hosts));
    const Network known = tests::das(clusters, hosts);
    const Network found = discover_network(hosts_of(known), {}, prober_on(known));
    expect_same_routes(found, known);
    EXPECT_TRUE(hosts == 1 || groups_of(found) == groups_of(known));
    EXPECT_EQ(to_json(network_from_json(to_json(found))), to_json(found));
  }
}

TEST(Discovery, TellsLinksOfPairsFromThoseOfParts) {
  const auto links_named = [](const Network& network, const std::string& name) {
    return std::ranges::count_if(network.links, [&](const Link& link) { return link.name == name; });
  };
  const Network pairs = tests::das(4, 2);
  const Network found = discover_network(hosts_of(pairs), {}, prober_on(pairs));
  EXPECT_EQ(links_named(found, "c0:c2"), 1);
  EXPECT_EQ(links_named(found, "c0:out"), 0);
  EXPECT_EQ(links_named(found, "c0-1:out"), 1);
  // All of a cluster's wide-area messages cross one link out and one link in.
  Network shared = tests::grid({.clusters = 4, .hosts = 2, .wan_bandwidth_Bps = 1e9});
  for (int cluster = 0; cluster < 4; ++cluster) {
    const auto out = static_cast<int>(shared.links.size());
    shared.links.push_back({fmt::format("out{}", cluster), 1e6, 1e-3});
    shared.links.push_back({fmt::format("in{}", cluster), 1e6, 1e-3});
    for (auto& [ends, trunk] : shared.trunks) {
      if (ends.first == ends.second) continue;
      if (ends.first == cluster) trunk.links.insert(trunk.links.begin(), out);
      if (ends.second == cluster) trunk.links.push_back(out + 1);
    }
  }
  const Network again = discover_network(hosts_of(shared), {}, prober_on(shared));
  expect_same_routes(again, shared);
  EXPECT_EQ(links_named(again, "c0:out"), 1);
  const Route one = again.route(0, 2), other = again.route(1, 4);
  EXPECT_TRUE(std::ranges::any_of(one.links, [&](int link) { return std::ranges::count(other.links, link) > 0; }));
}

TEST(Discovery, TellsACableFromASwitch) {
  Network known = tests::das(2, 4);
  const auto cable = static_cast<int>(known.links.size());
  known.links.push_back({"cable", 1e5, 1e-5});
  for (Host& host : known.hosts) {
    if (host.endpoint != 1) continue;
    host.up.clear();
    host.down.clear();
  }
  for (auto& [ends, trunk] : known.trunks)
    if (ends.first == 1 || ends.second == 1) trunk.links.push_back(cable);
  const Network found = discover_network(hosts_of(known), {}, prober_on(known));
  expect_same_routes(found, known);
  EXPECT_EQ(medium_between(found, std::vector{0, 1, 2, 3}), Medium::switched);
  EXPECT_EQ(medium_between(found, std::vector{4, 5, 6, 7}), Medium::shared);
  const std::vector<int> out = found.route(4, 0).links, back = found.route(1, 6).links;
  EXPECT_TRUE(std::ranges::any_of(out, [&](int link) { return std::ranges::count(back, link) > 0; }));
  EXPECT_EQ(to_json(network_from_json(to_json(found))), to_json(found));
}

TEST(Discovery, FindsOneLevelByTheRuleOfEco) {
  DiscoverySettings settings;
  set_rule(settings, "eco");
  EXPECT_EQ(settings.eco_threshold, 1.2);
  const Network known = tests::das(3, 3);
  EXPECT_EQ(groups_of(discover_network(hosts_of(known), settings, prober_on(known))), groups_of(known));
  set_rule(settings, "eco:600");
  EXPECT_EQ(discovery_settings_from_json(to_json(settings)).eco_threshold, 600);
  EXPECT_EQ(groups_of(discover_network(hosts_of(known), settings, prober_on(known))).size(), 1);
  set_rule(settings, "levels");
  EXPECT_EQ(settings.eco_threshold, 0);
  for (const char* wrong : {"", "Eco", "eco:", "eco:0.9", "eco:1.2x", "eco:1001", "eco:nan", "levels:2"})
    EXPECT_THROW(set_rule(settings, wrong), BadInput) << wrong;
}

TEST(Discovery, NamesHostsOfOneSiteAndGivesThoseWithSeveralRanksALoopback) {
  Network known = tests::das(1, 3);
  for (int host = 0; host < 3; ++host) {
    known.hosts[host].loopback = {static_cast<int>(known.links.size())};
    known.links.push_back({fmt::format("loop{}", host), 5e9, 1e-7});
  }
  std::vector<DiscoveredHost> hosts = hosts_of(known);
  hosts[1].ranks = 4;
  const Network found = discover_network(hosts, {}, prober_on(known));
  EXPECT_TRUE(found.hosts[0].zones.empty());
  EXPECT_EQ(found.hosts[1].cores, 4);
  EXPECT_NEAR(found.route(1, 1).latency_s, 1e-7, 1e-9);
  EXPECT_NEAR(found.route(1, 1).bandwidth_Bps, 5e9, 1);
  EXPECT_TRUE(found.hosts[0].loopback.empty());
}

TEST(Discovery, RefusesTooFewHostsTwoOfOneNameAndWrongSettings) {
  const PairProber none;
  EXPECT_THROW(discover_network({{"a", 8}}, {}, none), BadInput);
  EXPECT_THROW(discover_network({{"a", 1}, {"a", 1}}, {}, none), BadInput);
  const nlohmann::json right = to_json(DiscoverySettings{});
  EXPECT_EQ(to_json(discovery_settings_from_json(right)), right);
  for (const auto& [key, value] : {std::pair<const char*, nlohmann::json>("alike", 0.5),
                                   {"alike", "2"},
                                   {"long_bytes", 1e12},
                                   {"repetitions", 0},
                                   {"most_in_full", nullptr}}) {
    nlohmann::json wrong = right;
    wrong[key] = value;
    EXPECT_THROW(discovery_settings_from_json(wrong), BadInput) << key;
  }
  EXPECT_THROW(discovery_settings_from_json(nlohmann::json::array()), BadInput);
}

}  // namespace
}  // namespace isthmus
