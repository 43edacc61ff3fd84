// Discovery under SMPI finds the groups of a platform, and a network that costs nearly the same.
#include "sim/discover.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "algorithms/errors.hpp"
#include "algorithms/models/plogp.hpp"
#include "algorithms/network/medium.hpp"
#include "algorithms/network/placed_network.hpp"
#include "algorithms/replay/replay.hpp"
#include "algorithms/tuning/select.hpp"
#include "platforms/reader.hpp"
#include "tests/support/text_file.hpp"

namespace isthmus {
namespace {

struct DiscoveredPlatform {
  Network known, found;
};

DiscoveredPlatform discovered(const std::string& name, PlacementRule rule, const std::string& grouping = "levels") {
  const std::string file = ISTHMUS_PLATFORMS "/" + name + ".xml";
  const Network known = read_platform(file);
  const Placement placement = place_ranks(known, rule, 1);
  // The platform's hosts in the order of the ranks: the order in which the hosts are found.
  Network in_order = known;
  in_order.hosts.clear();
  for (const int host : placement.host_of_rank) in_order.hosts.push_back(known.hosts[host]);
  // Simulated time is exact, but the first trips may meet the last of what came before them.
  DiscoverySettings settings;
  settings.repetitions = settings.long_repetitions = 4;
  settings.long_bytes = 1 << 16;
  settings.max_in_full = 16;
  set_rule(settings, grouping);
  return {in_order, discover_simulated(file, {known, placement}, settings, 120).network};
}

/// Groups of at least two ranks: a group of one host cannot be seen by measuring.
std::vector<std::vector<int>> groups_of(const Network& network) {
  std::vector<std::vector<int>> groups;
  const Topology topology = topology_of(network, place_ranks(network, PlacementRule::block, 1));
  for (const Group& group : topology.groups())
    if (group.ranks.size() > 1) groups.push_back(group.ranks);
  return groups;
}

struct Sought {
  const char* platform;
  PlacementRule rule;
  double latency_tolerance;
};

class DiscoveryUnderSmpi : public testing::TestWithParam<Sought> {};

TEST_P(DiscoveryUnderSmpi, FindsTheGroupsLatenciesAndBandwidthsOfAPlatform) {
  const auto& [name, rule, tolerance] = GetParam();
  const auto [known, found] = discovered(name, rule);
  EXPECT_EQ(groups_of(found), groups_of(known));
  const auto hosts = static_cast<int>(known.hosts.size());
  ASSERT_EQ(found.hosts.size(), known.hosts.size());
  for (int from = 0; from < hosts; ++from) {
    EXPECT_EQ(found.hosts[from].name, known.hosts[from].name);
    for (int to = 0; to < hosts; ++to) {
      if (from == to) continue;
      const Route there = known.route(from, to), here = found.route(from, to);
      // Processors' overheads count as latency here, and headers need not be of the size that they are taken for: what
      // an empty message takes is the same.
      const double empty_s = plogp_of(known, from, to).receive_time_s(0);
      EXPECT_NEAR(plogp_of(found, from, to).receive_time_s(0) / empty_s, 1, tolerance) << from << ' ' << to;
      EXPECT_NEAR(here.bandwidth_Bps / there.bandwidth_Bps, 1, 0.01) << from << ' ' << to;
    }
  }
}

// In `uneven`, hosts that are gateways of their machines are nearer to other machines than their neighbours are; a
// group has one distance.
INSTANTIATE_TEST_SUITE_P(Platforms, DiscoveryUnderSmpi,
                         testing::Values(Sought{"kielmann2000/das-4x4", PlacementRule::block, 0.05},
                                         Sought{"kielmann2000/das-4x4", PlacementRule::cyclic, 0.05},
                                         Sought{"karonis2000/three-machines", PlacementRule::cyclic, 0.05},
                                         Sought{"samples/uneven", PlacementRule::block, 0.12}));

TEST(SimulatedDiscovery, FindsTheSubnetsOfEcoAndTheirMedia) {
  const auto media_of = [](const Network& network) {
    std::vector<Medium> media;
    for (const std::vector<int>& group : groups_of(network)) media.push_back(medium_between(network, group));
    return media;
  };
  for (const char* name : {"lowekamp1995/three-segments", "lowekamp1995/dome", "kielmann2000/das-4x4"}) {
    SCOPED_TRACE(name);
    const auto [known, found] = discovered(name, PlacementRule::block, "eco");
    EXPECT_EQ(groups_of(found), groups_of(known));
    EXPECT_EQ(media_of(found), media_of(known));
    const auto hosts = static_cast<int>(known.hosts.size());
    for (int from = 0; from < hosts; ++from) {
      for (int to = 0; to < hosts; ++to) {
        if (from == to) continue;
        EXPECT_NEAR(found.route(from, to).bandwidth_Bps / known.route(from, to).bandwidth_Bps, 1, 0.01);
      }
    }
  }
}

// Cables, wires for one direction at a time, and lines that several hosts together do not fill.
TEST(SimulatedDiscovery, PlansForTheFoundNetworkAreAsQuickAsThoseForTheTrueOne) {
  for (const char* name : {"figure1", "three-segments", "indys", "dome"}) {
    const std::string file = std::string(ISTHMUS_PLATFORMS "/lowekamp1995/") + name + ".xml";
    const Network known = read_platform(file);
    const Placement placement = place_ranks(known, PlacementRule::block, 1);
    const Network found = discover_simulated(file, {known, placement}, {}, 120).network;
    const PlacedNetwork on_known(known, placement), on_found(found, placement);
    for (const Problem& problem : {Problem{.collective = Collective::broadcast, .count = 1 << 20},
                                   Problem{.collective = Collective::reduce, .count = 1 << 20},
                                   Problem{.collective = Collective::allreduce, .count = 1 << 10}}) {
      SCOPED_TRACE(fmt::format("{}: {} of {} B", name, isthmus::name(problem.collective), problem.bytes()));
      const Candidate best = choose(on_known, problem), other = choose(on_found, problem);
      const ProgramSource programs = source(other.plan, on_known.topology(), problem);
      EXPECT_LE(replay(on_known, problem.element_bytes, programs).seconds, 1.03 * best.seconds);
    }
  }
}

// Their round trips leave a line idle if one message at a time is received.
TEST(SimulatedDiscovery, ALineIsOneForEachDirectionWhereMessagesWaitForTheirReceive) {
  const tests::TextFile file("line.xml", R"(<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="world" routing="Full">
  <prop id="isthmus.eager_bytes" value="1000"/>
  <cluster id="a" prefix="a-" suffix="" radical="0-2" speed="1Gf" bw="125MBps" lat="25us" router_id="ra"/>
  <cluster id="b" prefix="b-" suffix="" radical="0-2" speed="1Gf" bw="125MBps" lat="25us" router_id="rb"/>
  <link id="line" bandwidth="10MBps" latency="100ms" sharing_policy="SPLITDUPLEX"/>
  <zoneRoute src="a" dst="b" gw_src="ra" gw_dst="rb"><link_ctn id="line" direction="UP"/></zoneRoute>
</zone></platform>)");
  const Network known = read_platform(file.path());
  const Network found =
      discover_simulated(file.path(), {known, place_ranks(known, PlacementRule::block, 1)}, {}, 120).network;
  std::vector<int> there = found.route(0, 3).links, back = found.route(3, 0).links, both;
  std::ranges::sort(there);
  std::ranges::sort(back);
  std::ranges::set_intersection(there, back, std::back_inserter(both));
  EXPECT_THAT(both, testing::IsEmpty());
  EXPECT_NEAR(found.route(0, 3).bandwidth_Bps, 10e6, 0.01 * 10e6);
}

// A line inside a region that routes from outside cross too.
TEST(SimulatedDiscovery, AMachineOfARegionMayHaveANarrowWayOut) {
  const tests::TextFile file("region.xml", R"(<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="world" routing="Floyd">
  <zone id="a" routing="Floyd"><zone id="ea" routing="Full"><router id="ra"/></zone>
    <cluster id="a0" prefix="a-" suffix="" radical="0-1" speed="1Gf" bw="1GBps" lat="10us" router_id="ra0"/>
    <link id="la" bandwidth="125MBps" latency="500us" sharing_policy="SPLITDUPLEX"/>
    <zoneRoute src="a0" dst="ea" gw_src="ra0" gw_dst="ra"><link_ctn id="la" direction="UP"/></zoneRoute>
  </zone>
  <zone id="b" routing="Floyd"><zone id="eb" routing="Full"><router id="rb"/></zone>
    <cluster id="b0" prefix="b-" suffix="" radical="0-0" speed="1Gf" bw="100MBps" lat="10us" router_id="rb0"/>
    <link id="lb" bandwidth="10MBps" latency="500us" sharing_policy="SPLITDUPLEX"/>
    <zoneRoute src="b0" dst="eb" gw_src="rb0" gw_dst="rb"><link_ctn id="lb" direction="UP"/></zoneRoute>
  </zone>
  <zone id="d" routing="Floyd"><zone id="ed" routing="Full"><router id="rd"/></zone>
    <cluster id="d0" prefix="d-" suffix="" radical="0-0" speed="1Gf" bw="1GBps" lat="10us" router_id="rd0"/>
    <link id="ld" bandwidth="125MBps" latency="500us" sharing_policy="SPLITDUPLEX"/>
    <zoneRoute src="d0" dst="ed" gw_src="rd0" gw_dst="rd"><link_ctn id="ld" direction="UP"/></zoneRoute>
  </zone>
  <cluster id="far" prefix="far-" suffix="" radical="0-2" speed="1Gf" bw="1GBps" lat="10us" router_id="rf"/>
  <link id="narrow" bandwidth="7MBps" latency="170us" sharing_policy="SPLITDUPLEX"/>
  <link id="wan" bandwidth="10MBps" latency="96ms" sharing_policy="SPLITDUPLEX"/>
  <link id="short" bandwidth="1GBps" latency="1us" sharing_policy="SPLITDUPLEX"/>
  <zoneRoute src="d" dst="b" gw_src="rd" gw_dst="rb"><link_ctn id="short" direction="UP"/></zoneRoute>
  <zoneRoute src="b" dst="a" gw_src="rb" gw_dst="ra"><link_ctn id="narrow" direction="UP"/></zoneRoute>
  <zoneRoute src="far" dst="a" gw_src="rf" gw_dst="ra"><link_ctn id="wan" direction="UP"/></zoneRoute>
</zone></platform>)");
  const Network known = read_platform(file.path());
  const Network found =
      discover_simulated(file.path(), {known, place_ranks(known, PlacementRule::block, 1)}, {}, 120).network;
  for (int from = 0; from < 7; ++from)
    for (int to = 0; to < 7; ++to)
      if (from != to) {
        EXPECT_NEAR(found.route(from, to).bandwidth_Bps / known.route(from, to).bandwidth_Bps, 1, 0.01)
            << from << ' ' << to;
      }
}

TEST(SimulatedDiscovery, RefusesWhatItCannotSimulate) {
  const std::string file = ISTHMUS_PLATFORMS "/kielmann2000/das-4x1.xml";
  const Network network = read_platform(file);
  DiscoverySettings impatient;
  impatient.answer_s = 5;
  EXPECT_THROW(discover_simulated(file, {network, {{0, 1}}}, impatient, 60), BadInput);
  EXPECT_THROW(discover_simulated("absent.xml", {network, {{0, 1}}}, {}, 60), BadInput);
  EXPECT_THROW(discover_simulated(file, {network, {{0, 0}}}, {}, 60), BadInput);
  EXPECT_THROW(discover_simulated(ISTHMUS_PLATFORMS "/pjesivac2005/boba.xml", {network, {{0, 1}}}, {}, 60), BadInput);
}

}  // namespace
}  // namespace isthmus
