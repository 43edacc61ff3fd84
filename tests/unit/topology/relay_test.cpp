#include "algorithms/topology/relay.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

#include "tests/support/groupings.hpp"

namespace isthmus {
namespace {

using ::testing::ElementsAre;
using Receiver = RelayStage::Receiver;

std::string digit(int value) { return std::to_string(value); }

TEST(Relay, PairsTheRanksOfEqualGroups) {
  const Topology topology = tests::grouped(9, [](int rank) { return tests::Path{digit(rank / 3)}; });
  const std::vector<RelayStage> stages = relay_stages(topology, 4);
  ASSERT_EQ(stages.size(), 2u);
  EXPECT_THAT(stages[0].receivers, ElementsAre(Receiver{2, 7}, Receiver{0, 1}));
  EXPECT_THAT(stages[0].senders, ElementsAre(1, 7));
  EXPECT_THAT(stages[0].own(), ElementsAre(4));
  EXPECT_TRUE(stages[1].innermost);
  EXPECT_THAT(stages[1].ranks, ElementsAre(3, 4, 5));
  EXPECT_THAT(stages[1].own(), ElementsAre(4, 1, 7));
  EXPECT_THAT(stages[1].held_by(5), ElementsAre(5, 2, 8));
}

TEST(Relay, DealsManySendersOverAFewReceivers) {
  const Topology topology = tests::grouped(7, [](int rank) { return tests::Path{digit(rank < 5 ? 0 : 1)}; });
  EXPECT_THAT(relay_stages(topology, 5)[0].senders, ElementsAre(0, 2, 4));
  EXPECT_THAT(relay_stages(topology, 6)[0].senders, ElementsAre(1, 3));
  EXPECT_THAT(relay_stages(topology, 3)[0].senders, ElementsAre());
}

TEST(Relay, SendsAndReceivesAgreeAndTheWorkIsShared) {
  for (const int size : {1, 2, 5, 12, 33})
    for (const tests::Grouping& grouping : tests::groupings(size)) {
      SCOPED_TRACE(grouping.name + " of " + std::to_string(size));
      for (int rank = 0; rank < size; ++rank) {
        const std::vector<RelayStage> stages = relay_stages(grouping.topology, rank);
        for (std::size_t level = 0; level < stages.size(); ++level) {
          const RelayStage& stage = stages[level];
          EXPECT_EQ(stage.receivers.size() + 1, stage.parts.size());
          for (const Receiver& receiver : stage.receivers) {
            const std::vector<int> senders = relay_stages(grouping.topology, receiver.rank)[level].senders;
            EXPECT_EQ(std::count(senders.begin(), senders.end(), rank), 1) << rank << " to " << receiver.rank;
          }
          const std::size_t part = stage.parts[stage.own_part].size();
          const std::size_t outside = stage.ranks.size() - part;
          EXPECT_GE(stage.senders.size(), outside / part);
          EXPECT_LE(stage.senders.size(), (outside + part - 1) / part);
        }
      }
    }
}

TEST(Relay, LetsThePartsOfAStageHoldEverything) {
  for (const tests::Grouping& grouping : tests::groupings(17)) {
    SCOPED_TRACE(grouping.name);
    for (int rank = 0; rank < 17; ++rank)
      for (const RelayStage& stage : relay_stages(grouping.topology, rank)) {
        std::vector<int> held;
        for (const int member : stage.ranks) {
          const std::span<const int> more = stage.held_by(member);
          held.insert(held.end(), more.begin(), more.end());
        }
        std::sort(held.begin(), held.end());
        std::vector<int> everybody(17);
        std::iota(everybody.begin(), everybody.end(), 0);
        EXPECT_EQ(held, everybody);
      }
  }
}

}  // namespace
}  // namespace isthmus
