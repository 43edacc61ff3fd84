// Discovery of exits, entrances and lines that sites share, where what each message gets depends on the others.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/measuring/discovery.hpp"
#include "algorithms/measuring/stream_window.hpp"
#include "tests/support/networks.hpp"
#include "tests/support/probers.hpp"

namespace isthmus {
namespace {

using tests::expect_same_routes, tests::hosts_of, tests::prober_on;

constexpr int hosts_of_site = 2;

int add_link(Network& network, const std::string& name, double bandwidth_Bps, double latency_s = 0) {
  network.links.push_back({name, bandwidth_Bps, latency_s});
  return static_cast<int>(network.links.size()) - 1;
}

/// Sites on switches. Every two have a line of 9 MB/s each way.
Network sites(int count) {
  Network network;
  network.transport.header_bytes = 100;
  for (int site = 0; site < count; ++site) {
    network.trunks[{site, site}] = {};
    for (int number = 0; number < hosts_of_site; ++number) {
      Host& host = network.hosts.emplace_back();
      host.name = fmt::format("s{}-{}", site, number);
      host.endpoint = site;
      host.zones = {{"site", fmt::format("s{}", site)}};
      host.up = {add_link(network, host.name + "-up", 125e6, 20e-6)};
      host.down = {add_link(network, host.name + "-down", 125e6, 20e-6)};
    }
    for (int other = 0; other < count; ++other)
      if (other != site)
        network.trunks[{site, other}].links = {add_link(network, fmt::format("{}-{}", site, other), 9e6, 5e-3)};
  }
  return network;
}

/// Streams share links as queues do.
PairProber queued_prober_on(const Network& network) {
  PairProber prober = prober_on(network);
  prober.streams_Bps = [&network](const std::vector<ProbeStream>& streams, double) {
    return tests::queued_rates_Bps(network, streams);
  };
  return prober;
}

const Link* link_named(const Network& network, const std::string& name) {
  const auto found = std::ranges::find(network.links, Name(name), &Link::name);
  return found == network.links.end() ? nullptr : &*found;
}

/// The links of both directions between two sites.
std::vector<int> links_both_ways(const Network& network, int one, int other) {
  std::vector<int> both;
  const std::vector<int> back = network.route(other * hosts_of_site, one * hosts_of_site).links;
  for (const int link : network.route(one * hosts_of_site, other * hosts_of_site).links)
    if (std::ranges::count(back, link) > 0) both.push_back(link);
  return both;
}

/// How many links two routes between sites share, from hosts of their own.
std::ptrdiff_t links_of_both(const Network& network, std::pair<int, int> one, std::pair<int, int> other) {
  const std::vector<int> links = network.route(one.first * hosts_of_site, one.second * hosts_of_site).links,
                         others =
                             network.route(other.first * hosts_of_site + 1, other.second * hosts_of_site + 1).links;
  return std::ranges::count_if(links, [&](int link) { return std::ranges::count(others, link) > 0; });
}

/// As on wires: from each link one way leads to each host.
void expect_one_way_from_each_link(const Network& network) {
  std::map<std::pair<int, int>, int> next;  // by link and destination
  const auto hosts = static_cast<int>(network.hosts.size());
  for (int from = 0; from < hosts; ++from) {
    for (int to = 0; to < hosts; ++to) {
      if (from == to) continue;
      const std::vector<int> links = network.route(from, to).links;
      for (std::size_t i = 0; i < links.size(); ++i) {
        const int after = i + 1 < links.size() ? links[i + 1] : -1;
        EXPECT_EQ(next.emplace(std::pair(links[i], to), after).first->second, after)
            << network.links[links[i]].name << " to " << network.hosts[to].name;
      }
    }
  }
}

TEST(SharedExits, LinksOfTheReceiverComeAfterTheLine) {
  // Exits of 5 MB/s and entrances of 6 that all routes cross, those of one site as a port; the last site is on a bus.
  Network known = sites(4);
  const int port = add_link(known, "port", 5e6), bus = add_link(known, "bus", 4e6);
  for (int site = 0; site < 3; ++site) {
    const int out = site == 0 ? port : add_link(known, "out", 5e6), in = site == 0 ? port : add_link(known, "in", 6e6);
    for (auto& [ends, trunk] : known.trunks) {
      if (ends.first == ends.second) continue;
      if (ends.first == site) trunk.links.insert(trunk.links.begin(), out);
      if (ends.second == site) trunk.links.push_back(in);
    }
  }
  for (auto& [ends, trunk] : known.trunks) {
    if (ends.first == 3) trunk.links.insert(trunk.links.begin(), bus);
    if (ends.second == 3 && ends.first != 3) trunk.links.push_back(bus);
  }
  const Network found = discover_network(hosts_of(known), {}, prober_on(known)).network;
  expect_same_routes(found, known);
  for (const char* name : {"s0:port", "s1:out", "s1:in", "s2:out", "s2:in", "s3:bus"})
    EXPECT_NE(link_named(found, name), nullptr) << name;
  expect_one_way_from_each_link(found);
}

// Of two hosts of 125 MB/s, one sends two of three streams: its own link is no exit of the site.
TEST(SharedExits, TheLinksOfHostsThatSendSeveralStreamsAreNone) {
  for (const std::vector<double>& lines_Bps : {std::vector{90e6, 20e6, 80e6}, std::vector{100e6, 100e6, 100e6}}) {
    Network known = sites(4);
    for (const auto& [ends, trunk] : known.trunks)
      if (const int other = std::max(ends.first, ends.second); std::min(ends.first, ends.second) == 0 && other > 0)
        known.links[trunk.links.front()].bandwidth_Bps = lines_Bps[other - 1];
    const Network found = discover_network(hosts_of(known), {}, prober_on(known)).network;
    expect_same_routes(found, known);
    for (const char* name : {"s0:out", "s0:in", "s0:port"}) EXPECT_EQ(link_named(found, name), nullptr) << name;
  }
}

TEST(SharedExits, LinesOfSitesInARowFollowEachOther) {
  Network known = sites(4);
  for (auto& [ends, trunk] : known.trunks)
    if (ends.first != ends.second) trunk.links.clear();
  for (const auto& [site, rate] : {std::pair(0, 25e6), {1, 10e6}, {2, 25e6}}) {
    const int there = add_link(known, "there", rate, 2e-3), back = add_link(known, "back", rate, 2e-3);
    for (auto& [ends, trunk] : known.trunks) {
      if (ends.first <= site && ends.second > site) trunk.links.push_back(there);
      if (ends.second <= site && ends.first > site) trunk.links.insert(trunk.links.begin(), back);
    }
  }
  for (const PairProber& prober : {prober_on(known), queued_prober_on(known)}) {
    const Network found = discover_network(hosts_of(known), {}, prober).network;
    expect_same_routes(found, known);
    EXPECT_EQ(links_of_both(found, {0, 3}, {1, 2}), 1);
    expect_one_way_from_each_link(found);
  }
}

TEST(SharedExits, SitesOnARingHaveALineToEachNeighbour) {
  constexpr int count = 6;
  Network known = sites(count);
  int hop[count][2];  // from a site to the next, and from the next back to it
  for (int site = 0; site < count; ++site)
    for (int back = 0; back < 2; ++back) hop[site][back] = add_link(known, "hop", 1e6, 10e-3);
  for (auto& [ends, trunk] : known.trunks) {
    if (ends.first == ends.second) continue;
    trunk.links.clear();
    const int steps = (ends.second - ends.first + count) % count;
    const bool onwards = 2 * steps < count || (2 * steps == count && ends.first < ends.second);
    for (int at = ends.first; at != ends.second; at = (at + (onwards ? 1 : count - 1)) % count)
      trunk.links.push_back(onwards ? hop[at][0] : hop[(at + count - 1) % count][1]);
  }
  for (const PairProber& prober : {prober_on(known), queued_prober_on(known)}) {
    const Network found = discover_network(hosts_of(known), {}, prober).network;
    expect_same_routes(found, known);
    expect_one_way_from_each_link(found);
    std::vector<std::pair<int, int>> routes;
    for (const auto& [ends, trunk] : known.trunks)
      if (ends.first != ends.second) routes.push_back(ends);
    for (const auto& one : routes)
      for (const auto& other : routes)
        EXPECT_EQ(links_of_both(found, one, other) - (one == other ? 1 : 0), links_of_both(known, one, other))
            << one.first << one.second << ' ' << other.first << other.second;
  }
}

TEST(SharedExits, ALineThatAloneFillsAnEntranceIsFoundToShareIt) {
  Network known = sites(4);
  const int entrance = add_link(known, "entrance", 6.15e6);
  for (const auto& [other, rate] : {std::pair(1, 0.916e6), {2, 22.5e6}, {3, 0.744e6}}) {
    for (const auto& ends : {std::pair(0, other), {other, 0}})
      known.links[known.trunks[ends].links[0]].bandwidth_Bps = rate;
    known.trunks[{other, 0}].links.push_back(entrance);
  }
  for (const PairProber& prober : {prober_on(known), queued_prober_on(known)}) {
    const Network found = discover_network(hosts_of(known), {}, prober).network;
    expect_same_routes(found, known);
    ASSERT_NE(link_named(found, "s0:in"), nullptr);
    EXPECT_NEAR(link_named(found, "s0:in")->bandwidth_Bps / 6.15e6, 1, 0.02);
    const int in = static_cast<int>(link_named(found, "s0:in") - found.links.data());
    for (const int other : {1, 2, 3})
      EXPECT_EQ(std::ranges::count(found.route(other * hosts_of_site, 0).links, in), 1) << other;
  }
}

TEST(SharedExits, ALineOfBothDirectionsStaysOneBesideAPortThatCarriesMore) {
  // All lines of the first site carry one direction at a time. The last one crosses the port in one case of two.
  for (const bool crosses : {true, false}) {
    Network known = sites(4);
    const int port = add_link(known, "port", 5e6);
    for (const auto& [other, rate] : {std::pair(1, 8e6), {2, 8e6}, {3, 0.5e6}}) {
      Trunk& out = known.trunks[{0, other}];
      known.links[out.links[0]].bandwidth_Bps = rate;
      if (other < 3 || crosses) out.links.insert(out.links.begin(), port);
      known.trunks[{other, 0}].links = {out.links.rbegin(), out.links.rend()};
    }
    for (const PairProber& prober : {prober_on(known), queued_prober_on(known)}) {
      const Network found = discover_network(hosts_of(known), {}, prober).network;
      expect_same_routes(found, known);
      for (const auto& [other, rate] : {std::pair(1, 5e6), {2, 5e6}, {3, 0.5e6}}) {
        double least_Bps = 1e9;
        for (const int link : links_both_ways(found, 0, other))
          least_Bps = std::min(least_Bps, found.links[link].bandwidth_Bps);
        EXPECT_NEAR(least_Bps / rate, 1, 0.02) << other;
      }
    }
  }
}

TEST(SharedExits, AnExitTowardsOneSiblingAndBeyondIsOneLink) {
  // Two regions of two sites each. A site has one exit and one entrance of 12 MB/s, towards its region and the other.
  Network known = sites(4);
  const int sea[] = {add_link(known, "sea", 20e6, 30e-3), add_link(known, "sea back", 20e6, 30e-3)};
  for (auto& [ends, trunk] : known.trunks) {
    if (ends.first == ends.second) continue;
    trunk.links.clear();
    if (ends.first / 2 != ends.second / 2) trunk.links = {sea[ends.first / 2]};
  }
  for (int site = 0; site < 4; ++site) {
    const int out = add_link(known, "out", 12e6, 1e-3), in = add_link(known, "in", 12e6, 1e-3);
    for (auto& [ends, trunk] : known.trunks) {
      if (ends.first == ends.second) continue;
      if (ends.first == site) trunk.links.insert(trunk.links.begin(), out);
      if (ends.second == site) trunk.links.push_back(in);
    }
  }
  for (const PairProber& prober : {prober_on(known), queued_prober_on(known)}) {
    const Network found = discover_network(hosts_of(known), {}, prober).network;
    expect_same_routes(found, known);
    for (int site = 0; site < 4; ++site) {
      const int sibling = site ^ 1, beyond = site ^ 2;
      EXPECT_EQ(links_of_both(found, {site, sibling}, {site, beyond}), 1) << site;
      EXPECT_EQ(links_of_both(found, {sibling, site}, {beyond, site}), 1) << site;
    }
    // Hosts of both sites of a region together fill the line between the regions.
    double capacity_Bps = 0;
    for (const Link& link : found.links)
      if (link.latency_s > 20e-3) capacity_Bps = std::max(capacity_Bps, link.bandwidth_Bps);
    EXPECT_NEAR(capacity_Bps / 20e6, 1, 0.02);
    expect_one_way_from_each_link(found);
  }
}

TEST(SharedExits, ALineOfRoutesThatMeetAPortIsFound) {
  Network known = sites(4);
  const int port = add_link(known, "port", 5e6), line = add_link(known, "line", 4e6);
  for (int other = 1; other < 4; ++other) {
    known.trunks[{0, other}].links.insert(known.trunks[{0, other}].links.begin(), port);
    known.trunks[{other, 0}].links.push_back(port);
  }
  for (const auto& ends : {std::pair(0, 1), {2, 3}}) known.trunks[ends].links.push_back(line);
  for (const PairProber& prober : {prober_on(known), queued_prober_on(known)}) {
    const Network found = discover_network(hosts_of(known), {}, prober).network;
    expect_same_routes(found, known);
    EXPECT_EQ(links_of_both(found, {0, 1}, {2, 3}), 1);
    EXPECT_EQ(links_of_both(found, {0, 1}, {3, 0}), 1);
    EXPECT_EQ(links_of_both(found, {0, 2}, {2, 3}), 0);
    expect_one_way_from_each_link(found);
  }
}

TEST(SharedExits, ALinkThatAllRoutesCrossIsOne) {
  for (const int count : {3, 4, 5}) {
    Network known = sites(count);
    const int line = add_link(known, "line", 6e6);
    for (auto& [ends, trunk] : known.trunks)
      if (ends.first != ends.second) trunk.links.push_back(line);
    const Network found = discover_network(hosts_of(known), {}, prober_on(known)).network;
    expect_same_routes(found, known);
    for (const auto& [one, other] : {std::pair(std::pair(0, 1), std::pair(1, 2)), {{0, 1}, {1, 0}}, {{0, 1}, {2, 0}}})
      EXPECT_EQ(links_of_both(found, one, other), 1) << count;
    expect_one_way_from_each_link(found);
  }
}

TEST(SharedExits, WhetherMessagesLeaveOverABusIsTestedTowardsTheQuickestSite) {
  Network known = sites(3);
  const int bus = add_link(known, "bus", 5e6);
  for (auto& [ends, trunk] : known.trunks)
    if (ends.first == 2 || ends.second == 2) trunk.links.push_back(bus);
  known.links[known.trunks[{2, 0}].links[0]].bandwidth_Bps = 0.5e6;
  const Network found = discover_network(hosts_of(known), {}, prober_on(known)).network;
  expect_same_routes(found, known);
  const int inside = found.trunks.at({found.hosts[4].endpoint, found.hosts[5].endpoint}).links.at(0);
  for (const auto& [from, to] : {std::pair(4, 0), {4, 2}, {0, 4}, {2, 4}})
    EXPECT_EQ(std::ranges::count(found.route(from, to).links, inside), 1) << from << ' ' << to;
}

TEST(SharedExits, LinksOfASiteOnABusAreFoundWhereTheyCarryLess) {
  // The last site is on a bus of 20 MB/s. It has an exit of 7 MB/s, and one line carries one direction at a time.
  Network known = sites(4);
  const int bus = add_link(known, "bus", 20e6), out = add_link(known, "out", 7e6);
  known.trunks[{3, 1}].links = known.trunks[{1, 3}].links;
  for (auto& [ends, trunk] : known.trunks) {
    if (ends.first == 3 && ends.second != 3) trunk.links.insert(trunk.links.begin(), out);
    if (ends.first == 3) trunk.links.insert(trunk.links.begin(), bus);
    if (ends.second == 3 && ends.first != 3) trunk.links.push_back(bus);
  }
  const Network found = discover_network(hosts_of(known), {}, prober_on(known)).network;
  expect_same_routes(found, known);
  ASSERT_NE(link_named(found, "s3:bus"), nullptr);
  ASSERT_NE(link_named(found, "s3:out"), nullptr);
  EXPECT_NEAR(link_named(found, "s3:out")->bandwidth_Bps / 7e6, 1, 0.02);
  EXPECT_EQ(links_both_ways(found, 1, 3).size(), 2U);  // the bus and the line
  EXPECT_EQ(links_both_ways(found, 0, 3).size(), 1U);
}

TEST(SharedExits, ABusOfHostsThatSendOrReceiveIsFoundWhateverTheirQueuesHold) {
  for (const int hosts : {2, 3}) {
    Network known = tests::star(hosts, 100e-6, 12.5e6, 100);
    for (Host& host : known.hosts) host.down = host.up;
    known.trunks[{0, 0}].links = {add_link(known, "bus", 5e6)};
    const PairProber exact = prober_on(known);
    PairProber prober = exact;
    prober.streams_Bps = [&](const std::vector<ProbeStream>& streams, double window_s) {
      std::vector<double> rates = exact.streams_Bps(streams, window_s);
      // At first queues at the hosts fill, and empty at a higher rate than the bus has.
      const double alone_Bps = known.route(streams[0].from, streams[0].to).bandwidth_Bps;
      const bool is_short = window_s * alone_Bps < 1.1 * static_cast<double>(streams[0].messages * streams[0].bytes);
      for (double& rate : rates) rate = std::min(rate * (is_short ? 1.33 : 1), alone_Bps);
      return rates;
    };
    const Network found = discover_network(hosts_of(known), {}, prober).network;
    const auto bus = std::ranges::find_if(found.links, [](const Link& link) { return link.name.ends_with(":bus"); });
    ASSERT_NE(bus, found.links.end()) << hosts;
    EXPECT_NEAR(bus->bandwidth_Bps / 5e6, 1, 0.02);
  }
}

TEST(SharedExits, HostsWhoseQueuesHoldAllAtFirstAreOnABusOnlyIfTheyHaveOne) {
  // Links for both directions are queues: a host sends all of its stream before anything of another's crosses its link.
  for (const bool has_bus : {false, true}) {
    Network known = tests::star(3, 100e-6, 12.5e6, 100);
    for (Host& host : known.hosts) host.down = host.up;
    if (has_bus) known.trunks[{0, 0}].links = {add_link(known, "bus", 12.5e6)};
    const PairProber exact = prober_on(known);
    PairProber prober = exact;
    prober.streams_Bps = [&](const std::vector<ProbeStream>& streams, double window_s) {
      std::vector<double> rates = exact.streams_Bps(streams, window_s);
      if (streams.size() != 3) return rates;
      const double alone_s = static_cast<double>(streams[0].messages * streams[0].bytes) / 12.5e6;
      // From then on streams get the whole of a link, or with a bus what all have together sent until then.
      const auto arrived_s = [&](double instant_s) {
        if (instant_s <= alone_s) return 0.0;
        return has_bus ? instant_s / 3 : std::min(instant_s - alone_s, alone_s);
      };
      const double start_s = stream_window_start * window_s, end_s = stream_window_end * window_s;
      for (double& rate : rates) rate = (arrived_s(end_s) - arrived_s(start_s)) / (end_s - start_s) * 12.5e6;
      return rates;
    };
    const Network found = discover_network(hosts_of(known), {}, prober).network;
    const auto bus = std::ranges::find_if(found.links, [](const Link& link) { return link.name.ends_with(":bus"); });
    ASSERT_EQ(bus != found.links.end(), has_bus);
    if (has_bus) {
      EXPECT_NEAR(bus->bandwidth_Bps / 12.5e6, 1, 0.05);
    } else {
      EXPECT_EQ(found.hosts[0].up, found.hosts[0].down);
    }
  }
}

}  // namespace
}  // namespace isthmus
