#include "algorithms/topology/topology.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>

#include "algorithms/errors.hpp"
#include "algorithms/topology/exchange.hpp"
#include "algorithms/topology/topology_file.hpp"
#include "tests/support/groupings.hpp"

namespace isthmus {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Checks the invariants of a topology for every root.
void expect_invariants(const Topology& topology) {
  const int size = topology.size();
  for (int number = 0; number < std::ssize(topology.groups()); ++number) {
    const Group& group = topology.group(number);
    ASSERT_FALSE(group.ranks.empty());
    EXPECT_TRUE(std::is_sorted(group.ranks.begin(), group.ranks.end()));
    EXPECT_EQ(number == 0, group.parent == -1);
    if (number > 0) {
      EXPECT_LT(group.parent, number);
      EXPECT_EQ(group.level, topology.group(group.parent).level + 1);
    }
    std::vector<int> below;
    int lowest = -1;
    for (const int child : group.children) {
      EXPECT_EQ(topology.group(child).parent, number);
      EXPECT_GT(topology.group(child).ranks.front(), lowest);
      lowest = topology.group(child).ranks.front();
      below.insert(below.end(), topology.group(child).ranks.begin(), topology.group(child).ranks.end());
    }
    for (int rank = 0; rank < size; ++rank) {
      if (topology.innermost(rank) == number) below.push_back(rank);
      const bool member = std::binary_search(group.ranks.begin(), group.ranks.end(), rank);
      EXPECT_EQ(topology.contains(number, rank), member);
      if (member && topology.depth(rank) >= group.level) {
        EXPECT_EQ(topology.group_at(rank, group.level), number);
      }
    }
    std::sort(below.begin(), below.end());
    EXPECT_EQ(below, group.ranks);
  }
}

/// The exchanges of a topology make one tree over all ranks.
void expect_exchanges_span(const Topology& topology, int root) {
  std::vector<int> times_reached(topology.size(), 0);
  for (int number = 0; number < std::ssize(topology.groups()); ++number) {
    const int coordinator = topology.coordinator(number, root);
    EXPECT_EQ(coordinator, topology.contains(number, root) ? root : topology.group(number).ranks.front());
    const std::vector<int> participants = topology.participants(number, root);
    EXPECT_EQ(std::set<int>(participants.begin(), participants.end()).size(), participants.size());
    for (const int rank : participants) {
      if (rank != coordinator) ++times_reached[rank];
      const RootedGroup group = participants_at(topology, number, rank, root);
      ASSERT_EQ(group.size(), std::ssize(participants));
      EXPECT_EQ(group.rank(group.relative_rank()), rank);
      EXPECT_EQ(group.rank(0), coordinator);
      const auto start = std::find(participants.begin(), participants.end(), coordinator) - participants.begin();
      for (int relative = 0; relative < group.size(); ++relative)
        EXPECT_EQ(group.rank(relative), participants[(start + relative) % group.size()]);
    }
    for (int rank = 0; rank < topology.size(); ++rank) {
      const std::vector<int> exchanges = groups_coordinated_by(topology, rank, root);
      const bool takes_part = std::find(participants.begin(), participants.end(), rank) != participants.end();
      EXPECT_EQ(std::find(exchanges.begin(), exchanges.end(), number) != exchanges.end(), takes_part);
      if (!takes_part) {
        EXPECT_THROW(participants_at(topology, number, rank, root), std::invalid_argument);
      }
    }
  }
  for (int rank = 0; rank < topology.size(); ++rank) EXPECT_EQ(times_reached[rank], rank == root ? 0 : 1);
}

TEST(Topology, OfNoGroupsHasEverybodyInGroupZero) {
  const Topology topology = Topology::flat(3);
  EXPECT_EQ(topology.size(), 3);
  EXPECT_EQ(topology.levels(), 0);
  EXPECT_THAT(topology.group(0).ranks, ElementsAre(0, 1, 2));
  EXPECT_THAT(topology.participants(0, 2), ElementsAre(0, 1, 2));
  EXPECT_EQ(topology.coordinator(0, 2), 2);
}

TEST(Topology, NumbersGroupsAsRanksMeetThem) {
  const Topology topology = Topology::from_paths({{"b", "n0"}, {"a"}, {"b", "n1"}, {}, {"a", "n0"}});
  EXPECT_EQ(topology.levels(), 2);
  EXPECT_THAT(topology.group(0).children, ElementsAre(1, 3));
  EXPECT_EQ(topology.group(1).name, "b");
  EXPECT_THAT(topology.group(1).ranks, ElementsAre(0, 2));
  EXPECT_EQ(topology.group(3).name, "a");
  EXPECT_THAT(topology.group(3).ranks, ElementsAre(1, 4));
  EXPECT_EQ(topology.innermost(3), 0);
  EXPECT_EQ(topology.depth(4), 2);
  EXPECT_NE(topology.innermost(0), topology.innermost(4)) << "n0 of b and n0 of a are different groups";
  EXPECT_EQ(topology.group_at(1, 2), topology.group_at(1, 1)) << "rank 1 is not as deep as level 2";
}

TEST(Topology, LetsTheRootSpeakForItsGroups) {
  const Topology topology = Topology::from_paths({{"a", "n0"}, {"a", "n1"}, {"b", "n0"}, {"b", "n0"}, {}});
  EXPECT_THAT(topology.participants(0, 0), ElementsAre(0, 2, 4));
  EXPECT_THAT(topology.participants(0, 1), ElementsAre(1, 2, 4));
  EXPECT_THAT(topology.participants(0, 3), ElementsAre(0, 3, 4));
  EXPECT_THAT(topology.participants(0, 4), ElementsAre(0, 2, 4));
}

TEST(Topology, TakesOuterLevelsAsOne) {
  const Topology topology = Topology::from_paths({{"a", "m", "n"}, {"a", "m"}, {"a"}, {"b"}, {"a", "n"}, {}});
  const Topology merged = topology.with_merged(2);
  EXPECT_EQ(merged.levels(), 2);
  EXPECT_EQ(merged.group(0).children.size(), 4U) << "a/m, what is left of a, b, a/n";
  EXPECT_THAT(merged.members(0), ElementsAre(0, 2, 3, 4, 5));
  EXPECT_THAT(merged.group(merged.group_at(1, 1)).ranks, ElementsAre(0, 1));
  EXPECT_EQ(merged.depth(0), 2);
  EXPECT_EQ(topology.with_merged(1).groups().size(), topology.groups().size());
  EXPECT_EQ(topology.with_merged(9).levels(), 1);
}

TEST(Topology, RefusesToHaveNoRanks) {
  EXPECT_THROW(Topology::flat(0), BadInput);
  EXPECT_THROW(Topology::from_paths({}), BadInput);
}

TEST(Topology, HoldsItsInvariantsOverManyGroupings) {
  for (const int size : {1, 2, 3, 5, 8, 13, 24}) {
    for (const tests::Grouping& grouping : tests::groupings(size)) {
      SCOPED_TRACE(grouping.name + " of " + std::to_string(size));
      expect_invariants(grouping.topology);
      for (int root = 0; root < size; ++root) expect_exchanges_span(grouping.topology, root);
    }
  }
}

TEST(Topology, HoldsItsInvariantsOverRandomNestedGroupings) {
  std::mt19937 random(1);
  for (int round = 0; round < 150; ++round) {
    SCOPED_TRACE(round);
    const int size = 1 + static_cast<int>(random() % 30);
    const Topology topology = tests::random_topology(size, random);
    expect_invariants(topology);
    expect_exchanges_span(topology, static_cast<int>(random() % static_cast<unsigned>(size)));
  }
}

TEST(Layers, HaveTheSitesAsClusters) {
  const Topology topology = Topology::from_paths({{"a", "n0"}, {"a", "n1"}, {"b"}, {"b"}, {}});
  const Layers of_root = layers_at(topology, 1, 1);
  ASSERT_TRUE(of_root.coordinators.has_value());
  EXPECT_EQ(of_root.coordinators->size(), 3);
  EXPECT_TRUE(of_root.coordinators->is_root());
  EXPECT_EQ(of_root.coordinators->rank(1), 2);
  EXPECT_EQ(of_root.cluster.size(), 2);
  EXPECT_FALSE(layers_at(topology, 0, 1).coordinators.has_value()) << "the root speaks for its cluster";
  EXPECT_EQ(layers_at(topology, 3, 1).cluster.relative_rank(), 1);
  EXPECT_EQ(layers_at(topology, 4, 1).cluster.size(), 1) << "a rank of its own is a cluster of its own";
  EXPECT_EQ(layers_at(topology, 4, 1).coordinators->relative_rank(), 2);
}

TEST(Layers, OfNoGroupsAreOneCluster) {
  const Layers layers = layers_at(Topology::flat(4), 1, 3);
  EXPECT_FALSE(layers.coordinators.has_value());
  EXPECT_EQ(layers.cluster.size(), 4);
  EXPECT_EQ(layers.cluster.relative_rank(), 2);
}

class TopologyFile : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(file_); }

  std::string message_for(const std::string& text) {
    write(text);
    try {
      read_topology(file_);
    } catch (const BadInput& error) {
      return error.what();
    }
    return "accepted";
  }
  void write(const std::string& text) { std::ofstream(file_) << text; }

  std::string file_ =
      (std::filesystem::temp_directory_path() / ("isthmus-topology-" + std::to_string(::getpid()) + ".json")).string();
};

TEST_F(TopologyFile, GivesThePathOfEachRank) {
  write(R"({"ranks": [["siteA", "node1"], ["siteA", "node2"], ["siteB"], []]})");
  const Topology topology = read_topology(file_);
  EXPECT_EQ(topology.size(), 4);
  EXPECT_EQ(topology.levels(), 2);
  EXPECT_EQ(topology.group(topology.innermost(1)).name, "node2");
  EXPECT_EQ(topology.depth(3), 0);
}

TEST_F(TopologyFile, SaysWhatIsWrongInOneLine) {
  EXPECT_THAT(message_for("{"), StartsWith(file_ + ":1: is not JSON"));
  EXPECT_EQ(message_for("[]"), file_ + ":1: is []; an object would be right");
  EXPECT_EQ(message_for("{}"),
            file_ +
                ":1: /ranks: is missing; a list of at least one rank's groups, as [[\"siteA\", \"node1\"], "
                "[\"siteB\"]], would be right");
  EXPECT_THAT(message_for(R"({"ranks": {}})"), HasSubstr("/ranks: is {}; a list of at least one"));
  EXPECT_THAT(message_for(R"({"ranks": []})"), HasSubstr("at least one"));
  EXPECT_THAT(message_for(R"({"ranks": [["a"], "b"]})"),
              HasSubstr(R"(:1: /ranks/1: is "b"; a list of group names would be right)"));
  EXPECT_THAT(message_for(R"({"ranks": [["a", 7]]})"), HasSubstr("/ranks/0/1: is 7; a text in quotes would be right"));
  EXPECT_THAT(message_for(R"({"ranks": [[""]]})"), HasSubstr(R"(/ranks/0/0: is ""; a text)"));
  for (const char* text : {"{", "[]", "{\"ranks\":\n[\n1]}"})
    EXPECT_EQ(message_for(text).find('\n'), std::string::npos);
}

TEST_F(TopologyFile, SaysThatItIsMissing) {
  try {
    read_topology("/nonexistent/topology.json");
    FAIL() << "accepted";
  } catch (const BadInput& error) {
    EXPECT_THAT(error.what(), StartsWith("/nonexistent/topology.json: cannot be read"));
  }
}

}  // namespace
}  // namespace isthmus
