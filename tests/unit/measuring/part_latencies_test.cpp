// Latencies of hosts, ways out and lines, from exact and from uncertain routes.
#include "algorithms/measuring/part_latencies.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace isthmus {
namespace {

/// Two sites of two machines of three hosts each: parts 12 to 15 are the machines, 16 and 17 the sites.
const Partition kSites{12,
                       {{},
                        {},
                        {},
                        {},
                        {},
                        {},
                        {},
                        {},
                        {},
                        {},
                        {},
                        {},
                        {0, 1, 2},
                        {3, 4, 5},
                        {6, 7, 8},
                        {9, 10, 11},
                        {12, 13},
                        {14, 15},
                        {16, 17}}};
const std::map<int, bool> kStars{{12, true}, {13, true}, {14, true}, {15, true}};
constexpr double kHost = 20e-6, kInside = 150e-6, kLine = 5e-3;

int machine_of(int host) { return host / 3; }

/// Machines are left after `exits_s`; `more_s` has what the route between two hosts takes longer.
template <class More>
std::vector<MeasuredLatency> routes_with(const std::vector<double>& exits_s, const More& more_s) {
  std::vector<MeasuredLatency> routes;
  for (int one = 0; one < 12; ++one)
    for (int other = one + 1; other < 12; ++other) {
      const int a = machine_of(one), b = machine_of(other);
      double latency_s = 2 * kHost + more_s(one, other);
      if (a / 2 != b / 2)
        latency_s += exits_s[a] + kLine + exits_s[b];
      else if (a != b)
        latency_s += kInside;
      routes.push_back({one, other, latency_s, latency_s});
    }
  return routes;
}

TEST(PartLatencies, TellTheWaysOutOfEachMachineOfASite) {
  const PartLatencies found =
      part_latencies(kSites, kStars, routes_with({0, 40e-6, 70e-6, 0}, [](int, int) { return 0.0; }));
  for (const double of_host_s : found.of_host) EXPECT_NEAR(of_host_s, kHost, 1e-10);
  EXPECT_EQ(found.of_exit[12], 0);
  EXPECT_NEAR(found.of_exit[13], 40e-6, 1e-10);
  EXPECT_NEAR(found.of_exit[14], 70e-6, 1e-10);
  EXPECT_EQ(found.of_exit[15], 0);
  EXPECT_NEAR(found.line.at({16, 17}), kLine, 1e-10);
  EXPECT_NEAR(found.line.at({12, 13}), kInside, 1e-10);
}

TEST(PartLatencies, WhatHostsOutsideSeeDifferentlyIsNoWayOut) {
  // From each host to each other one a little more or less.
  const PartLatencies found =
      part_latencies(kSites, kStars, routes_with({0, 0, 0, 0}, [](int one, int other) {
                       return machine_of(one) == machine_of(other) ? 0.0 : 3e-6 * std::sin(7.0 * one + 13.0 * other);
                     }));
  for (const double exit_s : found.of_exit) EXPECT_EQ(exit_s, 0);
  EXPECT_NEAR(found.line.at({16, 17}), kLine, 3e-6);
}

}  // namespace
}  // namespace isthmus
