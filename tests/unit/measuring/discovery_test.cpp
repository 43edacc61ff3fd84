// Discovery: exact measurements on a known network give a network with the same costs.
#include "algorithms/measuring/discovery.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "algorithms/errors.hpp"
#include "algorithms/measuring/growing_rate.hpp"
#include "algorithms/network/link_names.hpp"
#include "algorithms/network/medium.hpp"
#include "algorithms/network/network_json.hpp"
#include "tests/support/networks.hpp"
#include "tests/support/probers.hpp"

namespace isthmus {
namespace {

using tests::expect_same_routes, tests::groups_of, tests::hosts_of, tests::prober_on, tests::fair_rates_Bps;

/// Calls `see` before each test of several streams.
PairProber watched(PairProber prober, std::function<void(const std::vector<ProbeStream>&)> see) {
  prober.streams_Bps = [streams_Bps = prober.streams_Bps, see](const auto& streams, double window_s) {
    see(streams);
    return streams_Bps(streams, window_s);
  };
  return prober;
}

TEST(Discovery, FindsGroupsLatenciesAndBandwidthsOfClusters) {
  for (const auto& [clusters, hosts] : {std::pair(4, 4), {2, 3}, {1, 6}, {4, 1}, {3, 20}, {12, 2}}) {
    SCOPED_TRACE(fmt::format("{} x {}", clusters, hosts));
    const Network known = tests::das(clusters, hosts);
    const Network found = discover_network(hosts_of(known), {}, prober_on(known)).network;
    expect_same_routes(found, known);
    EXPECT_TRUE(hosts == 1 || groups_of(found) == groups_of(known));
    EXPECT_EQ(to_json(network_from_json(to_json(found))), to_json(found));
  }
}

TEST(Discovery, ASendSeenOnABusyMachineIsNeverLongerThanTheQuickestWay) {
  const Network known = tests::das(2, 2);
  const PairProber exact = prober_on(known);
  const PairProber prober{[&](const auto& pairs, std::int64_t bytes, int repetitions) {
                            std::vector<RoundTrip> trips = exact.round_trips(pairs, bytes, repetitions);
                            for (RoundTrip& trip : trips) trip.send_s = 1;
                            return trips;
                          },
                          exact.rates_Bps, exact.streams_Bps};
  for (const MeasuredRoute& route : discover_network(hosts_of(known), {}, prober).routes)
    EXPECT_NEAR(route.found_empty_s / route.empty_s, 1, 0.01) << route.from << ' ' << route.to;
}

TEST(Discovery, TellsLinksOfPairsFromThoseOfParts) {
  const auto links_named = [](const Network& network, const std::string& name) {
    return std::ranges::count_if(network.links, [&](const Link& link) { return link.name == name; });
  };
  const Network pairs = tests::das(4, 2);
  const Network found = discover_network(hosts_of(pairs), {}, prober_on(pairs)).network;
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
  const Network again = discover_network(hosts_of(shared), {}, prober_on(shared)).network;
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
    host.up = host.down = {};
  }
  for (auto& [ends, trunk] : known.trunks)
    if (ends.first == 1 || ends.second == 1) trunk.links.push_back(cable);
  const Network found = discover_network(hosts_of(known), {}, prober_on(known)).network;
  expect_same_routes(found, known);
  EXPECT_EQ(medium_between(found, std::vector{0, 1, 2, 3}), Medium::switched);
  EXPECT_EQ(medium_between(found, std::vector{4, 5, 6, 7}), Medium::shared);
  const std::vector<int> out = found.route(4, 0).links, back = found.route(1, 6).links;
  EXPECT_TRUE(std::ranges::any_of(out, [&](int link) { return std::ranges::count(back, link) > 0; }));
  EXPECT_EQ(to_json(network_from_json(to_json(found))), to_json(found));
}

TEST(Discovery, AWireOfOneDirectionAtATimeIsOneLinkOfItsHost) {
  for (const int hosts : {3, 4, 7}) {
    Network known = tests::star(hosts, 100e-6, 1e6, 100);
    for (Host& host : known.hosts) host.down = host.up;
    const Network found = discover_network(hosts_of(known), {}, prober_on(known)).network;
    expect_same_routes(found, known);
    for (const Host& host : found.hosts) EXPECT_EQ(host.up, host.down);
    std::vector<int> everybody(static_cast<std::size_t>(hosts));
    std::iota(everybody.begin(), everybody.end(), 0);
    EXPECT_EQ(medium_between(found, everybody), Medium::switched);
  }
}

TEST(Discovery, FindsOneLevelByTheRuleOfEco) {
  DiscoverySettings settings;
  set_rule(settings, "eco");
  EXPECT_EQ(settings.eco_threshold, 1.2);
  const Network known = tests::das(3, 3);
  EXPECT_EQ(groups_of(discover_network(hosts_of(known), settings, prober_on(known)).network), groups_of(known));
  set_rule(settings, "eco:600");
  EXPECT_EQ(discovery_settings_from_json(to_json(settings)).eco_threshold, 600);
  EXPECT_EQ(groups_of(discover_network(hosts_of(known), settings, prober_on(known)).network).size(), 1);
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
  const Network found = discover_network(hosts, {}, prober_on(known)).network;
  EXPECT_TRUE(found.hosts[0].zones.empty());
  EXPECT_EQ(found.hosts[1].cores, 4);
  EXPECT_NEAR(found.route(1, 1).latency_s, 1e-7, 1e-9);
  EXPECT_NEAR(found.route(1, 1).bandwidth_Bps, 5e9, 1);
  EXPECT_TRUE(found.hosts[0].loopback.empty());
}

/// Sites of which every two have a line of their own.
Network sites_with_lines(const std::vector<int>& hosts,
                         const std::map<std::pair<int, int>, std::pair<double, double>>& lines) {
  Network network;
  const auto add_link = [&](const std::string& name, double bandwidth_Bps, double latency_s) {
    network.links.push_back({name, bandwidth_Bps, latency_s});
    return static_cast<int>(network.links.size()) - 1;
  };
  network.transport.header_bytes = 100;
  for (int site = 0; site < static_cast<int>(hosts.size()); ++site) {
    network.trunks[{site, site}] = {};
    for (int number = 0; number < hosts[site]; ++number) {
      Host& host = network.hosts.emplace_back();
      host.name = fmt::format("s{}-{}", site, number);
      host.endpoint = site;
      host.zones = {{"site", fmt::format("s{}", site)}};
      host.up = {add_link(host.name + "-up", 1.25e9, 25e-6)};
      host.down = {add_link(host.name + "-down", 1.25e9, 25e-6)};
    }
  }
  for (const auto& [sites, figures] : lines) {
    network.trunks[sites].links = {
        add_link(fmt::format("{}-{}", sites.first, sites.second), figures.first, figures.second)};
    if (!lines.contains({sites.second, sites.first}))
      network.trunks[{sites.second, sites.first}].links = {
          add_link(fmt::format("{}-{}", sites.second, sites.first), figures.first, figures.second)};
  }
  return network;
}

TEST(Discovery, FindsUnequalSitesSideBySideWithTheFiguresOfEveryPair) {
  const Network known = sites_with_lines({4, 4, 4, 4}, {{{0, 1}, {125e6, 38e-3}},
                                                        {{0, 2}, {60e6, 58e-3}},
                                                        {{0, 3}, {62.5e6, 87e-3}},
                                                        {{1, 2}, {20e6, 92e-3}},
                                                        {{1, 3}, {30e6, 110e-3}},
                                                        {{2, 3}, {10e6, 160e-3}},
                                                        {{3, 2}, {14e6, 160e-3}}});
  const Discovered found = discover_network(hosts_of(known), {}, prober_on(known));
  EXPECT_EQ(groups_of(found.network), groups_of(known));
  expect_same_routes(found.network, known);
  EXPECT_TRUE(found.notes.empty());
  for (const MeasuredRoute& route : found.routes) EXPECT_NEAR(route.found_empty_s / route.empty_s, 1, 1e-6);
  EXPECT_FALSE(found.loads.empty());
  for (const MeasuredLoad& load : found.loads) EXPECT_NEAR(load.found_rate_Bps / load.rate_Bps, 1, 1e-6);
  const Discovered again = discovered_from_json(to_json(found));
  EXPECT_EQ(to_json(again), to_json(found));
}

TEST(Discovery, ACommonClockTellsTheLatenciesOfBothDirectionsHoweverTheirRatesDiffer) {
  const Network known = sites_with_lines({2, 2, 1}, {{{0, 1}, {0.3e6, 2e-3}},
                                                     {{1, 0}, {10e6, 2e-3}},
                                                     {{0, 2}, {1e6, 4e-3}},
                                                     {{2, 0}, {2e6, 7e-3}},
                                                     {{1, 2}, {3e6, 9e-3}}});
  DiscoverySettings settings;
  settings.common_clock = true;
  expect_same_routes(discover_network(hosts_of(known), settings, prober_on(known)).network, known);
  const Network alike = sites_with_lines({2, 2}, {{{0, 1}, {0.3e6, 2e-3}}, {{1, 0}, {10e6, 2e-3}}});
  expect_same_routes(discover_network(hosts_of(alike), {}, prober_on(alike)).network, alike);
}

TEST(Discovery, ALineWhoseAcknowledgementsFillTheWayBackHasTheRateThatItsReceiverSees) {
  const Network known = sites_with_lines(
      {2, 2, 1}, {{{0, 1}, {40e6, 5e-3}}, {{1, 0}, {0.3e6, 5e-3}}, {{0, 2}, {2e6, 8e-3}}, {{1, 2}, {3e6, 20e-3}}});
  PairProber prober = prober_on(known);
  prober.rates_Bps = [&known](const std::vector<std::pair<int, int>>& pairs, std::int64_t max_bytes, int repetitions) {
    const Transport tcp = tcp_over_ethernet();
    std::vector<double> rates_Bps;
    for (const std::pair<int, int>& pair : pairs) {
      const Route there = known.route(pair.first, pair.second), back = known.route(pair.second, pair.first);
      const auto trip_s = [&](std::int64_t bytes) {
        const double message_s = static_cast<double>(bytes) / there.bandwidth_Bps,
                     acknowledgements_s = static_cast<double>(bytes) * tcp.acknowledgement_bytes /
                                          static_cast<double>(tcp.frame_bytes) / back.bandwidth_Bps;
        return there.latency_s + std::max(message_s, acknowledgements_s) + back.latency_s;
      };
      rates_Bps.push_back(growing_rate_Bps(trip_s, max_bytes, repetitions));
    }
    return rates_Bps;
  };
  ASSERT_LT(prober.rates_Bps({{0, 2}}, 1 << 20, 1).front(), 15e6);
  expect_same_routes(discover_network(hosts_of(known), {}, prober).network, known);
}

TEST(Discovery, TwoNearSitesAreAGroupOnlyIfOthersSeeThemAlike) {
  // Both are 100 ms from the third; their rates to it tell whether that is one way or two.
  const auto groups = [](double other_Bps) {
    const Network known = sites_with_lines({1, 1, 1, 1}, {{{0, 1}, {50e6, 20e-3}},
                                                          {{0, 2}, {40e6, 100e-3}},
                                                          {{1, 2}, {other_Bps, 100e-3}},
                                                          {{0, 3}, {30e6, 200e-3}},
                                                          {{1, 3}, {30e6, 200e-3}},
                                                          {{2, 3}, {30e6, 150e-3}}});
    const std::vector<std::vector<int>> all =
        groups_of(discover_network(hosts_of(known), {}, prober_on(known)).network);
    return std::ranges::count_if(all, [](const std::vector<int>& group) { return group.size() > 1; });
  };
  EXPECT_EQ(groups(10e6), 1);
  EXPECT_GT(groups(40e6), 1);
}

TEST(Discovery, ABusIsOneLinkForAllItsHostsInBothDirections) {
  Network known = tests::star(5, 100e-6, 1e9);
  const auto bus = static_cast<int>(known.links.size());
  known.links.push_back({"bus", 1e6, 50e-6});
  known.trunks[{0, 0}].links = {bus};
  const Network found = discover_network(hosts_of(known), {}, prober_on(known)).network;
  const Route there = found.route(0, 1), back = found.route(1, 0), other = found.route(2, 3);
  const auto crosses_all = [&](int link) {
    return std::ranges::count(there.links, link) > 0 && std::ranges::count(back.links, link) > 0 &&
           std::ranges::count(other.links, link) > 0;
  };
  EXPECT_TRUE(std::ranges::any_of(there.links, crosses_all));
  EXPECT_NEAR(there.bandwidth_Bps / 1e6, 1, 0.01);
}

TEST(Discovery, ALineInBothDirectionsAndOneOfFourStreamsAreFound) {
  // A line of 40 MB/s between two sites on which one stream gets 10, and one that both directions share.
  Network known =
      sites_with_lines({4, 4, 1}, {{{0, 1}, {40e6, 20e-3}}, {{0, 2}, {5e6, 30e-3}}, {{1, 2}, {8e6, 70e-3}}});
  for (const auto& [sites, trunk] : known.trunks) {
    if (sites != std::pair(0, 1) && sites != std::pair(1, 0)) continue;
    const auto stream = static_cast<int>(known.links.size());
    known.links.push_back({fmt::format("stream{}", sites.first), 10e6, 0, Sharing::fatpipe});
    known.trunks[sites].links.push_back(stream);
  }
  known.trunks[{2, 0}] = known.trunks[{0, 2}];
  const auto links_shared = [](const Network& network, std::pair<int, int> one, std::pair<int, int> other) {
    std::vector<int> both;
    const std::vector<int> others = network.route(other.first, other.second).links;
    for (const int link : network.route(one.first, one.second).links)
      if (std::ranges::count(others, link) > 0) both.push_back(link);
    return both;
  };
  // Streams on a link that limits each of them alone do not share it.
  const PairProber exact = prober_on(known);
  const PairProber prober{exact.round_trips, exact.rates_Bps, [&](const std::vector<ProbeStream>& streams, double) {
                            Network wide = known;
                            for (Link& link : wide.links)
                              if (link.sharing == Sharing::fatpipe)
                                link.bandwidth_Bps *= static_cast<double>(streams.size());
                            std::vector<double> rates = fair_rates_Bps(wide, streams);
                            for (std::size_t i = 0; i < streams.size(); ++i)
                              rates[i] = std::min(rates[i], known.route(streams[i].from, streams[i].to).bandwidth_Bps);
                            return rates;
                          }};
  const Network found = discover_network(hosts_of(known), {}, prober).network;
  expect_same_routes(found, known);
  ASSERT_EQ(links_shared(found, {0, 4}, {1, 5}).size(), 2U);
  EXPECT_NEAR(found.links[links_shared(found, {0, 4}, {1, 5})[0]].bandwidth_Bps / 40e6, 1, 0.02);
  EXPECT_EQ(links_shared(found, {0, 8}, {8, 1}).size(), 1U);
}

TEST(Discovery, PairsThatMeasureAtTheSameTimeAreMeasuredAgainAloneWhereTheyDisturbEachOther) {
  // On a cable that all hosts share pairs get a part of it each; on switches with lines of their own they do not.
  DiscoverySettings settings;
  settings.in_rounds = true;
  Network cable = tests::star(6, 100e-6, 1e9, 100);
  cable.links.push_back({"cable", 1e6, 50e-6});
  cable.trunks[{0, 0}].links = {static_cast<int>(cable.links.size()) - 1};
  for (const auto& [known, shares] : {std::pair(cable, true), {tests::das(4, 4), false}}) {
    const PairProber exact = prober_on(known);
    std::size_t most_pairs = 0;
    const auto slower = [&, by_pairs = shares](std::size_t pairs) {
      most_pairs = std::max(most_pairs, pairs);
      return by_pairs ? static_cast<double>(pairs) : 1.0;
    };
    const PairProber prober{[&](const auto& pairs, std::int64_t bytes, int repetitions) {
                              std::vector<RoundTrip> trips = exact.round_trips(pairs, bytes, repetitions);
                              for (RoundTrip& trip : trips) trip.seconds *= slower(pairs.size());
                              return trips;
                            },
                            [&](const auto& pairs, std::int64_t max_bytes, int repetitions) {
                              std::vector<double> rates = exact.rates_Bps(pairs, max_bytes, repetitions);
                              for (double& rate : rates) rate /= slower(pairs.size());
                              return rates;
                            },
                            exact.streams_Bps};
    const Discovered found = discover_network(hosts_of(known), settings, prober);
    expect_same_routes(found.network, known);
    EXPECT_GT(most_pairs, 1U);
    ASSERT_EQ(found.notes.size(), shares ? 1U : 0U);
    for (const Note& note : found.notes) EXPECT_NE(note.text.find("disturbed each other"), std::string::npos);
  }
}

TEST(Discovery, SitesWithLinesOfTheirOwnNeedFewTestsUnderLoad) {
  const Network known = tests::das(8, 8);
  int tests_between_sites = 0;
  const PairProber prober = watched(prober_on(known), [&](const std::vector<ProbeStream>& streams) {
    tests_between_sites += streams.front().from / 8 != streams.front().to / 8 ? 1 : 0;
  });
  expect_same_routes(discover_network(hosts_of(known), {}, prober).network, known);
  EXPECT_LE(tests_between_sites, 8);  // all at once, and seven rounds of two streams between disjoint pairs
}

TEST(Discovery, WithoutTimeForLoadSharedLinksStayUnknownAndWithoutTimeForRatesItIsRefused) {
  const Network known = tests::das(3, 3);
  // A cluster of three hosts is found to be a switch by two streams at once.
  int tests = 0;
  PairProber prober = watched(prober_on(known), [&](const auto&) {
    if (++tests > 3) throw BudgetSpent();
  });
  const Discovered found = discover_network(hosts_of(known), {}, prober);
  expect_same_routes(found.network, known);
  ASSERT_EQ(found.notes.size(), 1U);
  EXPECT_NE(found.notes[0].text.find("were not enough to measure several pairs at once"), std::string::npos);
  prober.rates_Bps = [](const auto&, std::int64_t, int) -> std::vector<double> { throw BudgetSpent(); };
  EXPECT_THROW(discover_network(hosts_of(known), {}, prober), Refused);
}

TEST(Discovery, RatesThatMessagesDoNotTellAreSaidSo) {
  const Network known = tests::star(2, 2, 100e9);
  PairProber prober = prober_on(known);
  const auto notes_with = [&](double seconds_a_byte) {
    prober.rates_Bps = [=](const std::vector<std::pair<int, int>>& pairs, std::int64_t max_bytes, int repetitions) {
      const auto trip_s = [&](std::int64_t bytes) { return 4 + seconds_a_byte * static_cast<double>(bytes); };
      return std::vector<double>(pairs.size(), growing_rate_Bps(trip_s, max_bytes, repetitions));
    };
    return discover_network(hosts_of(known), {.long_bytes = 4096}, prober).notes;
  };
  const std::vector<Note> untold = notes_with(0);  // a clock does not see what a byte takes
  ASSERT_EQ(untold.size(), 1u);
  EXPECT_THAT(untold[0].text, testing::HasSubstr("messages of 4096 B take as long as empty ones on 2 of 2 routes"));
  EXPECT_THAT(untold[0].text, testing::HasSubstr("longer messages (--max-bytes) would be right"));
  EXPECT_TRUE(notes_with(1e-3).empty());
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
                                   {"most_in_full", nullptr},
                                   {"answer_s", -1},
                                   {"in_rounds", 1}}) {
    nlohmann::json wrong = right;
    wrong[key] = value;
    EXPECT_THROW(discovery_settings_from_json(wrong), BadInput) << key;
  }
  EXPECT_THROW(discovery_settings_from_json(nlohmann::json::array()), BadInput);
}

}  // namespace
}  // namespace isthmus
