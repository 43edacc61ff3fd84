// All ways in which messages share links on a platform, in virtual time: the emulation against the replay.
#include <gtest/gtest.h>

#include "algorithms/catalog.hpp"
#include "tests/emulator/jobs.hpp"

namespace isthmus {
namespace {

/// Two points: an alltoall, which uses both directions of a link at once, and a gather.
Job exchanges(const Network& network, int ranks_per_host = 1) {
  Job job;
  job.network = network;
  job.placement = place_ranks(network, PlacementRule::block, ranks_per_host);
  job.warm_up = 1;
  for (const auto& [collective, plan] : {std::pair{Collective::alltoall, "linear"}, {Collective::gather, "linear"}}) {
    Point point;
    point.problem.collective = collective;
    point.problem.count = 131072;
    point.plan = parse_plan(collective, plan);
    job.points.push_back(point);
  }
  return job;
}

void agrees_with_the_replay(const Job& job, double tolerance) {
  const Emulated result = emulate(job, test::on("virtual"));
  for (std::size_t i = 0; i < job.points.size(); ++i) {
    const double expected = test::replayed_s(job, job.points[i]);
    EXPECT_NEAR(result.points[i].repetitions.front().seconds, expected, tolerance * expected)
        << to_string(job.points[i].plan);
  }
}

#ifndef ISTHMUS_SLOW

TEST(EmulateVirtual, SharesLinksAsThePlatformSays) {
  NEEDS_SUBSTRATE(virtual_substrate());
  // One capacity for both directions on the wide area, on each host's link, and inside a cluster.
  agrees_with_the_replay(
      exchanges(test::with_backbones(
          test::with_shared_host_links(test::with_shared_wide_area(test::mesh({.clusters = 2, .hosts = 2}))),
          Sharing::shared)),
      0.03);
}

#else

TEST(EmulateVirtual, GivesEachFlowOfAFatpipeItsRate) {
  NEEDS_SUBSTRATE(virtual_substrate());
  Network network = test::mesh({.clusters = 2, .hosts = 3});
  for (Link& link : network.links) {
    if (link.name.starts_with("wan")) link.sharing = Sharing::fatpipe;
  }
  agrees_with_the_replay(exchanges(network), 0.03);
}

#endif

}  // namespace
}  // namespace isthmus
