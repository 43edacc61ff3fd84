// Every plan of the catalogue on networks without some routes: proved, and without a message where there is no route.
#include "algorithms/relays/relays.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "algorithms/errors.hpp"
#include "algorithms/replay/replay.hpp"
#include "tests/support/collective_cases.hpp"
#include "tests/support/networks.hpp"

namespace isthmus {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Shape {
  const char* name;
  std::vector<int> class_of_rank;
  std::vector<std::pair<int, int>> joined;  ///< classes that reach each other
};

Connectivity connectivity_of(const Shape& shape) {
  const int classes = 1 + *std::ranges::max_element(shape.class_of_rank);
  std::vector<char> direct(static_cast<std::size_t>(classes) * classes, 0);
  for (int i = 0; i < classes; ++i) direct[i * classes + i] = 1;
  for (const auto& [a, b] : shape.joined) direct[a * classes + b] = direct[b * classes + a] = 1;
  return {shape.class_of_rank, direct};
}

/// Groups are the classes.
Topology topology_of(const Shape& shape) {
  return tests::grouped(static_cast<int>(shape.class_of_rank.size()),
                        [&](int rank) { return tests::Path{std::to_string(shape.class_of_rank[rank])}; })
      .with_connectivity(connectivity_of(shape));
}

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all = {
      {"OneGateway", {0, 0, 1, 2, 2, 2}, {{0, 1}, {1, 2}}},
      {"TwoGateways", {0, 0, 0, 1, 1, 2, 2, 2}, {{0, 1}, {1, 2}}},
      {"GatewaysInARow", {0, 0, 1, 2, 3, 3, 3}, {{0, 1}, {1, 2}, {2, 3}}},
      {"AHub", {1, 2, 0, 3, 4}, {{0, 1}, {0, 2}, {0, 3}, {0, 4}}},
      {"RanksInTurn", {0, 1, 2, 0, 1, 2, 0}, {{0, 1}, {1, 2}}},
  };
  return all;
}

std::string message_without_route(const Schedule& schedule, const Connectivity& connectivity) {
  for (int rank = 0; rank < static_cast<int>(schedule.size()); ++rank)
    for (const Op& op : schedule[rank].ops())
      if (op.kind == OpKind::send && !connectivity.direct(rank, op.peer))
        return fmt::format("rank {} sends to {}", rank, op.peer);
  return "";
}

class PlansOnNetworksWithoutSomeRoutes : public testing::TestWithParam<Collective> {};

TEST_P(PlansOnNetworksWithoutSomeRoutes, AreProvedAndUseOnlyRoutes) {
  tests::SweepRange range;
  range.counts = {1, 7};
  for (const Shape& shape : shapes()) {
    const tests::Grouping grouping{shape.name, topology_of(shape)};
    for (const std::string& text : tests::plans_of(GetParam())) {
      const Plan plan = parse_plan(GetParam(), text);
      tests::CollectiveSweep sweep;
      tests::prove(plan, grouping, range, sweep);
      ASSERT_EQ(sweep.failure, "");
      const Problem problem{GetParam(), carries_data(GetParam()) ? 5 : 0, 4, 0};
      if (!serves(plan, grouping.topology, problem)) continue;
      const Schedule schedule = materialise(grouping.topology.size(), source(plan, grouping.topology, problem));
      ASSERT_EQ(message_without_route(schedule, grouping.topology.connectivity()), "") << text << " on " << shape.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Collectives, PlansOnNetworksWithoutSomeRoutes,
                         testing::ValuesIn(collectives().begin(), collectives().end()),
                         [](const auto& collective) { return std::string(name(collective.param)); });

/// The schedule of a plan as if every rank reached every other, relayed in pieces of so many elements.
Schedule relayed(const Shape& shape, const Plan& plan, const Problem& problem, std::int64_t piece) {
  const Topology everybody = topology_of(shape).with_connectivity({});
  return with_relays(materialise(everybody.size(), source(plan, everybody, problem)), connectivity_of(shape), piece);
}

TEST(Relays, CutMessagesIntoPiecesThatRelaysTakeInTurn) {
  const Shape& shape = shapes()[1];
  const Problem problem{Collective::broadcast, 100, 1, 0};
  const Schedule schedule = relayed(shape, parse_plan(Collective::broadcast, "linear"), problem, 7);
  EXPECT_EQ(verify(schedule, contract_of(problem, 8)).message(), "");
  std::map<int, std::int64_t> passed_on;  // by relay, to rank 5
  for (const int relay : {3, 4})
    for (const Op& op : schedule[relay].ops())
      if (op.kind == OpKind::send && op.peer == 5) passed_on[relay] += op.from.count;
  EXPECT_EQ(passed_on[3] + passed_on[4], 100);
  EXPECT_LE(std::abs(passed_on[3] - passed_on[4]), 14) << "spread over both gateways";
}

TEST(Relays, HoldAFewPiecesOnly) {
  const Shape& shape = shapes()[0];
  const Problem problem{Collective::broadcast, 1000000, 1, 0};
  const Schedule schedule = relayed(shape, parse_plan(Collective::broadcast, "linear"), problem, 100);
  EXPECT_LE(schedule[2].scratch_count(), 3 * max_held_pieces * 100) << "for each of three flows";
}

TEST(Relays, ReceiveThePieceAfterWhileTheySendOne) {
  const Shape& shape = shapes()[0];
  const Problem problem{Collective::broadcast, 30, 1, 0};
  Schedule schedule = relayed(shape, parse_plan(Collective::broadcast, "chain"), problem, 10);
  std::string kinds;
  for (const Op& op : schedule[0].ops()) kinds += op.kind == OpKind::send ? 's' : 'r';
  EXPECT_EQ(kinds, "s") << "the chain goes over rank 1 alone";
  const Problem far{Collective::broadcast, 30, 1, 1};
  schedule = relayed({"Pair", {0, 1, 2}, {{0, 1}, {1, 2}}}, parse_plan(Collective::broadcast, "linear"),
                     {far.collective, 30, 1, 0}, 10);
  kinds.clear();
  for (const Op& op : schedule[1].ops())
    if (op.lane > 0) kinds += op.kind == OpKind::send ? 's' : 'r';
  EXPECT_EQ(kinds, "rrrsss");
}

TEST(Relays, OfRandomNetworksAndPlans) {
  std::mt19937 random(5);
  const auto below = [&](int bound) { return static_cast<int>(random() % static_cast<unsigned>(bound)); };
  for (int round = 0; round < 150; ++round) {
    const int classes = 2 + below(6);
    Shape shape{"random", {}, {}};
    for (int i = 0; i < classes; ++i) shape.class_of_rank.push_back(i);
    for (int i = below(6); i > 0; --i) shape.class_of_rank.push_back(below(classes));
    std::shuffle(shape.class_of_rank.begin(), shape.class_of_rank.end(), random);
    for (int i = 1; i < classes; ++i) shape.joined.emplace_back(below(i), i);
    for (int i = below(3); i > 0; --i) shape.joined.emplace_back(below(classes), below(classes));
    const Collective collective = collectives()[below(static_cast<int>(collective_count))];
    const std::vector<std::string> plans = tests::plans_of(collective);
    const Plan plan = parse_plan(collective, plans[below(static_cast<int>(plans.size()))]);
    const Topology topology = topology_of(shape);
    const int size = topology.size();
    const Problem problem{collective, carries_data(collective) ? 1 + below(40) : 0, 1,
                          has_root(collective) ? below(size) : 0};
    if (!serves(plan, topology, problem)) continue;
    const Schedule schedule = relayed(shape, plan, problem, 1 + below(9));
    ASSERT_EQ(message_without_route(schedule, topology.connectivity()), "") << to_string(plan);
    ASSERT_EQ(verify(schedule, contract_of(problem, size)).message(), "")
        << name(collective) << "/" << to_string(plan) << " of " << size;
  }
}

TEST(Relays, LeaveAScheduleThatGetsStuckAsItIs) {
  Schedule stuck(3);
  for (int rank = 0; rank < 3; ++rank) {
    stuck[rank].receive(output(0, 1), (rank + 1) % 3);
    stuck[rank].send(output(0, 1), (rank + 2) % 3);
  }
  EXPECT_EQ(with_relays(stuck, connectivity_of({"Pair", {0, 1, 2}, {{0, 1}, {1, 2}}}), 1), stuck);
}

TEST(Relays, AreTimedByTheReplay) {
  Network network = tests::grid({.clusters = 3,
                                 .hosts = 3,
                                 .wan_latency_s = 5e-6,
                                 .wan_bandwidth_Bps = 80e6,
                                 .lan_latency_s = 5e-6,
                                 .lan_bandwidth_Bps = 80e6});
  network.trunks.erase({0, 2});
  network.trunks.erase({2, 0});
  network.transport.send_overhead_s = network.transport.receive_overhead_s = 5e-6;
  const PlacedNetwork placed(network, {{0, 1, 3, 6, 7, 8}});
  ASSERT_FALSE(placed.topology().connectivity().complete());
  for (const Collective collective : {Collective::reduce, Collective::allgather, Collective::reduce_scatter}) {
    for (const std::string& text : tests::plans_of(collective)) {
      for (int root = 0; root < (has_root(collective) ? placed.size() : 1); ++root) {
        const Problem problem{collective, 100, 4, root};
        Plan plan = parse_plan(collective, text);
        if (takes(*plan.algorithm, "segment")) plan.parameters.segment_bytes = 4;
        if (!serves(plan, placed.topology(), problem)) continue;
        EXPECT_GT(replay(placed, 4, source(plan, placed.topology(), problem)).seconds, 0) << text << ", root " << root;
      }
    }
  }
}

TEST(Connectivity, IsCompleteWhereAllReachEachOther) {
  EXPECT_TRUE(Connectivity().complete());
  EXPECT_TRUE(connectivity_of({"two", {0, 1, 0}, {{0, 1}}}).complete());
  EXPECT_TRUE(Topology::flat(4).connectivity().complete());
}

TEST(Connectivity, GoesTheShortestWay) {
  const Connectivity row = connectivity_of(shapes()[2]);
  EXPECT_THAT(row.classes_between(0, 6), ElementsAre(1, 2));
  EXPECT_THAT(row.classes_between(6, 0), ElementsAre(2, 1));
  EXPECT_TRUE(row.classes_between(0, 2).empty());
  EXPECT_EQ(row.unreachable(), std::pair(-1, -1));
}

TEST(Connectivity, NamesRanksThatNobodyReaches) {
  const Topology apart = topology_of({"Apart", {0, 0, 1, 1}, {}});
  EXPECT_EQ(apart.connectivity().unreachable(), std::pair(0, 2));
  const Plan plan = parse_plan(Collective::broadcast, "binomial");
  const Problem problem{Collective::broadcast, 4, 1, 0};
  EXPECT_FALSE(serves(plan, apart, problem));
  try {
    check(plan, apart, problem);
    ADD_FAILURE();
  } catch (const BadInput& error) {
    EXPECT_THAT(error.what(), HasSubstr("rank 0 has no way to rank 2"));
  }
}

}  // namespace
}  // namespace isthmus
