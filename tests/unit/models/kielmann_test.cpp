#include "algorithms/models/kielmann.hpp"

#include <gtest/gtest.h>

#include "algorithms/topology/tree.hpp"
#include "tests/support/networks.hpp"

namespace isthmus {
namespace {

using tests::das;

TwoLayers layers_of(const Network& network) {
  return two_layers_of({network, place_ranks(network, PlacementRule::block, 1)});
}

TEST(Kielmann, TheFlatTreeIsTheGeneralTreeOfHeightOne) {
  const PLogP lan = plogp_of(das(1, 16), 0, 1);
  for (int size : {2, 3, 16}) {
    for (double bytes : {1.0, 1024.0, 1e6}) {
      const TreeCost flat = flat_tree_cost(lan, size, bytes), general = tree_cost(lan, size - 1, 1, bytes);
      EXPECT_DOUBLE_EQ(flat.latency_s, general.latency_s);
      EXPECT_LE(flat.gap_s, general.gap_s);
    }
  }
}

TEST(Kielmann, ATreeByHand) {
  // L = 1 ms, g(1000) = 1 ms, or = 0: a binary tree of height 2 passes a segment on every 2 ms.
  const PLogP layer = plogp_of(tests::star(7, 1e-3, 1e6), 0, 1);
  const TreeCost cost = tree_cost_of_size(layer, 7, 2, 1000);
  EXPECT_NEAR(cost.gap_s, 2e-3, 1e-12);
  EXPECT_NEAR(cost.latency_s, 2 * (1e-3 + 2e-3), 1e-12);
  EXPECT_NEAR(cost.seconds(10), 9 * 2e-3 + 6e-3, 1e-12);
}

TEST(Kielmann, OneMemberCostsNothing) {
  const PLogP layer = plogp_of(tests::star(2, 1e-3, 1e6), 0, 1);
  EXPECT_EQ(flat_tree_cost(layer, 1, 1000).seconds(5), 0);
  EXPECT_EQ(tree_cost_of_size(layer, 1, 3, 1000).seconds(5), 0);
}

// 4 MB over 1 MB/s three times, one after the other, as the paper measured: 12723.4 ms on 4 x 1, 13270.4 ms on 4 x 16.
TEST(Kielmann, TheOriginalMagPIeTakesWhatThePaperMeasured) {
  const std::int64_t bytes = 4194304, buffered = 65536;
  EXPECT_NEAR(magpie_seconds(layers_of(das(4, 1)), bytes, buffered), 12.7234, 0.03 * 12.7234);
  EXPECT_NEAR(magpie_seconds(layers_of(das(4, 16)), bytes, buffered), 13.2704, 0.03 * 13.2704);
}

TEST(Kielmann, BlockingSendsWaitForTheirAcknowledgement) {
  const TwoLayers layers = layers_of(das(3, 4));
  const double r_w = layers.wan.receive_time_s(100000), r_l = layers.lan.receive_time_s(100000);
  EXPECT_NEAR(magpie_seconds(layers, 100000, 65536),
              2 * (r_w + layers.wan.latency_s) + 2 * (r_l + layers.lan.latency_s), 1e-12);
  EXPECT_NEAR(magpie_seconds(layers, 100000, 100000), layers.lan.gap(100000) + r_w + 2 * r_l, 1e-12);
}

TEST(Kielmann, PipeliningHidesTheLan) {
  const TwoLayers one = layers_of(das(4, 1)), many = layers_of(das(4, 16));
  const double alone = pipelined_seconds(one, 4194304, 32768, 3, 1);
  const double with_lan = pipelined_seconds(many, 4194304, 32768, 3, 3);
  EXPECT_LT(with_lan, 1.01 * alone);
  EXPECT_GT(with_lan, alone);
  // Every wide-area link carries the message once.
  EXPECT_NEAR(alone, 4194304e-6 + 128 * 100e-6 + 10e-3, 0.01);
}

TEST(Kielmann, SequentialCompositionAddsBothLayers) {
  const TwoLayers layers = layers_of(das(4, 16));
  const double sequential = sequential_seconds(layers, 1 << 20, {32768, 3}, {8192, 2});
  const double s_w = layers.lan.gap(32768), g_w = layers.wan.gap(32768);
  const double g_l = layers.lan.gap(8192), r_l = layers.lan.receive_time_s(8192);
  EXPECT_NEAR(sequential, 31 * g_w + 2 * s_w + layers.wan.latency_s + g_w + 127 * 2 * g_l + 4 * (g_l + r_l), 1e-9);
  EXPECT_LT(pipelined_seconds(layers, 1 << 20, 32768, 3, 2),
            sequential_seconds(layers, 1 << 20, {32768, 3}, {32768, 2}));
}

TEST(Kielmann, NothingToSendTakesNoTime) {
  const TwoLayers layers = layers_of(das(4, 16)), alone = layers_of(tests::star(1, 1e-3, 1e6));
  EXPECT_EQ(pipelined_seconds(layers, 0, 0, 3, 3), 0);
  EXPECT_EQ(magpie_seconds(layers, 0, 65536), 0);
  EXPECT_EQ(sequential_seconds(layers, 0, {}, {}), 0);
  EXPECT_EQ(pipelined_seconds(alone, 1000, 10, 1, 1), 0);
  EXPECT_EQ(magpie_seconds(alone, 1000, 65536), 0);
}

}  // namespace
}  // namespace isthmus
