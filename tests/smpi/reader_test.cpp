// The networks that the reader makes of platforms, compared with SimGrid's own answers.
#include "platforms/reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <simgrid/s4u.hpp>

#include "algorithms/errors.hpp"
#include "algorithms/network/network_json.hpp"
#include "tests/smpi/simulating.hpp"

namespace isthmus {
namespace {

namespace s4u = simgrid::s4u;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> all_platforms() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(ISTHMUS_PLATFORMS)) {
    if (entry.path().extension() == ".xml") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = std::filesystem::path(info.param).stem().string();
  std::erase_if(name, [](char c) { return c == '-'; });
  return name;
}

bool same_route(const Network& network, int from, int to, const s4u::Engine& engine) {
  std::vector<s4u::Link*> links;
  double latency_s = 0;
  const s4u::Host* source = engine.host_by_name(network.hosts[from].name);
  const s4u::Host* target = engine.host_by_name(network.hosts[to].name);
  if (!network.has_route(from, to)) {
    try {
      source->route_to(target, links, &latency_s);
    } catch (const std::exception&) {
      return true;
    }
    return links.empty();
  }
  source->route_to(target, links, &latency_s);
  const Route route = network.route(from, to);
  bool same = route.links.size() == links.size() && std::abs(route.latency_s - latency_s) < 1e-15;
  for (std::size_t i = 0; same && i < links.size(); ++i) {
    const Link& link = network.links[route.links[i]];
    same = link.name == links[i]->get_name() && link.bandwidth_Bps == links[i]->get_bandwidth() &&
           link.latency_s == links[i]->get_latency() &&
           (link.sharing == Sharing::fatpipe) == (links[i]->get_sharing_policy() == s4u::Link::SharingPolicy::FATPIPE);
  }
  if (!same) std::cerr << "other route from " << network.hosts[from].name << " to " << network.hosts[to].name << '\n';
  return same;
}

// Ends the process: an engine is made once.
[[noreturn]] void compare_with_simgrid(const std::string& file, const Network& network) {
  std::string program = "test", quiet = "--log=root.thres:critical";
  char* arguments[] = {program.data(), quiet.data(), nullptr};
  int count = 2;
  s4u::Engine engine(&count, arguments);
  engine.load_platform(file);
  engine.seal_platform();
  bool same = engine.get_host_count() == network.hosts.size();
  std::mt19937 random(3);
  std::uniform_int_distribution<int> any(0, static_cast<int>(network.hosts.size()) - 1);
  for (int i = 0; i < 500; ++i) {
    const int from = any(random), to = any(random);
    if (from != to) same = same_route(network, from, to, engine) && same;
  }
  for (int i = 0; i < static_cast<int>(network.hosts.size()); ++i) {
    const Host& host = network.hosts[i];
    if (!host.loopback.empty()) same = same_route(network, i, i, engine) && same;
    const s4u::Host* right = engine.host_by_name(host.name);
    same = same && host.cores == right->get_core_count() && host.speed_flops == right->get_speed();
  }
  std::_Exit(same ? 0 : 1);
}

class EveryPlatform : public testing::TestWithParam<std::string> {};

TEST_P(EveryPlatform, HasTheRoutesThatSimGridHas) {
  const Network network = read_platform(GetParam());
  EXPECT_EXIT(compare_with_simgrid(GetParam(), network), testing::ExitedWithCode(0), "");
}

TEST_P(EveryPlatform, ComesBackFromJson) {
  const Network network = read_platform(GetParam());
  const std::string file =
      (std::filesystem::temp_directory_path() / ("isthmus-reader-" + std::to_string(getpid()) + ".json")).string();
  write_network(network, file);
  EXPECT_EQ(to_json(read_platform(file)), to_json(network));
  std::filesystem::remove(file);
}

INSTANTIATE_TEST_SUITE_P(Platforms, EveryPlatform, testing::ValuesIn(all_platforms()), test_name);

TEST(TheReader, FindsTheClustersOfKielmann2000) {
  const Network network = read_platform(platform("kielmann2000/das-4x16"));
  EXPECT_EQ(network.name, "das-4x16");
  ASSERT_EQ(network.hosts.size(), 64);
  EXPECT_EQ(network.hosts[0].name, "c0-0");
  EXPECT_EQ(network.hosts[2].name, "c0-2");
  EXPECT_EQ(network.hosts[10].name, "c0-10") << "numbers are sorted as numbers";
  EXPECT_EQ(network.hosts[63].name, "c3-15");
  EXPECT_EQ(network.trunks.size(), 16) << "classes of routes, not pairs of hosts";
  EXPECT_EQ(network.transport.header_bytes, 100);
  for (const Host& host : network.hosts) {
    ASSERT_EQ(host.zones.size(), 1);
    EXPECT_EQ(host.zones[0].level, "site");
    EXPECT_EQ(host.zones[0].name, host.name.str().substr(0, 2));
    EXPECT_FALSE(host.gateway);
  }
  const Route wide = network.route(3, 40);
  EXPECT_DOUBLE_EQ(wide.latency_s, 0.01002);
  EXPECT_DOUBLE_EQ(wide.bandwidth_Bps, 1e6);
  const Route local = network.route(17, 16);
  EXPECT_DOUBLE_EQ(local.latency_s, 20e-6);
  EXPECT_DOUBLE_EQ(local.bandwidth_Bps, 50e6);
  std::set<std::string> wide_links;
  for (const Link& link : network.links) {
    if (link.name.starts_with("wan")) wide_links.insert(link.name);
  }
  EXPECT_EQ(wide_links.size(), 12) << "six pairs of clusters, two directions";
}

TEST(TheReader, KeepsTheOrderInWhichTheFileNamesHosts) {
  const Network network = read_platform(platform("samples/uneven"));
  std::vector<std::string> names;
  for (const Host& host : network.hosts) names.push_back(host.name);
  EXPECT_THAT(names, ElementsAre("vu-0", "vu-1", "vu-2", "tud-0", "tud-1", "tud-2", "tud-3", "lyon-0", "lyon-1",
                                 "lyon-2", "lyon-3", "lyon-4", "lyon-5", "lyon-6", "lyon-7", "lyon-8", "lyon-9",
                                 "lyon-10", "lyon-11", "bonn-0"));
}

TEST(TheReader, KeepsLevelsOfUnequalDepth) {
  const Network network = read_platform(platform("samples/uneven"));
  const auto path = [&](const std::string& name) {
    std::vector<std::string> steps;
    for (const Host& host : network.hosts) {
      if (host.name != name) continue;
      for (const ZoneStep& step : host.zones) steps.push_back(step.level + ' ' + step.name);
    }
    return steps;
  };
  EXPECT_THAT(path("tud-2"), ElementsAre("site delft", "machine tud", "node tud-n1"));
  EXPECT_THAT(path("vu-0"), ElementsAre("site delft", "machine vu"));
  EXPECT_THAT(path("lyon-4"), ElementsAre("site lyon"));
  EXPECT_THAT(path("bonn-0"), ElementsAre("site bonn"));
}

class AFile {
 public:
  explicit AFile(const std::string& zones)
      : name_((std::filesystem::temp_directory_path() / ("isthmus-platform-" + std::to_string(getpid()) + ".xml"))
                  .string()) {
    std::ofstream(name_) << "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                         << "<platform version=\"4.1\">\n<zone id=\"world\" routing=\"Full\">\n"
                         << zones << "</zone></platform>\n";
  }
  ~AFile() { std::filesystem::remove(name_); }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

TEST(TheReader, MakesGroupsOfZonesThatHoldHostsWhenNoLevelIsNamed) {
  const AFile file(
      "<zone id=\"outer\" routing=\"Full\">\n"
      "<cluster id=\"p\" prefix=\"p\" suffix=\"\" radical=\"0-2\" speed=\"1Gf\" bw=\"1MBps\" lat=\"1us\" "
      "router_id=\"pr\"/>\n"
      "<cluster id=\"q\" prefix=\"q\" suffix=\"\" radical=\"0-2\" speed=\"1Gf\" bw=\"1MBps\" lat=\"1us\" "
      "router_id=\"qr\"/>\n"
      "<link id=\"pq\" bandwidth=\"1MBps\" latency=\"1ms\"/>\n"
      "<zoneRoute src=\"p\" dst=\"q\" gw_src=\"pr\" gw_dst=\"qr\"><link_ctn id=\"pq\"/></zoneRoute></zone>\n"
      "<zone id=\"wrap\" routing=\"Full\">\n"
      "<cluster id=\"r\" prefix=\"r\" suffix=\"\" radical=\"0-2\" speed=\"1Gf\" bw=\"1MBps\" lat=\"1us\" "
      "router_id=\"rr\"/></zone>\n"
      "<zone id=\"infra\" routing=\"Full\"><router id=\"x\"/></zone>\n"
      "<link id=\"or\" bandwidth=\"1MBps\" latency=\"1ms\"/>\n"
      "<zoneRoute src=\"outer\" dst=\"wrap\" gw_src=\"pr\" gw_dst=\"rr\"><link_ctn id=\"or\"/></zoneRoute>\n");
  const Network network = read_platform(file.name());
  ASSERT_EQ(network.hosts.size(), 9);
  const auto steps = [&](int host) {
    std::vector<std::string> found;
    for (const ZoneStep& step : network.hosts[host].zones) found.push_back(step.level + ' ' + step.name);
    return found;
  };
  EXPECT_THAT(steps(0), ElementsAre("site outer", "machine p"));
  EXPECT_THAT(steps(5), ElementsAre("site outer", "machine q"));
  EXPECT_THAT(steps(8), ElementsAre("site r")) << "a zone around one other makes no group";
}

TEST(TheReader, TakesWhatAFileDoesNotSayForTcpOverEthernetAndZeroHasToBeSaid) {
  const std::string cluster =
      "<cluster id=\"p\" prefix=\"p\" suffix=\"\" radical=\"0-2\" speed=\"1Gf\" bw=\"1MBps\" lat=\"1us\"/>\n";
  const Transport plain = read_platform(AFile(cluster).name()).transport, usual = tcp_over_ethernet();
  EXPECT_GT(usual.header_bytes, 0);
  EXPECT_EQ(plain.header_bytes, usual.header_bytes);
  EXPECT_EQ(plain.frame_bytes, 1448);
  EXPECT_EQ(plain.acknowledgement_bytes, usual.acknowledgement_bytes);
  EXPECT_EQ(plain.send_overhead_s, usual.send_overhead_s);
  EXPECT_EQ(plain.receive_overhead_s, usual.receive_overhead_s);
  const AFile said(
      "<prop id=\"isthmus.header_bytes\" value=\"0\"/>\n<prop id=\"isthmus.frame_bytes\" value=\"0\"/>\n"
      "<prop id=\"isthmus.acknowledgement_bytes\" value=\"0\"/>\n"
      "<prop id=\"isthmus.send_overhead_s\" value=\"0\"/>\n" +
      cluster);
  const Transport transport = read_platform(said.name()).transport;
  EXPECT_EQ(transport.header_bytes, 0);
  EXPECT_EQ(transport.frame_bytes, 0);
  EXPECT_EQ(transport.acknowledgement_bytes, 0);
  EXPECT_EQ(transport.send_overhead_s, 0);
  EXPECT_EQ(transport.receive_overhead_s, usual.receive_overhead_s);
}

TEST(TheReader, KeepsThePricesOfLinksInBothDirectionsWhereTheyHaveTwo) {
  const AFile file(
      "<host id=\"a\" speed=\"1Gf\"/><host id=\"b\" speed=\"1Gf\"/><host id=\"c\" speed=\"1Gf\"/>\n"
      "<link id=\"ab\" bandwidth=\"1MBps\" latency=\"1ms\" sharing_policy=\"SPLITDUPLEX\">"
      "<prop id=\"isthmus.price_per_GB\" value=\"0.25\"/></link>\n"
      "<link id=\"bc_UP\" bandwidth=\"1MBps\" latency=\"1ms\"><prop id=\"isthmus.price_per_GB\" value=\"3\"/></link>\n"
      "<link id=\"ca\" bandwidth=\"1MBps\" latency=\"1ms\"/>\n"
      "<route src=\"a\" dst=\"b\"><link_ctn id=\"ab\" direction=\"UP\"/></route>\n"
      "<route src=\"b\" dst=\"c\"><link_ctn id=\"bc_UP\"/></route>\n"
      "<route src=\"c\" dst=\"a\"><link_ctn id=\"ca\"/></route>\n");
  const Network network = read_platform(file.name());
  std::map<std::string, double> prices;
  for (const Link& link : network.links) prices[link.name] = link.price_per_GB;
  EXPECT_THAT(prices, ElementsAre(testing::Pair("ab_DOWN", 0.25), testing::Pair("ab_UP", 0.25),
                                  testing::Pair("bc_UP", 3), testing::Pair("ca", 0)));
}

TEST(TheReader, GivesHostsBehindAHostAsGatewayTheirOwnRoutes) {
  const AFile file(
      "<cluster id=\"p\" prefix=\"p\" suffix=\"\" radical=\"0-3\" speed=\"1Gf\" bw=\"1MBps\" lat=\"1us\"/>\n"
      "<zone id=\"z\" routing=\"Full\"><host id=\"h\" speed=\"1Gf\"/></zone>\n"
      "<link id=\"ph\" bandwidth=\"1MBps\" latency=\"1ms\"/>\n"
      "<zoneRoute src=\"p\" dst=\"z\" gw_src=\"p0\" gw_dst=\"h\"><link_ctn id=\"ph\"/></zoneRoute>\n");
  const Network network = read_platform(file.name());
  EXPECT_DOUBLE_EQ(network.route(0, 4).latency_s, 1e-3) << "the gateway itself crosses the line only";
  EXPECT_DOUBLE_EQ(network.route(1, 4).latency_s, 1e-3 + 2e-6);
}

TEST(TheReader, ReadsSeveralPlatformsInOneProcess) {
  EXPECT_EQ(read_platform(platform("kielmann2000/das-4x1")).hosts.size(), 4);
  EXPECT_EQ(read_platform(platform("kielmann2000/das-8x8")).hosts.size(), 64);
}

TEST(TheReader, ReadsALargeClusterInASecondOrTwo) {
  const AFile file(
      "<cluster id=\"c\" prefix=\"c\" suffix=\"\" radical=\"0-4095\" speed=\"1Gf\" bw=\"1GBps\" lat=\"1us\"/>\n");
  const auto begin = std::chrono::steady_clock::now();
  const Network network = read_platform(file.name());
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(network.hosts.size(), 4096);
  EXPECT_EQ(network.trunks.size(), 1);
  EXPECT_LT(took.count(), 10) << "a second, on an idle machine; ten tell P x P work from the rest";
}

}  // namespace
}  // namespace isthmus
