#include "algorithms/broadcast/broadcast.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>
#include <string>
#include <vector>

#include "algorithms/catalog.hpp"
#include "algorithms/collective/algorithm.hpp"
#include "algorithms/patterns/tree_broadcast.hpp"
#include "tests/support/groupings.hpp"

namespace isthmus {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Schedule schedule_of(std::string_view text, const Topology& topology, std::int64_t count, int root) {
  const Plan plan = parse_plan(Collective::broadcast, text);
  const Problem problem{.count = count, .root = root};
  check(plan, topology, problem);
  return materialise(topology.size(), source(plan, topology, problem));
}

/// `<4[0+3]`: elements 0, 1, 2 of the output received from rank 4; `>4[0+3]`: sent to it.
std::vector<std::string> text(const Program& program) {
  std::vector<std::string> lines;
  for (const Op& op : program.ops()) {
    const bool receives = op.kind == OpKind::receive;
    const Slice& slice = receives ? op.to : op.from;
    EXPECT_TRUE(receives || op.kind == OpKind::send);
    EXPECT_EQ(slice.buffer, Buffer::output);
    lines.push_back(fmt::format("{}{}[{}+{}]", receives ? '<' : '>', op.peer, slice.offset, slice.count));
  }
  return lines;
}

TEST(Broadcast, AlongABinomialTreeIsTheOneOfMpich) {
  const Schedule schedule = schedule_of("binomial", Topology::flat(6), 5, 1);
  EXPECT_THAT(text(schedule[1]), ElementsAre(">5[0+5]", ">3[0+5]", ">2[0+5]"));
  EXPECT_THAT(text(schedule[5]), ElementsAre("<1[0+5]", ">0[0+5]"));
  EXPECT_THAT(text(schedule[3]), ElementsAre("<1[0+5]", ">4[0+5]"));
  EXPECT_THAT(text(schedule[0]), ElementsAre("<5[0+5]"));
}

TEST(Broadcast, AlongAChainPostsItsReceivesAheadAndPassesSegmentsOn) {
  const Schedule schedule = schedule_of("chain:segment=2", Topology::flat(3), 5, 0);
  EXPECT_THAT(text(schedule[0]), ElementsAre(">1[0+2]", ">1[2+2]", ">1[4+1]"));
  EXPECT_THAT(text(schedule[1]), ElementsAre("<0[0+2]", "<0[2+2]", "<0[4+1]", ">2[0+2]", ">2[2+2]", ">2[4+1]"));
}

TEST(Broadcast, FromALinearRootServesEverybodySegmentBySegment) {
  const Schedule schedule = schedule_of("linear:segment=3", Topology::flat(3), 6, 2);
  EXPECT_THAT(text(schedule[2]), ElementsAre(">0[0+3]", ">1[0+3]", ">0[3+3]", ">1[3+3]"));
}

TEST(Broadcast, TakesTheDegreeOfTheTreesThatHaveOne) {
  EXPECT_THAT(text(schedule_of("k-chain:degree=2", Topology::flat(6), 1, 0)[0]), ElementsAre(">1[0+1]", ">4[0+1]"));
  EXPECT_THAT(text(schedule_of("k-chain", Topology::flat(9), 1, 0)[0]), ::testing::SizeIs(4));
  EXPECT_THAT(text(schedule_of("k-ary:degree=3", Topology::flat(6), 1, 0)[1]),
              ElementsAre("<0[0+1]", ">4[0+1]", ">5[0+1]"));
  EXPECT_THAT(text(schedule_of("k-ary", Topology::flat(9), 1, 0)[0]), ::testing::SizeIs(4));
}

TEST(Broadcast, InHalvesExchangesThemWithThePartner) {
  const Schedule schedule = schedule_of("splitted-binary:segment=2", Topology::flat(6), 7, 0);  // halves of 4 and 3
  EXPECT_THAT(text(schedule[0]), ElementsAre(">1[0+2]", ">2[4+2]", ">1[2+2]", ">2[6+1]", ">5[4+3]"));
  EXPECT_THAT(text(schedule[1]),
              ElementsAre("<0[0+2]", "<0[2+2]", "<2[4+3]", ">3[0+2]", ">5[0+2]", ">3[2+2]", ">5[2+2]", ">2[0+4]"));
  EXPECT_THAT(text(schedule[4]), ElementsAre("<2[4+2]", "<2[6+1]", "<3[0+4]", ">3[4+3]"));
  EXPECT_THAT(text(schedule[5]), ElementsAre("<1[0+2]", "<1[2+2]", "<0[4+3]"));
}

TEST(Broadcast, ByScatterAndAllgatherGoesRoundTheRing) {
  const Schedule schedule = schedule_of("scatter-allgather", Topology::flat(4), 8, 0);
  EXPECT_THAT(text(schedule[0]), ElementsAre(">2[4+4]", ">1[2+2]", ">1[0+2]", ">1[6+2]", ">1[4+2]"));
  EXPECT_THAT(text(schedule[1]), ElementsAre("<0[2+2]", "<0[0+2]", "<0[6+2]", "<0[4+2]", ">2[2+2]", ">2[0+2]"));
  EXPECT_THAT(text(schedule[2]),
              ElementsAre("<0[4+4]", "<1[2+2]", "<1[0+2]", ">3[6+2]", ">3[4+2]", ">3[2+2]", ">3[0+2]"));
}

TEST(Broadcast, OfMagpieSendsWholeMessagesOneAtATime) {
  const Topology topology = tests::grouped(6, [](int rank) { return tests::Path{rank < 4 ? "a" : "b"}; });
  const Schedule schedule = schedule_of("magpie", topology, 9, 1);
  EXPECT_THAT(text(schedule[1]), ElementsAre(">4[0+9]", ">3[0+9]", ">2[0+9]"));
  EXPECT_THAT(text(schedule[3]), ElementsAre("<1[0+9]", ">0[0+9]"));
  EXPECT_THAT(text(schedule[4]), ElementsAre("<1[0+9]", ">5[0+9]"));
  for (const Program& program : schedule) EXPECT_THAT(program.lanes(), ElementsAre(Lane{.one_send_at_a_time = true}));
}

TEST(Broadcast, OfKielmannSendsEachSegmentToOtherClustersFirst) {
  const Topology topology = tests::grouped(9, [](int rank) { return tests::Path{std::to_string(rank / 3)}; });
  const Schedule schedule = schedule_of("kielmann:segment=2,wan-degree=1,lan-degree=2", topology, 4, 0);
  EXPECT_THAT(text(schedule[0]), ElementsAre(">3[0+2]", ">1[0+2]", ">2[0+2]", ">3[2+2]", ">1[2+2]", ">2[2+2]"));
  EXPECT_THAT(text(schedule[3]),
              ElementsAre("<0[0+2]", "<0[2+2]", ">6[0+2]", ">4[0+2]", ">5[0+2]", ">6[2+2]", ">4[2+2]", ">5[2+2]"));
  EXPECT_THAT(text(schedule[5]), ElementsAre("<3[0+2]", "<3[2+2]"));
  EXPECT_THAT(text(schedule_of("kielmann", topology, 4, 0)[0]),
              ElementsAre(">3[0+4]", ">6[0+4]", ">1[0+4]", ">2[0+4]"));
}

TEST(Broadcast, OnManyLevelsTakesTheAlgorithmOfEachLevel) {
  const Topology topology = tests::grouped(8, [](int rank) {
    return tests::Path{std::to_string(rank / 4), std::to_string(rank / 2)};
  });
  const Schedule schedule = schedule_of("multilevel:segment=1,levels=linear/chain", topology, 2, 3);
  EXPECT_THAT(text(schedule[3]), ElementsAre(">4[0+1]", ">0[0+1]", ">2[0+1]", ">4[1+1]", ">0[1+1]", ">2[1+1]"));
  EXPECT_THAT(text(schedule[4]), ElementsAre("<3[0+1]", "<3[1+1]", ">6[0+1]", ">5[0+1]", ">6[1+1]", ">5[1+1]"));
  EXPECT_THAT(text(schedule[1]), ElementsAre("<0[0+1]", "<0[1+1]"));
}

TEST(Broadcast, OnManyLevelsMayTakeTheOutermostAsOne) {
  const Topology machines = tests::grouped(8, [](int rank) {
    return tests::Path{std::to_string(rank / 4), std::to_string(rank / 2)};
  });
  const Topology alone = tests::grouped(8, [](int rank) { return tests::Path{std::to_string(rank / 2)}; });
  EXPECT_EQ(schedule_of("multilevel:merged=2", machines, 3, 5), schedule_of("multilevel", alone, 3, 5));
  EXPECT_EQ(schedule_of("multilevel:merged=2", alone, 3, 5), schedule_of("multilevel", alone, 3, 5));
}

TEST(Broadcast, OnManyLevelsIsLinearBetweenSitesAndBinomialElsewhereByDefault) {
  const Topology sites = tests::grouped(8, [](int rank) { return tests::Path{std::to_string(rank / 2)}; });
  EXPECT_EQ(schedule_of("multilevel", sites, 3, 5), schedule_of("multilevel:levels=linear/binomial", sites, 3, 5));
  EXPECT_EQ(schedule_of("multilevel", Topology::flat(8), 3, 5), schedule_of("binomial", Topology::flat(8), 3, 5));
}

TEST(Broadcast, OfNothingAndToNobodySendsNothing) {
  for (const Algorithm* algorithm : algorithms_of(Collective::broadcast)) {
    for (const tests::Grouping& grouping : tests::groupings(5)) {
      for (const Program& program : schedule_of(algorithm->id, grouping.topology, 0, 2))
        EXPECT_THAT(program.ops(), IsEmpty()) << algorithm->id << " " << grouping.name;
    }
    EXPECT_THAT(schedule_of(algorithm->id, Topology::flat(1), 7, 0)[0].ops(), IsEmpty()) << algorithm->id;
  }
}

TEST(Broadcast, LetsNoRankReceiveAnElementTwice) {
  for (const Algorithm* algorithm : algorithms_of(Collective::broadcast)) {
    for (const int size : {1, 2, 3, 7, 8, 12, 13}) {
      for (const tests::Grouping& grouping : tests::groupings(size)) {
        SCOPED_TRACE(std::string(algorithm->id) + ", " + grouping.name + " of " + std::to_string(size));
        constexpr int count = 29;
        const int root = size / 2;
        const Schedule schedule = schedule_of(algorithm->id, grouping.topology, count, root);
        for (int rank = 0; rank < size; ++rank) {
          std::vector<int> times(count, 0);
          for (const Op& op : schedule[rank].ops())
            if (op.kind == OpKind::receive)
              for (std::int64_t i = op.to.offset; i < op.to.end(); ++i) ++times[i];
          EXPECT_THAT(times, ::testing::Each(rank == root ? 0 : 1)) << "rank " << rank;
        }
      }
    }
  }
}

/// The clusters of Kielmann 2000: sites, and ranks outside any.
int cluster_of(const Topology& topology, int rank) {
  const int group = topology.group_at(rank, 1);
  return group == 0 && !topology.group(0).children.empty() ? -1 - rank : group;
}

/// Elements that come over wide-area links into each cluster.
std::map<int, std::int64_t> elements_into_clusters(const Topology& topology, const Schedule& schedule) {
  std::map<int, std::int64_t> elements;
  for (int rank = 0; rank < topology.size(); ++rank) {
    elements.try_emplace(cluster_of(topology, rank), 0);
    for (const Op& op : schedule[rank].ops())
      if (op.kind == OpKind::receive && cluster_of(topology, op.peer) != cluster_of(topology, rank))
        elements[cluster_of(topology, rank)] += op.to.count;
  }
  return elements;
}

/// Wide-area links on the path from the root to a rank, for algorithms in which a rank receives from one other alone.
int wide_area_links(const Topology& topology, const Schedule& schedule, int rank) {
  for (const Op& op : schedule[rank].ops())
    if (op.kind == OpKind::receive)
      return wide_area_links(topology, schedule, op.peer) +
             (cluster_of(topology, op.peer) != cluster_of(topology, rank) ? 1 : 0);
  return 0;
}

TEST(Broadcast, AcrossClustersBringsEachElementIntoEachClusterOnce) {
  for (const char* plan :
       {"magpie", "kielmann:segment=2,wan-degree=2", "kielmann:wan-degree=1,lan-degree=3", "multilevel:segment=3",
        "multilevel:levels=binomial/chain", "multilevel:levels=k-chain,degree=2"}) {
    for (const int size : {1, 4, 9, 16, 25}) {
      for (const tests::Grouping& grouping : tests::groupings(size)) {
        for (int root = 0; root < size; ++root) {
          SCOPED_TRACE(std::string(plan) + ", " + grouping.name + " of " + std::to_string(size));
          constexpr int count = 11;
          const auto elements =
              elements_into_clusters(grouping.topology, schedule_of(plan, grouping.topology, count, root));
          for (const auto& [cluster, into] : elements)
            EXPECT_EQ(into, cluster == cluster_of(grouping.topology, root) ? 0 : count) << "cluster " << cluster;
        }
      }
    }
  }
}

TEST(Broadcast, OfMagpieAndOnManyLevelsCrossesOneWideAreaLinkAtMost) {
  for (const char* plan : {"magpie", "multilevel", "multilevel:segment=3"}) {
    for (const int size : {4, 9, 16, 25}) {
      for (const tests::Grouping& grouping : tests::groupings(size)) {
        for (int root = 0; root < size; ++root) {
          SCOPED_TRACE(std::string(plan) + ", " + grouping.name + " of " + std::to_string(size));
          const Schedule schedule = schedule_of(plan, grouping.topology, 11, root);
          for (int rank = 0; rank < size; ++rank) EXPECT_LE(wide_area_links(grouping.topology, schedule, rank), 1);
        }
      }
    }
  }
}

TEST(TreeOf, KnowsTheTreesByTheNamesOfTheirAlgorithms) {
  for (const std::string_view name : tree_names()) {
    EXPECT_TRUE(tree_of(name, 0).has_value());
    EXPECT_EQ(algorithm_named(Collective::broadcast, name).id, name);
  }
  EXPECT_EQ(tree_of("binary", 7), (Tree{TreeShape::k_ary, 2}));
  EXPECT_EQ(tree_of("k-ary", 7), (Tree{TreeShape::k_ary, 7}));
  EXPECT_FALSE(tree_of("magpie", 0).has_value());
}

}  // namespace
}  // namespace isthmus
