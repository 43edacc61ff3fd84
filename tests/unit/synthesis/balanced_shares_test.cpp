#include "algorithms/synthesis/balanced_shares.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace isthmus {
namespace {

Packing packing_of_ways(const std::string& text) {
  Packing packing;
  packing.ways = parse_ways(text);
  return packing;
}

TEST(BalancedShares, MoveFromLateWaysToEarlyOnes) {
  const std::vector<double> end_s = {1.0, 0.6};
  // The mean end is 0.8 s: one is late by a fifth of the whole time, the other early by as much.
  const Packing packing = packing_of_ways("0.0.0:1/0.2.0:1");
  EXPECT_EQ(to_string(balanced(packing, Collective::broadcast, end_s, 1).ways), "0.0.0:4000/0.2.0:6000");
  EXPECT_EQ(to_string(balanced(packing, Collective::broadcast, end_s, 2).ways), "0.0.0:3000/0.2.0:7000");
  EXPECT_DOUBLE_EQ(least_balanced_s(packing, Collective::broadcast, end_s), 0.8);
}

TEST(BalancedShares, StayAmongWaysThatServeTheSame) {
  // Site 0 has two paths to site 1, site 1 one path to site 0, however late.
  const std::vector<double> end_s = {0.5, 0.3, 1.0};
  const Packing packing = packing_of_ways("0.1:1/0.2.1:1/1.0:1");
  EXPECT_EQ(to_string(balanced(packing, Collective::alltoall, end_s, 1).ways), "0.1:4500/0.2.1:5500/1.0:1");
  EXPECT_EQ(least_balanced_s(packing, Collective::alltoall, end_s), 0);
  EXPECT_TRUE(has_shares_to_choose(packing, Collective::alltoall));
  EXPECT_FALSE(has_shares_to_choose(packing_of_ways("0.1:1/1.0:1"), Collective::alltoall));
  // Trees of an allgather serve the site of their root, those in and out of an allreduce all the same.
  EXPECT_EQ(to_string(balanced(packing_of_ways("0.0:1/1.1:1"), Collective::allgather, {{0.2, 1.0}}, 1).ways),
            "0.0:1/1.1:1");
  EXPECT_EQ(to_string(balanced(packing_of_ways("0.0^0.0:1/1.1^1.1:1"), Collective::allreduce, {{0.6, 1.0}}, 1).ways),
            "0.0^0.0:6000/1.1^1.1:4000");
}

TEST(BalancedShares, LeaveSomethingToEveryWay) {
  const Packing packing = packing_of_ways("0.0.0:9999/0.2.0:1");
  const Packing other = balanced(packing, Collective::broadcast, {{0.1, 1.0}}, 100);
  EXPECT_EQ(to_string(other.ways), "0.0.0:10000/0.2.0:1");
}

}  // namespace
}  // namespace isthmus
