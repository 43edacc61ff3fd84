// Calibration under SMPI returns the parameters of the platform file.
#include "sim/measure.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "algorithms/errors.hpp"
#include "algorithms/models/plogp.hpp"
#include "algorithms/network/network_json.hpp"
#include "platforms/reader.hpp"
#include "tests/support/text_file.hpp"

namespace isthmus {
namespace {

const std::string measured_platform = ISTHMUS_PLATFORMS "/kielmann2000/das-4x4.xml";

MeasuringTask task_over(std::vector<MeasuringTask::Pair> pairs) {
  MeasuringTask task;
  task.pairs = std::move(pairs);
  return task;
}

/// A rank on each host of the first pair of every class, and the measuring of these pairs.
std::pair<Placement, MeasuringTask> first_pairs(const std::vector<RouteClass>& classes) {
  Placement placement;
  MeasuringTask task;
  for (const RouteClass& one : classes) {
    const auto [from, to] = one.host_pairs.front();
    task.pairs.push_back({placement.size(), placement.size() + 1, true});
    placement.host_of_rank.insert(placement.host_of_rank.end(), {from, to});
  }
  return {std::move(placement), std::move(task)};
}

TEST(MeasuringUnderSmpi, ReturnsTheParametersOfThePlatformWithinAPercent) {
  Network network = read_platform(measured_platform);
  network.transport.acknowledgement_bytes = 0;  // P-LogP has none
  const std::vector<RouteClass> classes = route_classes_of(network, 1);
  const auto [placement, task] = first_pairs(classes);
  const std::vector<MeasuredPair> pairs = measure_simulated(measured_platform, network, placement, task, 60);
  ASSERT_EQ(pairs.size(), 2u);
  const Network result = calibrated(network, classes, pairs);
  for (const auto& [from, to] : {std::pair(0, 1), std::pair(0, 4), std::pair(13, 2), std::pair(9, 10)}) {
    const PLogP known = plogp_of(network, from, to), found = plogp_of(result, from, to);
    EXPECT_NEAR(found.latency_s / known.latency_s, 1, 0.01);
    for (const double bytes : {0.0, 1.0, 64.0, 1500.0, 65536.0, 1048576.0, 4194304.0}) {
      EXPECT_NEAR(found.gap(bytes) / known.gap(bytes), 1, 0.01) << bytes;
      EXPECT_NEAR(found.receive_time_s(bytes) / known.receive_time_s(bytes), 1, 0.01) << bytes;
    }
    // A straight line needs no more sizes than those of the grid and their middles.
    EXPECT_LE(found.gap.points().size(), 2u * 25);
  }
}

TEST(MeasuringUnderSmpi, FindsTheOverheadsOfProcessors) {
  Network network = read_platform(measured_platform);
  network.transport.send_overhead_s = 20e-6;
  network.transport.send_overhead_s_per_byte = 2e-9;
  network.transport.receive_overhead_s = 30e-6;
  const std::vector<MeasuredPair> pairs =
      measure_simulated(measured_platform, network, {{0, 1}}, task_over({{0, 1, true}}), 60);
  for (const MeasuredSize& size : pairs.front().sizes) {
    const auto bytes = static_cast<double>(size.bytes);
    EXPECT_NEAR(size.send_overhead.seconds, 20e-6 + 2e-9 * bytes, 0.01 * (20e-6 + 2e-9 * bytes)) << bytes;
    EXPECT_NEAR(size.receive_overhead.seconds, 30e-6, 0.01 * 30e-6) << bytes;
  }
  // The gap of empty messages is the larger overhead: 20 us for sending, 30 us for receiving.
  EXPECT_NEAR(pairs.front().sizes.front().gap.seconds, 30e-6, 0.02 * 30e-6);
}

TEST(MeasuringUnderSmpi, AReceiveIsMeasuredAfterItsMessageOverASlowerWayBack) {
  const std::string platform = ISTHMUS_PLATFORMS "/samples/asymmetric.xml";
  const Network network = read_platform(platform);
  const auto host = [&](const char* name) {
    return static_cast<int>(std::ranges::find(network.hosts, name, &Host::name) - network.hosts.begin());
  };
  const std::vector<MeasuredPair> pairs = measure_simulated(platform, network, {{host("west-0"), host("east-0")}},
                                                            task_over({{0, 1, false}, {1, 0, false}}), 60);
  ASSERT_EQ(pairs.size(), 2u);
  for (const MeasuredPair& pair : pairs)
    for (const MeasuredSize& size : pair.sizes)
      EXPECT_NEAR(size.receive_overhead.seconds, 1e-6, 1e-8) << pair.from << " to " << pair.to << ", " << size.bytes;
}

TEST(MeasuringUnderSmpi, UnequalDirectionsHaveEachTheirOwnGapAndHalfOfTheLatency) {
  Network network = read_platform(ISTHMUS_PLATFORMS "/samples/asymmetric.xml");
  for (Link& link : network.links) {
    if (link.name.ends_with("wards")) link.latency_s = 10e-3;
    if (link.name == "eastwards") link.bandwidth_Bps = 1e6;
    if (link.name == "westwards") link.bandwidth_Bps = 1e3;  // which takes what TCP sends back for the other direction
  }
  ASSERT_GT(network.transport.acknowledgement_bytes, 0);
  const tests::TextFile file("unequal.json", to_json(network).dump());
  const std::vector<RouteClass> classes = route_classes_of(network, 1);
  const auto [placement, task] = first_pairs(classes);
  const Network result = calibrated(network, classes, measure_simulated(file.path(), network, placement, task, 60));
  for (std::size_t link = 0; link < network.links.size(); ++link)
    EXPECT_NEAR(result.links[link].latency_s / network.links[link].latency_s, 1, 0.01) << network.links[link].name;
  for (const RouteClass& one : classes) {
    const auto [from, to] = one.host_pairs.front();
    const PLogP known = plogp_of(network, from, to), found = plogp_of(result, from, to);
    for (const double bytes : {0.0, 1500.0, 65536.0, 1048576.0})
      EXPECT_NEAR(found.gap(bytes) / known.gap(bytes), 1, 0.01) << one.name << ", " << bytes;
  }
}

TEST(MeasuringUnderSmpi, RefusesWhatItCannotMeasure) {
  const Network network = read_platform(measured_platform);
  EXPECT_THROW(measure_simulated(measured_platform, network, {{0, 1}}, task_over({{0, 2, true}}), 60), BadInput);
  EXPECT_THROW(measure_simulated("absent.xml", network, {{0, 1}}, task_over({{0, 1, true}}), 60), BadInput);
  const Network other = read_platform(ISTHMUS_PLATFORMS "/pjesivac2005/boba.xml");
  EXPECT_THROW(measure_simulated(measured_platform, other, {{0, 1}}, task_over({{0, 1, true}}), 60), BadInput);
}

}  // namespace
}  // namespace isthmus
