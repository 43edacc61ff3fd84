#include "algorithms/measuring/calibration.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "algorithms/errors.hpp"
#include "algorithms/models/plogp.hpp"
#include "algorithms/network/network_json.hpp"
#include "tests/support/networks.hpp"

namespace isthmus {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::vector<std::string> class_names(const std::vector<RouteClass>& classes) {
  std::vector<std::string> found;
  for (const RouteClass& one : classes) found.push_back(one.name);
  return found;
}

/// The result of an exact measurement of a route.
MeasuredPair faultless_pair(const Network& network, std::pair<int, int> hosts) {
  const PLogP layer = plogp_of(network, hosts.first, hosts.second);
  MeasuredPair pair{0, 1, {layer.latency_s, 0}, {}};
  for (const std::int64_t bytes : {0, 1, 1000, 1 << 20}) {
    const auto size = static_cast<double>(bytes);
    pair.sizes.push_back(
        {bytes, {layer.gap(size), 0}, {layer.send_overhead(size), 0}, {layer.receive_overhead(size), 0}});
  }
  return pair;
}

TEST(RouteClasses, AreOnePerKindOfRoute) {
  const std::vector<RouteClass> grid = route_classes_of(tests::das(4, 4), 3);
  EXPECT_THAT(class_names(grid), ElementsAre("site", "wide area"));
  EXPECT_EQ(grid[0].host_pairs.size(), 3u);
  EXPECT_THAT(grid[0].host_pairs, ElementsAre(std::pair(0, 1), std::pair(2, 3), std::pair(4, 5)));
  EXPECT_THAT(class_names(route_classes_of(tests::das(1, 4), 3)), ElementsAre("site"));
  Network uneven = tests::das(3, 2);
  for (Link& link : uneven.links)
    if (link.name == "wan0-1") link.latency_s *= 2;
  EXPECT_THAT(class_names(route_classes_of(uneven, 1)), ElementsAre("site", "wide area", "wide area 2"));
  EXPECT_THROW(route_classes_of(tests::das(1, 1), 1), BadInput);
}

TEST(Calibration, OfAFaultlessMeasurementGivesTheSameCosts) {
  Network network = tests::das(3, 3);
  network.transport.send_overhead_s = 1e-6;  // below every gap, which so stays a straight line
  network.transport.receive_overhead_s_per_byte = 1e-9;
  const std::vector<RouteClass> classes = route_classes_of(network, 2);
  std::vector<MeasuredPair> measured;
  for (const RouteClass& one : classes) measured.push_back(faultless_pair(network, one.host_pairs.front()));
  const Network result = calibrated(network, classes, measured);
  for (const auto& [from, to] : {std::pair(0, 1), std::pair(4, 3), std::pair(0, 8), std::pair(6, 2)}) {
    const PLogP before = plogp_of(network, from, to), after = plogp_of(result, from, to);
    EXPECT_NEAR(after.latency_s, before.latency_s, 1e-9);
    for (const double bytes : {0.0, 1.0, 500.0, 70000.0, 5e6}) {
      EXPECT_NEAR(after.gap(bytes) / before.gap(bytes), 1, 1e-6);
      EXPECT_NEAR(after.send_overhead(bytes), before.send_overhead(bytes), 1e-12);
      EXPECT_NEAR(after.receive_overhead(bytes), before.receive_overhead(bytes), 1e-12);
    }
  }
  // It can be written and read: no gap is shorter than the bandwidth allows.
  EXPECT_NO_THROW(network_from_json(to_json(result)));
}

// A round trip tells the sum of both latencies only.
TEST(Calibration, DirectionsDifferAsInThePlatform) {
  Network network = tests::das(2, 2);
  for (Link& link : network.links)
    if (link.name == "wan0-1") link.latency_s = 0.1;
  const std::vector<RouteClass> classes = route_classes_of(network, 1);
  std::vector<MeasuredPair> measured;
  for (const RouteClass& one : classes) {
    const auto [from, to] = one.host_pairs.front();
    MeasuredPair pair = faultless_pair(network, {from, to});
    pair.latency.seconds = (network.route(from, to).latency_s + network.route(to, from).latency_s) / 2;
    measured.push_back(pair);
  }
  const Network result = calibrated(network, classes, measured);
  for (const auto& [from, to] : {std::pair(0, 1), std::pair(0, 2), std::pair(2, 0)})
    EXPECT_NEAR(result.route(from, to).latency_s, network.route(from, to).latency_s, 1e-9) << from << to;
}

TEST(Calibration, HoldsAGapThatFalls) {
  const Network network = tests::das(1, 2);
  MeasuredPair pair = faultless_pair(network, {0, 1});
  pair.sizes[2].gap.seconds = 1e-7;
  const Network result = calibrated(network, route_classes_of(network, 1), {pair});
  EXPECT_DOUBLE_EQ(result.classes[0].gap(1000), result.classes[0].gap(1));
  EXPECT_NO_THROW(network_from_json(to_json(result)));
}

TEST(Calibration, GoesOnAtThePlatformsRateWhereProcessorsHideIt) {
  Network network = tests::das(1, 2);  // 50 MB/s: 1000 bytes take 20 us
  network.transport.send_overhead_s = 100e-6;
  const MeasuredPair whole = faultless_pair(network, {0, 1});
  MeasuredPair few_bytes = whole;
  few_bytes.sizes.pop_back();
  const Network result = calibrated(network, route_classes_of(network, 1), {few_bytes});
  const SizeFunction& gap = result.classes[0].gap;
  EXPECT_DOUBLE_EQ(gap(1000), 100e-6);
  EXPECT_DOUBLE_EQ(gap(5000), 100e-6);
  EXPECT_NEAR(gap(1 << 20), (1 << 20) / 50e6, 1e-9);
  EXPECT_NEAR(result.links[0].bandwidth_Bps, 50e6, 1);
  EXPECT_NO_THROW(network_from_json(to_json(result)));
}

TEST(Calibration, SaysHowFarMembersLieApart) {
  const Network network = tests::das(2, 2);
  const MeasuredPair lan = faultless_pair(network, {0, 1});
  MeasuredPair other = lan;
  EXPECT_EQ(disagreement(lan, other), 0);
  other.latency.seconds *= 1.5;
  EXPECT_GT(disagreement(lan, other), 0.3);
  EXPECT_GT(disagreement(lan, faultless_pair(network, {0, 2})), 100);
}

TEST(Estimates, AreMediansWithTheirInterval) {
  EXPECT_DOUBLE_EQ(median_of({3, 1, 2}).seconds, 2);
  EXPECT_DOUBLE_EQ(median_of({4, 1, 2, 3}).seconds, 2.5);
  EXPECT_DOUBLE_EQ(median({4, 1, 2, 3}), 2.5);
  EXPECT_DOUBLE_EQ(median({5}), 5);
  EXPECT_DOUBLE_EQ(median_of({7, 7, 7}).half_width_s, 0);
  EXPECT_DOUBLE_EQ(median_of({1, 2, 3, 4, 5}).half_width_s, 1.58 * 2 / std::sqrt(5.0));
}

TEST(MeasuredPairs, ComeBackFromJson) {
  const MeasuredPair pair = faultless_pair(tests::das(2, 2), {0, 2});
  EXPECT_EQ(to_json(measured_pair_from_json(to_json(pair))), to_json(pair));
  MeasuringTask task;
  task.pairs = {{0, 1, true}, {2, 0, false}};
  EXPECT_EQ(to_json(measuring_task_from_json(to_json(task))), to_json(task));
  const auto refused = [&](const char* key, const nlohmann::json& value) {
    nlohmann::json wrong = to_json(task);
    wrong[key] = value;
    return [wrong] { measuring_task_from_json(wrong); };
  };
  EXPECT_THAT(refused("most_bytes", "1k"), ThrowsMessage<BadInput>(HasSubstr("most_bytes")));
  EXPECT_THAT(refused("repetitions", 0), ThrowsMessage<BadInput>(HasSubstr("repetitions")));
  EXPECT_THROW(refused("pairs", {{{"from", 1}, {"to", 1}, {"in_full", true}}})(), BadInput);
  nlohmann::json one_size = to_json(pair);
  one_size["sizes"].erase(1);
  one_size["sizes"].erase(1);
  one_size["sizes"].erase(1);
  EXPECT_THROW(measured_pair_from_json(one_size), BadInput);
}

}  // namespace
}  // namespace isthmus
