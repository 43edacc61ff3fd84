// Discovery where frames are lost, other traffic disturbs tests, and measurements contradict each other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/errors.hpp"
#include "algorithms/measuring/discovery.hpp"
#include "algorithms/network/network_json.hpp"
#include "tests/support/networks.hpp"
#include "tests/support/probers.hpp"

namespace isthmus {
namespace {

using tests::expect_same_routes, tests::groups_of, tests::hosts_of, tests::prober_on;

TEST(Discovery, DirectionsOfUnequalRatesAreTwoLinksHoweverATestDisturbsThem) {
  Network known = tests::das(2, 2);
  for (const int link : known.trunks.at({0, 1}).links) known.links[link].bandwidth_Bps *= 6;
  const PairProber exact = prober_on(known);
  PairProber prober = exact;
  prober.streams_Bps = [&](const std::vector<ProbeStream>& streams, double window_s) {
    std::vector<double> rates = exact.streams_Bps(streams, window_s);
    // As where frames are lost: the slower of two directions at once gets even less.
    const auto goes_there = [](const ProbeStream& stream) { return stream.from < 2 && stream.to >= 2; };
    if (std::ranges::any_of(streams, goes_there) && !std::ranges::all_of(streams, goes_there))
      for (double& rate : rates) rate *= 0.5;
    return rates;
  };
  expect_same_routes(discover_network(hosts_of(known), {}, prober).network, known);
}

/// Measurements where frames between sites are lost, so that one message gets 1 MB/s there at most, and several as
/// little each; trains of datagrams, and streams of them, tell what lines carry.
PairProber lossy_prober_on(const Network& network, int hosts_of_site) {
  const PairProber exact = prober_on(network);
  const auto crosses = [=](int from, int to) { return from / hosts_of_site != to / hosts_of_site; };
  PairProber prober = exact;
  prober.rates_Bps = [=](const std::vector<std::pair<int, int>>& pairs, std::int64_t max_bytes, int repetitions) {
    std::vector<double> rates = exact.rates_Bps(pairs, max_bytes, repetitions);
    for (std::size_t i = 0; i < pairs.size(); ++i)
      if (crosses(pairs[i].first, pairs[i].second)) rates[i] = std::min(rates[i], 1e6);
    return rates;
  };
  prober.streams_Bps = [=, &network](const std::vector<ProbeStream>& streams, double window_s) {
    std::vector<double> rates = exact.streams_Bps(streams, window_s);
    for (std::size_t i = 0; i < streams.size(); ++i) {
      if (streams[i].rate_Bps > 0)  // no headers of messages
        rates[i] *= 1 + network.transport.header_bytes / static_cast<double>(streams[i].bytes);
      else if (crosses(streams[i].from, streams[i].to))
        rates[i] = std::min(rates[i], 1e6);
    }
    return rates;
  };
  prober.line_rates = [&network](const std::vector<ProbeLine>& lines) {
    std::vector<LineRate> rates;
    for (const ProbeLine& line : lines)
      rates.push_back({network.route(line.from, line.to).bandwidth_Bps, 1e10, 200, 1});
    return rates;
  };
  return prober;
}

TEST(Discovery, WhereFramesAreLostDatagramsTellWhatLinesCarryAndShare) {
  // Four sites with lines of 10 MB/s; all that leaves the first one shares 15 MB/s.
  Network known = tests::grid({.clusters = 4, .hosts = 2, .wan_bandwidth_Bps = 10e6});
  known.links.push_back({"exit", 15e6, 0});
  for (auto& [ends, trunk] : known.trunks)
    if (ends.first == 0 && ends.second != 0) trunk.links.push_back(static_cast<int>(known.links.size()) - 1);
  const Discovered found = discover_network(hosts_of(known), {}, lossy_prober_on(known, 2));
  expect_same_routes(found.network, known);
  int exits = 0;
  for (const Link& link : found.network.links) {
    if (link.name.ends_with(":out") && link.bandwidth_Bps < 20e6) {
      ++exits;
      EXPECT_NEAR(link.bandwidth_Bps / 15e6, 1, 0.02);
    }
  }
  EXPECT_EQ(exits, 1);
  ASSERT_EQ(found.notes.size(), 2U);
  EXPECT_EQ(found.notes[0].text, "discovery: 0.5 % of the frames were lost, on 12 of 12 lines");
  EXPECT_NE(found.notes[1].text.find("on 12 of 12 lines one message gets less than half of what the line carries"),
            std::string::npos);
  for (const MeasuredRoute& route : found.routes) {
    if (route.from / 2 == route.to / 2 || route.rate_Bps == 0) continue;
    EXPECT_NEAR(route.message_Bps / 1e6, 1, 1e-6);
    EXPECT_NEAR(route.rate_Bps / 10e6, 1, 1e-6);
    EXPECT_EQ(route.lost, 1.0 / 200);
  }
  const Discovered read = discovered_from_json(to_json(found));
  EXPECT_EQ(to_json(read), to_json(found));
}

TEST(Discovery, WhereOnlyLongStreamsMeetTheLossDatagramsTellDirectionsApart) {
  // A short message, and so the rate of a line alone, is seldom hit. Both directions at once by messages would look
  // like one link.
  const Network known = tests::grid({.clusters = 3, .hosts = 2, .wan_bandwidth_Bps = 10e6});
  PairProber prober = lossy_prober_on(known, 2);
  prober.rates_Bps = prober_on(known).rates_Bps;
  const Network found = discover_network(hosts_of(known), {}, prober).network;
  expect_same_routes(found, known);
  const std::vector<int> there = found.route(0, 2).links, back = found.route(2, 0).links;
  EXPECT_TRUE(std::ranges::none_of(there, [&](int link) { return std::ranges::count(back, link) > 0; }));
}

TEST(Discovery, WithoutDatagramsMessagesTellAndANoteSaysSo) {
  const Network known = tests::grid({.clusters = 2, .hosts = 2, .wan_bandwidth_Bps = 10e6});
  PairProber prober = lossy_prober_on(known, 2);
  DiscoverySettings settings;
  settings.datagrams = false;
  const Network by_messages = discover_network(hosts_of(known), settings, prober).network;
  EXPECT_NEAR(by_messages.route(0, 2).bandwidth_Bps / 1e6, 1, 1e-6);
  settings.datagrams = true;
  prober.line_rates = [](const std::vector<ProbeLine>& lines) { return std::vector<LineRate>(lines.size()); };
  const Discovered found = discover_network(hosts_of(known), settings, prober);
  EXPECT_EQ(to_json(found.network), to_json(by_messages));
  ASSERT_EQ(found.notes.size(), 1U);
  EXPECT_NE(found.notes[0].text.find("no datagrams came through on 2 of 2 lines"), std::string::npos);
}

TEST(Discovery, RanksOfOneHostAreNeverMeasuredByDatagramsHoweverBusyItIs) {
  Network known = tests::grid({.clusters = 2, .hosts = 2, .wan_bandwidth_Bps = 10e6});
  known.hosts[1].loopback = {static_cast<int>(known.links.size())};
  known.links.push_back({"loop", 1e9, 2e-3});
  std::vector<DiscoveredHost> hosts = hosts_of(known);
  hosts[1].ranks = 2;
  PairProber prober = prober_on(known);
  int lines_asked = 0;
  prober.line_rates = [&](const std::vector<ProbeLine>& lines) {
    for (const ProbeLine& line : lines) EXPECT_NE(line.from, line.to);
    lines_asked += static_cast<int>(lines.size());
    return std::vector<LineRate>(lines.size());
  };
  EXPECT_NEAR(discover_network(hosts, {}, prober).network.route(1, 1).bandwidth_Bps / 1e9, 1, 1e-6);
  EXPECT_GT(lines_asked, 0);
}

TEST(Discovery, AHostRateThatOtherTrafficMadeLowerIsMeasuredAgain) {
  const Network known = tests::das(2, 4);
  PairProber prober = prober_on(known);
  const auto rates_Bps = prober.rates_Bps;
  int measured = 0;
  prober.rates_Bps = [&](const std::vector<std::pair<int, int>>& pairs, std::int64_t max_bytes, int repetitions) {
    std::vector<double> rates = rates_Bps(pairs, max_bytes, repetitions);
    if (pairs.front() == std::pair(1, 3) && measured++ == 0) rates.front() *= 0.9;
    return rates;
  };
  expect_same_routes(discover_network(hosts_of(known), {}, prober).network, known);
  EXPECT_EQ(measured, 2);
}

TEST(Discovery, MeasurementsThatContradictEachOtherGiveANetworkAndANoteThatSaysHowFarItIs) {
  // Of nine pairs of hosts of two sites one is 30 % further apart than the others.
  const Network known = tests::das(3, 3);
  PairProber prober = prober_on(known);
  const auto round_trips = prober.round_trips;
  prober.round_trips = [&](const std::vector<std::pair<int, int>>& pairs, std::int64_t bytes, int repetitions) {
    std::vector<RoundTrip> trips = round_trips(pairs, bytes, repetitions);
    for (std::size_t i = 0; i < pairs.size(); ++i)
      if (pairs[i] == std::pair(0, 4)) trips[i].seconds *= 1.3;
    return trips;
  };
  const Discovered found = discover_network(hosts_of(known), {}, prober);
  EXPECT_EQ(groups_of(found.network), groups_of(known));
  ASSERT_EQ(found.notes.size(), 1U);
  EXPECT_NE(found.notes[0].text.find("differ by more than 10 % from their measured latency; c0-0 to c1-1 by "),
            std::string::npos)
      << found.notes[0].text;
  const auto worst = std::ranges::max_element(
      found.routes, {}, [](const MeasuredRoute& route) { return std::abs(route.found_empty_s / route.empty_s - 1); });
  EXPECT_EQ(std::pair(worst->from, worst->to), std::pair(0, 4));
}

}  // namespace
}  // namespace isthmus
