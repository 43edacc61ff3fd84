// Bounds between sites against all sets and all partitions, and against the optimum of a linear programme.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "algorithms/bounds/lower_bound.hpp"
#include "algorithms/bounds/relief.hpp"
#include "algorithms/tuning/select.hpp"
#include "algorithms/ways/arborescence.hpp"
#include "algorithms/ways/packing_programme.hpp"
#include "tests/support/meshes.hpp"
#include "tests/support/networks.hpp"

namespace isthmus {
namespace {

using tests::Mesh;

constexpr std::int64_t huge = std::int64_t{1} << 40;  // bytes, at which latency is nothing

PlacedNetwork placed(const Network& network) { return {network, place_ranks(network, PlacementRule::block, 1)}; }

double bound_s(const Network& network, Collective collective, std::int64_t bytes, int root = 0) {
  return lower_bound(placed(network), {.collective = collective, .count = bytes, .root = root});
}

/// One host a site, with links that are never the limit.
Network random_sites(int sites, unsigned seed) {
  std::mt19937 random(seed);
  return tests::random_mesh(std::vector<int>(sites, 1), random, 1e15).network;
}

double rate_Bps(const Network& network, int from, int to) {
  return network.links[network.trunks.at({from, to}).links[0]].bandwidth_Bps;
}

/// Over all sets of sites, one host each with wide links: the greatest of bytes that leave over the rates out of it.
template <typename Bytes>
double slowest_set_s(const Network& network, int sites, const Bytes& bytes) {
  double slowest_s = 0;
  for (unsigned set = 1; set + 1 < 1U << sites; ++set) {
    double out_Bps = 0;
    int inside = 0;
    for (int from = 0; from < sites; ++from) {
      if ((set >> from & 1U) == 0) continue;
      ++inside;
      for (int to = 0; to < sites; ++to)
        if ((set >> to & 1U) == 0) out_Bps += rate_Bps(network, from, to);
    }
    slowest_s = std::max(slowest_s, static_cast<double>(huge) * bytes(set, inside, sites - inside) / out_Bps);
  }
  return slowest_s;
}

TEST(BoundOfSites, IsTheSlowestOfAllSets) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    const int sites = 3 + static_cast<int>(seed % 5);
    const Network network = random_sites(sites, seed);
    const auto expect = [&](Collective collective, const auto& bytes) {
      const double seconds = bound_s(network, collective, huge);
      EXPECT_NEAR(seconds, slowest_set_s(network, sites, bytes), 1e-6 * seconds) << name(collective) << " " << seed;
    };
    expect(Collective::allgather, [](unsigned, int inside, int) { return inside; });
    expect(Collective::reduce_scatter_block, [](unsigned, int, int outside) { return outside; });
    expect(Collective::gather, [](unsigned set, int inside, int) { return (set & 1U) != 0 ? 0 : inside; });
    expect(Collective::scatter, [](unsigned set, int, int outside) { return (set & 1U) == 0 ? 0 : outside; });
    expect(Collective::broadcast, [](unsigned set, int, int) { return (set & 1U) == 0 ? 0 : 1; });
    expect(Collective::reduce, [](unsigned set, int, int) { return (set & 1U) != 0 ? 0 : 1; });
  }
}

TEST(BoundOfSites, OfManySitesIsOfSomeSetsOnly) {
  for (unsigned seed = 0; seed < 3; ++seed) {
    std::mt19937 random(seed);
    const int sites = 14;
    const Network network = tests::random_mesh(std::vector<int>(sites, 1), random, 1e15).network;
    const double best_s = slowest_set_s(network, sites, [](unsigned, int inside, int) { return inside; });
    const double seconds = bound_s(network, Collective::allgather, huge);
    EXPECT_LE(seconds, best_s * (1 + 1e-6));
    EXPECT_GE(seconds, best_s * 0.98);
  }
}

TEST(BoundOfSites, DoesNotDependOnTheGroupsOfTheFile) {
  Mesh mesh = tests::regions(3);
  const auto bounds = [&] {
    std::vector<double> seconds;
    for (const Collective collective : collectives())
      if (carries_data(collective))
        for (const std::int64_t bytes : {1, 1 << 16, 1 << 24})
          seconds.push_back(bound_s(mesh.network, collective, bytes));
    return seconds;
  };
  const std::vector<double> of_sites = bounds();
  for (Host& host : mesh.network.hosts)  // sites in regions
    host.zones = {{"region", host.endpoint < 2 ? "west" : "east"}, host.zones.front()};
  const std::vector<double> of_regions = bounds();
  for (Host& host : mesh.network.hosts) host.zones = {};
  const std::vector<double> of_none = bounds();
  for (std::size_t i = 0; i < of_sites.size(); ++i) {
    EXPECT_NEAR(of_sites[i], of_regions[i], 1e-9 * of_sites[i]);
    EXPECT_NEAR(of_sites[i], of_none[i], 1e-9 * of_sites[i]);
  }
}

TEST(BoundOfSites, RegionsThatNobodyNamesCount) {
  // Six hosts in each region, 4 MB/s between the regions each way.
  const Network network = tests::regions(3).network;
  const double bytes = static_cast<double>(1 << 24);
  EXPECT_NEAR(bound_s(network, Collective::allgather, 1 << 24), 6 * bytes / 4e6, 0.05);
  EXPECT_NEAR(bound_s(network, Collective::gather, 1 << 24), 6 * bytes / 4e6, 0.05);
  EXPECT_NEAR(bound_s(network, Collective::alltoall, 1 << 24), 36 * bytes / 4e6, 0.05);
}

/// The least of 2 (parts - 1) m over the rates between the parts, by all ways to join sites.
double slowest_partition_s(const Network& network, int sites) {
  double slowest_s = 0;
  std::vector<int> part(sites);
  const auto place = [&](const auto& self, int site, int parts) -> void {
    if (site < sites) {
      for (part[site] = 0; part[site] <= parts; ++part[site]) self(self, site + 1, std::max(parts, part[site] + 1));
      return;
    }
    double between_Bps = 0;
    for (int from = 0; from < sites; ++from)
      for (int to = 0; to < sites; ++to)
        if (part[from] != part[to]) between_Bps += rate_Bps(network, from, to);
    if (parts > 1) slowest_s = std::max(slowest_s, 2.0 * (parts - 1) * static_cast<double>(huge) / between_Bps);
  };
  place(place, 0, 0);
  return slowest_s;
}

/// The time of allreduce of one host a site with wide links, by trees in and out of one root: what can be reached.
double trees_in_and_out_s(const Network& network, int sites) {
  std::vector<double> capacity;
  std::map<std::pair<int, int>, int> row;
  for (int from = 0; from < sites; ++from)
    for (int to = 0; to < sites; ++to) {
      if (from == to) continue;
      row[{from, to}] = static_cast<int>(capacity.size());
      capacity.push_back(rate_Bps(network, from, to));
    }
  PackingProgramme programme(capacity, {static_cast<double>(huge)});
  const ProgrammeSolution solution = programme.solve([&](const ProgrammePrices& prices) {
    EdgeTable cost(sites);
    for (const auto& [ends, number] : row) cost.at(ends.first, ends.second) = prices.row[number];
    std::vector<ProgrammeColumn> columns;
    for (int root = 0; root < sites; ++root) {
      const Parents out = cheapest_arborescence(cost, root), in = cheapest_arborescence(cost.transposed(), root);
      std::map<int, double> loads;
      for (int site = 0; site < sites; ++site)
        if (site != root) {
          loads[row.at({out[site], site})] += 1;
          loads[row.at({site, in[site]})] += 1;
        }
      ProgrammeColumn& column = columns.emplace_back();
      for (const auto& [number, times] : loads) column.loads.push_back({number, times});
    }
    return columns;
  });
  EXPECT_TRUE(solution.finished);
  return 1 / solution.theta;
}

TEST(BoundOfSites, AllreduceIsBetweenTheSlowestPartitionOrCutAndWhatTreesReach) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    const int sites = 3 + static_cast<int>(seed % 4);
    const Network network = random_sites(sites, seed);
    const double cut_s = slowest_set_s(network, sites, [](unsigned, int, int) { return 1; });
    const double seconds = bound_s(network, Collective::allreduce, huge);
    EXPECT_GE(seconds, std::max(cut_s, slowest_partition_s(network, sites)) * (1 - 1e-6)) << seed;
    EXPECT_LE(seconds, trees_in_and_out_s(network, sites) * (1 + 1e-6)) << seed;
  }
}

TEST(BoundOfSites, AllreduceCountsWhatAllSitesCanSendTogether) {
  // 10 MB/s from each site to each, but 12 MB/s out of one: 4 m bytes cross 36 MB/s.
  Mesh mesh({1, 1, 1});
  mesh.join_all(10e6, 1e-3);
  for (int from = 0; from < 3; ++from) {
    const int exit = mesh.add_link("exit" + std::to_string(from), 12e6, 1e-3);
    for (int to = 0; to < 3; ++to)
      if (from != to) {
        std::vector<int>& links = mesh.network.trunks[{from, to}].links;
        links.insert(links.begin(), exit);
      }
  }
  const double bytes = 1 << 30, seconds = bound_s(mesh.network, Collective::allreduce, 1 << 30);
  EXPECT_NEAR(seconds, 4 * bytes / 36e6, 0.002 * seconds);
}

/// The time of alltoall of one host a site with wide links, by the concurrent flow: what can be reached.
double concurrent_flow_s(const Network& network, int sites) {
  std::vector<double> capacity;
  std::map<std::pair<int, int>, int> row;
  std::vector<std::pair<int, int>> pairs;
  for (int from = 0; from < sites; ++from)
    for (int to = 0; to < sites; ++to) {
      if (from == to) continue;
      row[{from, to}] = static_cast<int>(capacity.size());
      capacity.push_back(rate_Bps(network, from, to));
      pairs.emplace_back(from, to);
    }
  PackingProgramme programme(capacity, std::vector<double>(pairs.size(), static_cast<double>(huge)));
  const ProgrammeSolution solution = programme.solve([&](const ProgrammePrices& prices) {
    EdgeTable cost(sites);
    for (const auto& [ends, number] : row) cost.at(ends.first, ends.second) = prices.row[number];
    std::vector<ProgrammeColumn> columns;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const ShortestPaths paths = shortest_paths(cost, pairs[i].first);
      ProgrammeColumn& column = columns.emplace_back();
      column.commodity = static_cast<int>(i);
      for (int to = pairs[i].second; to != pairs[i].first; to = paths.parent[to])
        column.loads.push_back({row.at({paths.parent[to], to}), 1});
    }
    return columns;
  });
  EXPECT_TRUE(solution.finished);
  return 1 / solution.theta;
}

TEST(BoundOfSites, AlltoallIsTheConcurrentFlow) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    const int sites = 3 + static_cast<int>(seed % 4);
    const Network network = random_sites(sites, seed);
    const double reached_s = concurrent_flow_s(network, sites), seconds = bound_s(network, Collective::alltoall, huge);
    EXPECT_LE(seconds, reached_s * (1 + 1e-6)) << seed;
    EXPECT_GE(seconds, reached_s * 0.998) << seed;
  }
}

TEST(BoundOfSites, AnExitThatRoutesShareCounts) {
  // 10 MB/s to each of two others, but 12 MB/s out of the first site.
  Mesh mesh({1, 1, 1});
  mesh.join_all(10e6, 1e-3);
  const int exit = mesh.add_link("exit", 12e6, 1e-3);
  for (int to : {1, 2}) {
    std::vector<int>& links = mesh.network.trunks[{0, to}].links;
    links.insert(links.begin(), exit);
  }
  EXPECT_NEAR(bound_s(mesh.network, Collective::alltoall, 1 << 30), 2.0 * (1 << 30) / 12e6, 0.01);
  const Problem problem{.collective = Collective::scatter, .count = 1 << 30};
  const LowerBound bound = find_lower_bound(placed(mesh.network), problem);
  EXPECT_EQ(bound.kind, BoundKind::cut);
  ASSERT_EQ(bound.links.size(), 1U);
  EXPECT_EQ(bound.links[0].links, std::vector<int>{exit});
  EXPECT_NEAR(bound.links[0].bytes, 2.0 * (1 << 30), 1);
  const std::vector<Relief> reliefs = find_reliefs(placed(mesh.network), problem, bound);
  ASSERT_EQ(reliefs.size(), 1U);
  EXPECT_NEAR(reliefs[0].more_Bps, 12e6, 1);
  EXPECT_NEAR(reliefs[0].seconds / bound.seconds, 12.0 / 20, 1e-3);  // then the two links behind it
}

TEST(BoundOfSites, AllThatFarSitesHaveForOneCounts) {
  // The four hosts of the first site have 32,000 B for the third: at 1 MB/s over 10 ms, or over 30 and 20 ms by the
  // second, which is too late to help. From the first two together 40,000 B would come earlier over both links.
  constexpr double slow_Bps = 1e6, fast_Bps = 100e6, hosts_s = 2 * 10e-6;
  constexpr std::int64_t block_bytes = 8000;
  for (const bool turned : {false, true}) {
    Mesh mesh({4, 1, 1});
    const auto join = [&](int from, int to, double there_Bps, double latency_s) {
      mesh.join(from, to, turned ? fast_Bps : there_Bps, latency_s);
      mesh.join(to, from, turned ? there_Bps : fast_Bps, latency_s);
    };
    join(0, 1, fast_Bps, 30e-3);
    join(0, 2, slow_Bps, 10e-3);
    join(1, 2, slow_Bps, 20e-3);
    const double seconds =
        bound_s(mesh.network, turned ? Collective::reduce_scatter_block : Collective::allgather, block_bytes);
    EXPECT_NEAR(seconds, 10e-3 + hosts_s + 4 * block_bytes / slow_Bps, 1e-9) << turned;
  }
}

TEST(BoundOfSites, AHostsOwnLinkCountsBesideTheLatencyOfFarSites) {
  // Each host of the first site has operands of 3 blocks for far sites on its link of 1 MB/s, however they are combined
  // inside: the quickest flow takes neighbours as relays, whose links do not prove it; the host's link alone does.
  constexpr std::int64_t block_bytes = 10'000;
  Mesh mesh({4, 1, 1, 1}, 1e6);
  for (int from = 0; from < 4; ++from)
    for (int to = 0; to < 4; ++to)
      if (from != to) mesh.join(from, to, 4e6, from == 0 || to == 0 ? 50e-3 : 2e-3);
  for (const Collective collective : {Collective::reduce_scatter_block, Collective::allgather})
    EXPECT_GE(bound_s(mesh.network, collective, block_bytes), 50e-3 + 3 * block_bytes / 1e6) << name(collective);
}

TEST(BoundOfSites, DoesNotCountAcknowledgementsWhichCanComeLast) {
  // What acknowledges the block that takes the wide line would be 2 % of the block on the narrow one. But links serve
  // frames in order of arrival, and that block is there first.
  Mesh mesh({1, 1});
  mesh.network.transport = tcp_over_ethernet();
  mesh.join(0, 1, 20e6, 10e-3);
  mesh.join(1, 0, 1e6, 10e-3);
  const PlacedNetwork network = placed(mesh.network);
  const Problem problem{.collective = Collective::alltoall, .count = 1'000'000};
  EXPECT_NEAR(choose(network, problem).seconds, lower_bound(network, problem), 2e-3);
  EXPECT_GT(mesh.network.transport.acknowledgement_bytes / mesh.network.transport.frame_bytes, 0.02);
}

TEST(BoundOfSites, NoChoiceIsQuicker) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    std::mt19937 random(seed);
    const std::vector<int> hosts(3 + seed % 3, 1 + static_cast<int>(seed % 4));
    const PlacedNetwork network = placed(tests::random_mesh(hosts, random, seed % 2 == 0 ? 5e6 : 125e6).network);
    for (const Collective collective : {Collective::allreduce, Collective::allgather, Collective::reduce_scatter_block,
                                        Collective::gather, Collective::scatter, Collective::alltoall})
      for (const std::int64_t count : {1, 100, 3000, 100'000}) {
        const Problem problem{.collective = collective, .count = count, .element_bytes = 8};
        EXPECT_LE(lower_bound(network, problem), choose(network, problem, 1 << 16).seconds * (1 + 1e-9))
            << name(collective) << " of " << count << ", seed " << seed;
      }
  }
}

TEST(Relief, NothingHelpsWhereLatencyBinds) {
  const PlacedNetwork network = placed(tests::das(4, 4));
  for (const Problem& problem : {Problem{.collective = Collective::barrier}, Problem{.count = 1}}) {
    const LowerBound bound = find_lower_bound(network, problem);
    EXPECT_TRUE(find_reliefs(network, problem, bound).empty()) << name(problem.collective);
  }
}

}  // namespace
}  // namespace isthmus
