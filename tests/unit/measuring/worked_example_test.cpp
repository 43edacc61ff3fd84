// The worked example of ECO: figure 1 and table 1 of Lowekamp 1995, completion times of a broadcast along a minimal
// spanning tree and along binary trees.
//
// The figure's costs are not in the text. These are ones that give all four times of the table when a host sends to its
// children one after the other, in the best order. No costs with three equal subnets do.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "algorithms/measuring/eco_subnets.hpp"
#include "algorithms/topology/tree.hpp"

namespace isthmus {
namespace {

constexpr int a = 0, b = 1, c = 2, d = 3, e = 4, f = 5, all_hosts = 6;

double cost(int from, int to) {
  static const std::map<std::pair<int, int>, double> between_subnets{{{0, 1}, 5.5}, {{0, 2}, 2.5}, {{1, 2}, 2}};
  constexpr double inside[] = {1, 1, 1.5};
  const auto [one, other] = std::minmax({from / 2, to / 2});
  return one == other ? inside[one] : between_subnets.at({one, other});
}

using Children = std::map<int, std::vector<int>>;

/// When all below a host have the message that it has at `start`, its sends in the best order.
double completion(const Children& children, int host, double start) {
  const auto own = children.find(host);
  if (own == children.end()) return start;
  std::vector<int> order = own->second;
  std::ranges::sort(order);
  double best = -1;
  do {
    double sent = start, last = start;
    for (const int child : order) {
      sent += cost(host, child);
      last = std::max(last, completion(children, child, sent));
    }
    best = best < 0 ? last : std::min(best, last);
  } while (std::ranges::next_permutation(order).found);
  return best;
}

/// The binary tree over the hosts in the order of the alphabet, from the root on and round.
double binary_from(int root) {
  Children children;
  for (int self = 0; self < all_hosts; ++self)
    for (const int child : k_ary_tree(all_hosts, self, 2).children)
      children[(root + self) % all_hosts].push_back((root + child) % all_hosts);
  return completion(children, root, 0);
}

TEST(WorkedExampleOfEco, GivesTheTimesOfTable1) {
  // The edges of the minimal spanning tree: a-b, c-d, e-f, a-e, c-f.
  const Children from_a{{a, {b, e}}, {e, {f}}, {f, {c}}, {c, {d}}};
  const Children from_d{{d, {c}}, {c, {f}}, {f, {e}}, {e, {a}}, {a, {b}}};
  EXPECT_EQ(completion(from_a, a, 0), 7);
  EXPECT_EQ(binary_from(a), 9);
  EXPECT_EQ(completion(from_d, d, 0), 8);
  EXPECT_EQ(binary_from(d), 7);
}

TEST(WorkedExampleOfEco, IsPartitionedIntoItsThreeSubnets) {
  EXPECT_EQ(eco_subnets(all_hosts, cost), (std::vector<std::vector<int>>{{a, b}, {c, d}, {e, f}}));
}

}  // namespace
}  // namespace isthmus
