#include "algorithms/replay/replay_memory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/catalog.hpp"
#include "algorithms/collective/algorithm.hpp"
#include "algorithms/replay/replay.hpp"
#include "tests/support/meshes.hpp"

namespace isthmus {
namespace {

/// Hosts of three sites whose messages take turns by frames, or wait for each other as a whole.
PlacedNetwork three_sites(double frame_bytes) {
  tests::Mesh mesh({3, 4, 2});
  mesh.join_all(5e6, 10e-3);
  mesh.network.transport = tcp_over_ethernet();
  mesh.network.transport.frame_bytes = frame_bytes;
  return {mesh.network, place_ranks(mesh.network, PlacementRule::block, 1)};
}

TEST(ReplayMemory, ReplaysThatShareItTakeAsLongAsAlone) {
  for (const double frame_bytes : {0.0, 1448.0}) {
    const PlacedNetwork placed = three_sites(frame_bytes);
    ReplayMemory memory;
    memory.serve(placed.network());
    for (const Collective collective : {Collective::allreduce, Collective::alltoall, Collective::broadcast})
      for (const Algorithm* algorithm : algorithms_of(collective))
        for (const std::int64_t count : {50000, 10}) {
          const Plan plan{algorithm, {}};
          const Problem problem{.collective = collective, .count = count};
          if (!serves(plan, placed.topology(), problem)) continue;
          const ProgramSource programs = source(plan, placed.topology(), problem);
          const Replay alone = replay(placed, 1, programs);
          // One that is cut leaves events behind.
          replay(placed, 1, programs, {.limit_s = alone.seconds / 2, .memory = &memory});
          const Replay shared = replay(placed, 1, programs, {.memory = &memory});
          EXPECT_EQ(shared.seconds, alone.seconds) << algorithm->id;
          EXPECT_EQ(shared.messages, alone.messages) << algorithm->id;
          EXPECT_EQ(shared.bytes, alone.bytes) << algorithm->id;
          EXPECT_THAT(shared.rank_end_s, ::testing::ElementsAreArray(alone.rank_end_s)) << algorithm->id;
        }
  }
}

TEST(ReplayMemory, ServesOneNetworkAfterTheOther) {
  const Plan plan = parse_plan(Collective::allreduce, "ring");
  const Problem problem{.collective = Collective::allreduce, .count = 1000};
  ReplayMemory memory;
  for (const double frame_bytes : {1448.0, 0.0, 500.0}) {
    const PlacedNetwork placed = three_sites(frame_bytes);
    memory.serve(placed.network());
    const ProgramSource programs = source(plan, placed.topology(), problem);
    EXPECT_EQ(replay(placed, 1, programs, {.memory = &memory}).seconds, replay(placed, 1, programs).seconds);
  }
}

}  // namespace
}  // namespace isthmus
