// Times of single messages, and of messages that share a link. A broadcast between two ranks is one message.
#include <gtest/gtest.h>

#include "algorithms/catalog.hpp"
#include "algorithms/errors.hpp"
#include "tests/smpi/simulating.hpp"

namespace isthmus {
namespace {

constexpr double exact_s = 1e-9;

double seconds(const std::string& file, const Job& job, Queueing queueing = Queueing::fifo) {
  return simulate(file, job, 60, {}, {queueing}).points.at(0).repetitions.at(0).seconds;
}

/// Ranks whose processors take no time: all time is spent on links.
Job job_of_links_on(const std::string& name) {
  Job job = job_on(name);
  job.network.transport.send_overhead_s = job.network.transport.receive_overhead_s = 0;
  return job;
}

TEST(ASimulatedMessage, TakesItsRoutesLatencyAndItsBytesOverTheLeastBandwidth) {
  struct Pair {
    const char* platform;
    const char* from;
    const char* to;
  };
  const Pair pairs[] = {{"kielmann2000/das-4x4", "c0-0", "c3-2"},   {"kielmann2000/das-4x4", "c2-3", "c1-0"},
                        {"kielmann2000/das-4x4", "c0-1", "c0-2"},   {"samples/asymmetric", "west-1", "east-0"},
                        {"samples/asymmetric", "east-0", "west-1"}, {"samples/uneven", "tud-3", "bonn-0"},
                        {"samples/uneven", "tud-1", "tud-0"},       {"samples/uneven", "lyon-3", "vu-2"}};
  for (const Pair& pair : pairs) {
    Job job = job_of_links_on(pair.platform);
    job.placement = on_hosts(job.network, {pair.from, pair.to});
    const std::vector<std::int64_t> sizes{1, 15, 16, 17, 1000, 65536, 65537, 4194304, 4194305, 10000019};
    for (std::int64_t bytes : sizes) job.points.push_back(broadcast("linear", bytes));
    const Route route = job.network.route(job.placement.host_of_rank[0], job.placement.host_of_rank[1]);
    for (Queueing queueing : {Queueing::fifo, Queueing::fluid}) {
      const Simulated simulated = simulate(platform(pair.platform), job, 60, {}, {queueing});
      for (std::size_t i = 0; i < sizes.size(); ++i) {
        const double right_s = route.latency_s + (static_cast<double>(sizes[i]) + job.network.transport.header_bytes) /
                                                     route.bandwidth_Bps;
        EXPECT_NEAR(simulated.points[i].repetitions[0].seconds, right_s, exact_s)
            << pair.from << " to " << pair.to << ", " << sizes[i] << " bytes";
      }
    }
  }
}

TEST(SimulatedMessages, ToOnePeerCrossAWideAreaLinkInTurn) {
  Job job = job_on("kielmann2000/das-4x4");
  job.placement = on_hosts(job.network, {"c0-0", "c1-0", "c1-1", "c1-2"});
  job.points = {broadcast("linear", 100000)};
  const double each_s = (100000 + 100) / 1e6;
  const std::vector<double> ends =
      simulate(platform("kielmann2000/das-4x4"), job, 60).points[0].repetitions[0].rank_end_s;
  for (int rank = 1; rank < 4; ++rank) EXPECT_NEAR(ends[rank], 0.01002 + rank * each_s, exact_s);
}

TEST(SimulatedMessages, ShareAWideAreaLinkWhenFluid) {
  Job job = job_on("kielmann2000/das-4x4");
  job.placement = on_hosts(job.network, {"c0-0", "c1-0", "c1-1", "c1-2"});
  job.points = {broadcast("linear", 100000)};
  const SimulationOptions fluid{Queueing::fluid};
  const std::vector<double> ends =
      simulate(platform("kielmann2000/das-4x4"), job, 60, {}, fluid).points[0].repetitions[0].rank_end_s;
  for (int rank = 1; rank < 4; ++rank) EXPECT_NEAR(ends[rank], 0.01002 + 3 * 100100 / 1e6, 1e-8);
}

TEST(SimulatedMessages, InSegmentsArriveOneAfterTheOther) {
  Job job = job_on("kielmann2000/das-4x4");
  job.placement = on_hosts(job.network, {"c0-0", "c1-0"});
  job.points = {broadcast("chain:segment=1000", 64000)};
  EXPECT_NEAR(seconds(platform("kielmann2000/das-4x4"), job), 0.01002 + 64 * 1100 / 1e6, exact_s);
}

TEST(SimulatedMessages, OverDifferentWideAreaLinksDelayEachOtherOnlyAtTheSender) {
  Job job = job_on("kielmann2000/das-4x1");
  job.points = {broadcast("linear", 1000000)};
  const std::vector<double> ends =
      simulate(platform("kielmann2000/das-4x1"), job, 60).points[0].repetitions[0].rank_end_s;
  for (int rank = 1; rank < 4; ++rank) {
    EXPECT_NEAR(ends[rank], (rank - 1) * 1000100 / 50e6 + 0.01002 + 1000100 / 1e6, exact_s);
  }
}

TEST(SimulatedMessages, MakeAPipelineOfAChain) {
  Job job = job_on("kielmann2000/das-4x16");
  const double acknowledged = job.network.transport.acknowledgement_bytes / job.network.transport.frame_bytes;
  job.network.transport.acknowledgement_bytes = 0;
  std::vector<std::string> hosts;
  for (int i = 0; i < 16; ++i) hosts.push_back("c2-" + std::to_string(i));
  job.placement = on_hosts(job.network, hosts);
  job.points = {broadcast("chain:segment=10000", 1000000)};
  const double each_s = 10100 / 50e6;
  const double without_s = seconds(platform("kielmann2000/das-4x16"), job);
  EXPECT_NEAR(without_s, 15 * (20e-6 + each_s) + 99 * each_s, exact_s);

  // A host's way up carries what it passes on and the acknowledgements of what it receives.
  job.network.transport.acknowledgement_bytes = acknowledged * job.network.transport.frame_bytes;
  EXPECT_NEAR(seconds(platform("kielmann2000/das-4x16"), job) / without_s, 1 + acknowledged, 2e-3);
}

TEST(SimulatedMessages, CrossASharedLinkInTurnInBothDirections) {
  Job job = job_on("samples/uneven");
  job.placement = on_hosts(job.network, {"lyon-0", "bonn-0", "lyon-1"});
  job.points = {broadcast("chain:segment=50000", 100000)};
  // Two segments to Bonn; when the first goes back, the second is still on the line, which is then busy without a gap.
  const double line_s = 50064 / 2e6;
  const double lyon_s = 15e-6 + 5e-6, latency_s = 15e-3;
  const Repetition repetition = simulate(platform("samples/uneven"), job, 60).points[0].repetitions[0];
  EXPECT_NEAR(repetition.rank_end_s[2], lyon_s + 4 * line_s + latency_s + lyon_s, exact_s);
}

TEST(SimulatedMessages, OnOneHostCostNothingWithoutALoopback) {
  Job job = job_on("kielmann2000/das-4x4");
  job.placement = on_hosts(job.network, {"c0-0", "c0-0"});
  job.points = {broadcast("linear", 1000000)};
  for (Queueing queueing : {Queueing::fifo, Queueing::fluid}) {
    EXPECT_NEAR(seconds(platform("kielmann2000/das-4x4"), job, queueing), 0, exact_s);
  }
}

TEST(SimulatedMessages, OnOneHostCrossItsLoopback) {
  Job job = job_of_links_on("samples/uneven");
  job.placement = on_hosts(job.network, {"vu-1", "vu-1"});
  job.points = {broadcast("linear", 1000000)};
  for (Queueing queueing : {Queueing::fifo, Queueing::fluid}) {
    EXPECT_NEAR(seconds(platform("samples/uneven"), job, queueing), 200e-9 + 1000064 / 5e9, exact_s);
  }
}

TEST(SimulatedMessages, WaitForTheirReceiveBeyondTheEagerSize) {
  // The middle of a chain of blocking ranks is not late here: its receive stands from the start, so that both protocols
  // give the same time.
  Job job = job_of_links_on("samples/asymmetric");
  job.placement = on_hosts(job.network, {"west-0", "east-0"});
  job.points = {broadcast("linear", 100000)};
  const double eager_s = seconds(platform("samples/asymmetric"), job);
  job.network.transport.eager_bytes = 0;
  EXPECT_NEAR(seconds(platform("samples/asymmetric"), job), eager_s, exact_s);
}

TEST(SimulatedMessages, OccupyTheProcessorsForTheirOverheads) {
  Job job = job_on("samples/asymmetric");
  job.placement = on_hosts(job.network, {"west-0", "east-0"});
  job.points = {broadcast("linear", 1000)};
  const auto end_s = [&](double send_s, double receive_s) {
    job.network.transport.send_overhead_s = send_s;
    job.network.transport.receive_overhead_s = receive_s;
    return seconds(platform("samples/asymmetric"), job);
  };
  // L + g(m), where g covers both.
  EXPECT_NEAR(end_s(50e-6, 80e-6), 0.01005 + (1000 + job.network.transport.header_bytes) / 10e6, exact_s);
  EXPECT_NEAR(end_s(0.002, 0.001), 0.01005 + 0.002, exact_s);
  EXPECT_NEAR(end_s(0.001, 0.002), 0.01005 + 0.002, exact_s);
}

TEST(SimulatedMessages, AreTakenInOneAfterTheOtherAsTheyArrive) {
  Job job = job_on("kielmann2000/das-4x4");
  job.network.transport.receive_overhead_s = 0.001;
  job.placement = on_hosts(job.network, {"c0-0", "c1-0", "c0-1", "c0-2"});
  job.points = {{{Collective::gather, 100, 1, 0}, parse_plan(Collective::gather, "linear")}};
  // The two of its own cluster while the first of the list is still on its way.
  EXPECT_NEAR(seconds(platform("kielmann2000/das-4x4"), job), 0.01002 + 0.001, 1e-6);
}

}  // namespace
}  // namespace isthmus
