// Packings of random networks: rates against minimum cuts, ways that exist, sane forecasts, bad input.
#include "algorithms/synthesis/synthesis.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <string>

#include "algorithms/errors.hpp"
#include "algorithms/synthesis/site_rows.hpp"
#include "tests/support/meshes.hpp"
#include "tests/support/networks.hpp"
#include "tests/support/random_meshes.hpp"

namespace isthmus {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr Collective kAll[] = {Collective::broadcast,
                               Collective::reduce,
                               Collective::allreduce,
                               Collective::allgather,
                               Collective::reduce_scatter_block,
                               Collective::scatter,
                               Collective::gather,
                               Collective::alltoall};

SiteNetwork sites_of(const Network& network) {
  return SiteNetwork({network, place_ranks(network, PlacementRule::block, 1)});
}

/// Hosts so fast that they do not bind; nothing but the links between sites counts.
Network bare(tests::RandomMesh mesh) {
  for (int& lan : mesh.lan_MBps) lan = 100'000;
  Network network = tests::network_of(mesh);
  network.transport = {};
  return network;
}

/// A random strongly connected mesh with missing links and sites of 1 to 3 hosts.
tests::RandomMesh random_mesh(unsigned seed, int k) {
  std::mt19937 random(seed);
  tests::RandomMesh mesh;
  for (int i = 0; i < k; ++i) {
    mesh.sizes.push_back(1 + static_cast<int>(random() % 3));
    mesh.lan_MBps.push_back(100);
    mesh.rate.emplace_back(k);
    mesh.latency.emplace_back(k);
    for (int j = 0; j < k; ++j) {
      const bool exists = random() % 3 != 0 || (i + 1) % k == j;
      mesh.rate[i][j] = exists && i != j ? 1 + static_cast<int>(random() % 20) : 0;
      mesh.latency[i][j] = 10 + static_cast<int>(random() % 300);
    }
  }
  return mesh;
}

/// The least capacity from a set of sites that `leaves` to its complement, over weight(set), over all sets.
template <typename Weight>
double least_cut(const tests::RandomMesh& mesh, const Weight& weight) {
  const int k = static_cast<int>(mesh.sizes.size());
  double least = kUnbounded;
  for (int set = 1; set < (1 << k) - 1; ++set) {
    const double demand = weight(set);
    if (demand == 0) continue;
    double cut = 0;
    for (int u = 0; u < k; ++u)
      for (int v = 0; v < k; ++v)
        if ((set >> u & 1) != 0 && (set >> v & 1) == 0) cut += 5e5 * mesh.rate[u][v];
    least = std::min(least, cut / demand);
  }
  return least;
}

/// What crosses between the parts over 2 (parts - 1), as often as a tree in and a tree out cross at least: the least of
/// all divisions of the sites. `part` numbers those of the first sites.
double least_division(const tests::RandomMesh& mesh, std::vector<int> part = {}, int parts = 0) {
  const auto k = static_cast<int>(mesh.sizes.size());
  double least = kUnbounded;
  if (static_cast<int>(part.size()) < k) {
    part.push_back(0);
    for (int of_next = 0; of_next <= parts; ++of_next) {
      part.back() = of_next;
      least = std::min(least, least_division(mesh, part, std::max(parts, of_next + 1)));
    }
    return least;
  }
  if (parts < 2) return least;
  double crossing = 0;
  for (int u = 0; u < k; ++u)
    for (int v = 0; v < k; ++v)
      if (part[u] != part[v]) crossing += 5e5 * mesh.rate[u][v];
  return crossing / (2 * (parts - 1));
}

int ranks_in(const tests::RandomMesh& mesh, int set) {
  int ranks = 0;
  for (std::size_t s = 0; s < mesh.sizes.size(); ++s) ranks += (set >> s & 1) != 0 ? mesh.sizes[s] : 0;
  return ranks;
}

class RatesOnRandomMeshes : public ::testing::TestWithParam<int> {};

TEST_P(RatesOnRandomMeshes, AreThoseOfTheLeastCuts) {
  const int seed = GetParam();
  const tests::RandomMesh mesh =
      seed <= 10 ? tests::random_meshes()[seed - 1] : random_mesh(static_cast<unsigned>(seed), 2 + seed % 5);
  const SiteNetwork sites = sites_of(bare(mesh));
  const int all = (1 << sites.size()) - 1;
  const auto rate = [&](Collective collective) {
    return synthesise(sites, {.collective = collective, .count = 1 << 20}, 1 << 16).rate_per_s * (1 << 20);
  };
  const auto from_root = [](int set) { return set & 1; };
  const auto to_root = [](int set) { return (set & 1) == 0 ? 1 : 0; };
  EXPECT_NEAR(rate(Collective::broadcast) / least_cut(mesh, from_root), 1, 1e-6);
  EXPECT_NEAR(rate(Collective::reduce) / least_cut(mesh, to_root), 1, 1e-6);
  const auto inside = [&](int set) { return ranks_in(mesh, set); };
  const auto outside = [&](int set) { return ranks_in(mesh, all ^ set); };
  EXPECT_NEAR(rate(Collective::allgather) / least_cut(mesh, inside), 1, 1e-6);
  EXPECT_NEAR(rate(Collective::reduce_scatter_block) / least_cut(mesh, outside), 1, 1e-6);
  EXPECT_NEAR(rate(Collective::scatter) / least_cut(mesh, [&](int set) { return from_root(set) * outside(set); }), 1,
              1e-6);
  EXPECT_NEAR(rate(Collective::gather) / least_cut(mesh, [&](int set) { return to_root(set) * inside(set); }), 1, 1e-6);
  // Cuts are no more than a bound for flows of many pairs, and for sums that have to come back.
  const double pairs = least_cut(mesh, [&](int set) { return inside(set) * outside(set); });
  EXPECT_LE(rate(Collective::alltoall), pairs * (1 + 1e-6));
  EXPECT_GE(rate(Collective::alltoall), 0.6 * pairs);
  // An allreduce's trees in and out cross every cut both ways, and every division into parts.
  const double sums = std::min(least_cut(mesh, [](int) { return 1; }), least_division(mesh));
  EXPECT_NEAR(rate(Collective::allreduce) / sums, 1, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RatesOnRandomMeshes, ::testing::Range(1, 31));

TEST(Synthesis, AllreducesOfManySitesAreWithinOnePercentOfTheirBounds) {
  for (const unsigned seed : {1U, 2U}) {
    const tests::RandomMesh mesh = random_mesh(seed, 10);
    const Synthesis made =
        synthesise(sites_of(bare(mesh)), {.collective = Collective::allreduce, .count = 1 << 20}, 1 << 16);
    const double bound = std::min(least_cut(mesh, [](int) { return 1; }), least_division(mesh));
    EXPECT_TRUE(made.finished);
    EXPECT_LE(made.rate_per_s * (1 << 20), bound * (1 + 1e-6));
    EXPECT_GE(made.rate_per_s * (1 << 20), bound * 0.99);
    EXPECT_GE(made.seconds, 1 / made.rate_per_s);
  }
}

/// Edges of a way, from sender to receiver.
std::vector<std::pair<int, int>> edges_of(const Way& way, Collective collective) {
  std::vector<std::pair<int, int>> edges;
  const auto add_tree = [&](const std::vector<int>& tree, bool out) {
    for (int v = 0; v < static_cast<int>(tree.size()); ++v)
      if (tree[v] != v) edges.push_back(out ? std::pair(tree[v], v) : std::pair(v, tree[v]));
  };
  switch (collective) {
    case Collective::scatter:
    case Collective::gather:
    case Collective::alltoall:
      for (std::size_t i = 1; i < way.sites.size(); ++i) edges.push_back({way.sites[i - 1], way.sites[i]});
      break;
    case Collective::broadcast:
    case Collective::allgather:
      add_tree(way.sites, true);
      break;
    default:
      add_tree(way.sites, false);
      add_tree(way.back, true);
  }
  return edges;
}

TEST(Synthesis, UsesLinksThatExistAndSharesAreWholeNumbers) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const SiteNetwork sites = sites_of(tests::network_of(random_mesh(seed, 5)));
    for (const Collective collective : kAll) {
      const Synthesis synthesis = synthesise_with_piece(sites, {.collective = collective, .count = 1 << 20});
      ASSERT_FALSE(synthesis.packing.empty());
      EXPECT_TRUE(synthesis.finished);
      std::map<std::pair<int, int>, std::pair<int, std::int64_t>> of_ends;
      for (const Way& way : synthesis.packing.ways) {
        for (const auto& [from, to] : edges_of(way, collective)) EXPECT_TRUE(sites.edge(from, to).exists);
        EXPECT_GE(way.share, 1);
        std::pair<int, int> ends(0, 0);
        if (way.sites.size() != 5U || edges_of(way, Collective::scatter) == edges_of(way, collective)) {
          ends = {way.sites.front(), way.sites.back()};
        } else if (collective != Collective::allreduce) {
          for (int v = 0; v < 5; ++v)
            if (way.sites[v] == v) ends = {v, v};
        }
        auto& [number, sum] = of_ends[ends];
        ++number;
        sum += way.share;
      }
      for (const auto& [ends, ways] : of_ends)
        EXPECT_TRUE(ways.second == (ways.first == 1 ? 1 : 10'000)) << ways.second;
      EXPECT_TRUE(synthesis.packing.drivers.empty() || synthesis.packing.drivers.size() == 5U);
      EXPECT_GE(synthesis.packing.lag, 0);
      EXPECT_LE(synthesis.packing.lag, 1000);
    }
  }
}

TEST(Synthesis, ForecastLiesBetweenItsTwoParts) {
  for (const tests::RandomMesh& mesh : tests::random_meshes()) {
    const SiteNetwork sites = sites_of(tests::network_of(mesh));
    for (const Collective collective : kAll) {
      double before = 0;
      for (const std::int64_t bytes : {8LL, 1LL << 16, 1LL << 20, 1LL << 24}) {
        const Synthesis synthesis = synthesise_with_piece(sites, {.collective = collective, .count = bytes});
        EXPECT_GE(synthesis.seconds, 1 / synthesis.rate_per_s);
        EXPECT_GE(synthesis.seconds, before);
        EXPECT_LE(synthesis.piece_bytes, bytes);
        before = synthesis.seconds;
        EXPECT_LE(synthesis.seconds, 0.1 + (bytes == 1 << 24 ? 1.3 : 4) / synthesis.rate_per_s);
      }
    }
  }
}

TEST(Synthesis, IsTheSameEveryTime) {
  const SiteNetwork sites = sites_of(tests::network_of(tests::random_meshes()[9]));
  for (const Collective collective : kAll) {
    const Problem problem{.collective = collective, .count = 1 << 20};
    const Synthesis one = synthesise_with_piece(sites, problem), two = synthesise_with_piece(sites, problem);
    EXPECT_EQ(one.packing, two.packing);
    EXPECT_EQ(one.seconds, two.seconds);
    EXPECT_EQ(one.piece_bytes, two.piece_bytes);
  }
}

TEST(Synthesis, NoForecastOfAnExchangeIsBelowItsLeastTime) {
  std::mt19937 random(5);
  for (const std::vector<int>& hosts : {std::vector<int>{1, 3, 2, 1, 2}, {4, 4, 4}, {1, 1, 1, 1}}) {
    const SiteNetwork network = sites_of(tests::random_mesh(hosts, random).network);
    for (const std::int64_t bytes : {8, 1 << 12, 1 << 16, 1 << 20}) {
      const Problem problem{.collective = Collective::allreduce, .count = bytes};
      const double least_s = least_exchange_s(network, problem, kUnbounded);
      EXPECT_GT(least_s, 0) << bytes;
      EXPECT_LE(least_exchange_s(network, problem, 0), least_s) << bytes;
      EXPECT_LE(least_s, synthesise_exchange(network, problem).seconds * (1 + 1e-9)) << bytes;
    }
  }
}

TEST(Synthesis, SeveralPackingsBeginWithTheOneAndNoneIsThereTwice) {
  std::mt19937 random(3);
  const SiteNetwork network = sites_of(tests::random_mesh({1, 3, 2, 1, 2}, random).network);
  for (const Collective collective : kAll) {
    const Problem problem{.collective = collective, .count = 1 << 17};
    const std::vector<Synthesis> several = synthesise_several(network, problem);
    ASSERT_FALSE(several.empty());
    EXPECT_EQ(several.front().packing, synthesise_with_piece(network, problem).packing) << name(collective);
    for (std::size_t i = 0; i < several.size(); ++i) {
      EXPECT_EQ(several[i].piece_bytes, several.front().piece_bytes);
      for (std::size_t j = 0; j < i; ++j) EXPECT_NE(several[i].packing, several[j].packing) << name(collective);
    }
  }
}

TEST(Synthesis, ForecastDoesNotDependOnTheLastDigits) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    std::mt19937 random(seed);
    const Network network = tests::random_mesh({1, 3, 2, 1, 2}, random).network;
    Network other = network;
    for (Link& link : other.links) link.bandwidth_Bps *= random() % 2 == 0 ? 1 + 1e-7 : 1 - 1e-7;
    for (const Collective collective : kAll) {
      const Problem problem{.collective = collective, .count = 1 << 15};
      const double seconds = synthesise(sites_of(network), problem, 1 << 13).seconds;
      EXPECT_NEAR(synthesise(sites_of(other), problem, 1 << 13).seconds, seconds, 0.002 * seconds) << name(collective);
    }
  }
}

TEST(Synthesis, DoesNotDependOnLinksThatNothingFills) {
  // The uplinks of sites, which a discovered network lacks.
  for (unsigned seed = 0; seed < 10; ++seed) {
    std::mt19937 random(seed);
    const tests::Mesh plain = tests::random_mesh({1, 3, 2, 1, 2}, random, 1250e6);
    tests::Mesh with_uplinks = plain;
    for (int site = 0; site < 5; site += 2) {
      const int out = with_uplinks.add_link("out", 1250e6, 0), in = with_uplinks.add_link("in", 1250e6, 0);
      for (auto& [ends, trunk] : with_uplinks.network.trunks) {
        if (ends.first == ends.second) continue;
        if (ends.first == site) trunk.links.insert(trunk.links.begin(), out);
        if (ends.second == site) trunk.links.push_back(in);
      }
    }
    for (const Collective collective : kAll) {
      const Problem problem{.collective = collective, .count = 1 << 15};
      const Synthesis one = synthesise(sites_of(plain.network), problem, 1 << 13);
      const Synthesis other = synthesise(sites_of(with_uplinks.network), problem, 1 << 13);
      EXPECT_EQ(one.packing, other.packing) << name(collective) << ", seed " << seed;
    }
  }
}

TEST(Synthesis, DoesNotDependOnTheLastDigitsOfLatenciesOrOnAWideLinkOfASiteOfOneHost) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    std::mt19937 random(seed);
    const tests::Mesh plain = tests::random_mesh({1, 3, 2, 1, 2}, random, 1250e6);
    tests::Mesh other = plain;
    for (Link& link : other.network.links) link.latency_s = std::nextafter(link.latency_s, 0);
    // The host of the first site without links of its own: its lines have their latency.
    other.network.hosts[0].up = other.network.hosts[0].down = {};
    for (auto& [ends, trunk] : other.network.trunks)
      if (ends.first != ends.second && (ends.first == 0 || ends.second == 0))
        other.network.links[trunk.links.front()].latency_s += 10e-6;
    for (const Collective collective : kAll) {
      const Problem problem{.collective = collective, .count = 1 << 15};
      const Synthesis one = synthesise(sites_of(plain.network), problem, 1 << 13);
      EXPECT_EQ(one.packing, synthesise(sites_of(other.network), problem, 1 << 13).packing)
          << name(collective) << ", seed " << seed;
    }
  }
}

TEST(Synthesis, ASiteWhoseFirstMemberHasASlowLinkIsEnteredBySeveral) {
  // On average the hosts could take in what the others send, but the first one could not.
  tests::Mesh mesh({4, 1, 1}, 1250e6);
  mesh.join_all(40e6, 20e-3);
  for (const int host : {0, 1})
    for (const LinkList* own : {&mesh.network.hosts[host].up, &mesh.network.hosts[host].down})
      for (const int link : *own) mesh.network.links[link].bandwidth_Bps = 25e6;
  const Problem problem{.collective = Collective::broadcast, .count = 1 << 24, .root = 4};
  const std::vector<int> drivers = synthesise(sites_of(mesh.network), problem, 1 << 16).packing.drivers;
  ASSERT_EQ(drivers.size(), 3U);
  EXPECT_GT(drivers[0], 1);
}

TEST(Synthesis, FewBytesBetweenManySitesOfFastHostsHaveAPacking) {
  // The simplex went round and round on such programmes.
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    std::vector<int> hosts(8);
    for (int& of_site : hosts) of_site = 1 + static_cast<int>(random() % 5);
    const SiteNetwork network = sites_of(tests::random_mesh(hosts, random, 1.25e9).network);
    const Synthesis made = synthesise_with_piece(network, {.collective = Collective::alltoall, .count = 1024});
    EXPECT_TRUE(made.finished) << seed;
    EXPECT_FALSE(made.packing.empty()) << seed;
  }
}

TEST(Synthesis, TakesTheQuickestTreeForFewBytesAndSeveralForMany) {
  const SiteNetwork sites = sites_of(tests::network_of(tests::random_meshes()[0]));
  EXPECT_EQ(synthesise_with_piece(sites, {.count = 8}).packing.ways.size(), 1U);
  EXPECT_GT(synthesise_with_piece(sites, {.count = 1 << 24}).packing.ways.size(), 2U);
}

TEST(Synthesis, ExchangesFewBytesInTheLongestOfTheShortestPaths) {
  for (const tests::RandomMesh& mesh : tests::random_meshes()) {
    const SiteNetwork sites = sites_of(tests::network_of(mesh));
    const Problem problem{.collective = Collective::allreduce, .count = 1, .element_bytes = 8};
    const Synthesis exchange = synthesise_exchange(sites, problem);
    const EdgeTable hop = SiteRows(sites, -1, true, 8).hop(TreeUse::out);
    std::set<int> roots;
    double latest_s = 0, farthest_s = 0;
    for (const Way& way : exchange.packing.ways) {
      int root = 0;
      while (way.sites[root] != root) root = way.sites[root];
      roots.insert(root);
      const std::vector<double> arrival = arrival_times(way.sites, hop);
      const std::vector<double> least = shortest_paths(hop, root).distance;
      latest_s = std::max(latest_s, *std::max_element(arrival.begin(), arrival.end()));
      farthest_s = std::max(farthest_s, *std::max_element(least.begin(), least.end()));
    }
    EXPECT_LT(latest_s, farthest_s * 1.01);
    EXPECT_EQ(static_cast<int>(roots.size()), sites.size());
  }
  EXPECT_NO_THROW(synthesise_exchange(sites_of(tests::das(2, 2)), {.collective = Collective::barrier}));
}

TEST(Synthesis, SharesALinkOfSeveralRoutesAmongThem) {
  // One exit of 1e6 for both other sites: a broadcast sends each byte out of it once.
  Network network = tests::grid({.clusters = 3, .hosts = 2, .wan_bandwidth_Bps = 20e6, .header_bytes = 0});
  network.transport = {};
  network.links.push_back({"exit", 1e6, 1e-3, Sharing::shared});
  const int exit = static_cast<int>(network.links.size()) - 1;
  for (const int to : {1, 2}) network.trunks[{0, to}].links.insert(network.trunks[{0, to}].links.begin(), exit);
  const SiteNetwork sites = sites_of(network);
  EXPECT_NEAR(synthesise(sites, {.count = 1 << 20}, 1 << 14).rate_per_s * (1 << 20) / 1e6, 1, 1e-6);
  EXPECT_NEAR(
      synthesise(sites, {.collective = Collective::scatter, .count = 1 << 20}, 1 << 14).rate_per_s * (1 << 20) / 0.25e6,
      1, 1e-6);
}

TEST(Synthesis, LetsNeighboursOfTheRootHelp) {
  // Two links of 60 MB/s lead out of the root's site, its hosts send 50 MB/s each: alone the root would be the cut.
  Network network = tests::grid({.clusters = 3, .hosts = 4, .wan_bandwidth_Bps = 40e6, .header_bytes = 0});
  network.transport = {};
  const SiteNetwork sites = sites_of(network);
  const Synthesis synthesis = synthesise_with_piece(sites, {.count = 1 << 26});
  bool helped = false;
  for (const Way& way : synthesis.packing.ways) helped = helped || way.helped;
  EXPECT_TRUE(helped);
  EXPECT_GT(synthesis.rate_per_s * (1 << 26), 45e6);
}

TEST(Synthesis, NamesSitesThatCannotReachEachOther) {
  tests::RandomMesh mesh = random_mesh(1, 4);
  for (int v = 0; v < 4; ++v) mesh.rate[v][3] = 0;  // nobody reaches c3
  const SiteNetwork sites = sites_of(tests::network_of(mesh));
  for (const Collective collective : kAll) {
    if (collective == Collective::reduce || collective == Collective::gather) {
      EXPECT_NO_THROW(synthesise(sites, {.collective = collective, .count = 8}, 8));
      continue;
    }
    try {
      synthesise(sites, {.collective = collective, .count = 8}, 8);
      ADD_FAILURE() << name(collective);
    } catch (const BadInput& error) {
      EXPECT_THAT(error.what(), AllOf(HasSubstr("no way from site c0"), HasSubstr("c3")));
    }
  }
}

TEST(Synthesis, HoldsCapacitiesOfTwentyOneOrdersOfMagnitude) {
  Network network = bare(tests::random_meshes()[4]);
  for (Link& link : network.links)
    if (link.name.starts_with("wan")) link.bandwidth_Bps = link.name.ends_with("-2") ? 1e-9 : 1e12;
  const SiteNetwork sites = sites_of(network);
  const double into = (sites.size() - 1) * 1e-9;
  for (const Collective collective : kAll) {
    const Synthesis synthesis = synthesise(sites, {.collective = collective, .count = 1}, 1);
    EXPECT_TRUE(std::isfinite(synthesis.seconds));
    EXPECT_FALSE(synthesis.packing.empty());
    if (collective != Collective::broadcast) continue;
    EXPECT_NEAR(synthesis.rate_per_s / into, 1, 1e-6);
  }
}

TEST(Synthesis, CountsRealBytesWhereTheyAreKnown) {
  const SiteNetwork sites = sites_of(tests::das(3, 1));
  const Problem even{.collective = Collective::allgatherv, .count = 1 << 20, .counts = {1 << 20, 1 << 20, 1 << 20}};
  Problem uneven = even;
  uneven.counts = {3 << 20, 0, 0};
  // Two links lead out of the only owner's site; each of three owners has the two of its own.
  EXPECT_NEAR(synthesise(sites, uneven, 1 << 16).rate_per_s * (3 << 20) / 2e6, 1, 0.01);
  EXPECT_NEAR(synthesise(sites, even, 1 << 16).rate_per_s * (1 << 20) / 1e6, 1, 0.01);
  uneven.counts_known = false;
  EXPECT_NEAR(synthesise(sites, uneven, 1 << 16).rate_per_s * (1 << 20) / 1e6, 1, 0.01);
}

TEST(Synthesis, RefusesWhatItDoesNotServe) {
  const SiteNetwork sites = sites_of(tests::das(2, 2));
  EXPECT_THROW(synthesise(sites, {.collective = Collective::barrier}, 1), BadInput);
  EXPECT_THROW(synthesise(sites, {.collective = Collective::reduce, .count = 1, .commutative = false}, 1), BadInput);
  EXPECT_THROW(synthesise(sites, {.count = 1}, 0), BadInput);
  EXPECT_NO_THROW(synthesise(sites, {.count = 0}, 1));
}

TEST(Synthesis, AScanGoesFromEachSiteToTheNextByDetoursToo) {
  const SiteNetwork sites = sites_of(tests::das(4, 4));
  const Problem problem{.collective = Collective::scan, .count = 1 << 20, .commutative = false};
  const Synthesis made = synthesise(sites, problem, 1 << 20);
  // Each of three pairs has its line and detours over six of the other nine.
  EXPECT_NEAR(made.rate_per_s * (1 << 20) / 1e6, 2, 0.01);
  for (const Way& way : made.packing.ways) EXPECT_EQ(way.sites.back(), way.sites.front() + 1);
  EXPECT_GT(synthesise(sites, {.collective = Collective::scan, .count = 1}, 1).seconds, 3 * 10e-3) << "three steps";
}

TEST(Synthesis, AnEmptyMessageHasAPackingToo) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    std::mt19937 random(seed);
    std::vector<int> hosts(2 + random() % 4);
    for (int& of_site : hosts) of_site = 1 + static_cast<int>(random() % 5);
    const Network network = tests::random_mesh(hosts, random, seed % 2 == 0 ? 5e6 : 125e6).network;
    const SiteNetwork sites = sites_of(network);
    for (const Collective collective : kAll) {
      const Synthesis made = synthesise_with_piece(sites, {.collective = collective, .count = 0, .element_bytes = 8});
      EXPECT_FALSE(made.packing.empty()) << name(collective) << ", seed " << seed;
      EXPECT_TRUE(std::isfinite(made.seconds)) << name(collective) << ", seed " << seed;
    }
  }
}

TEST(Synthesis, AlltoallsOfFewBytesFinish) {
  // Beside latencies a byte takes next to no time: gains are tiny, and the entries of inverses large.
  for (unsigned seed = 1; seed <= 12; ++seed) {
    std::mt19937 random(seed);
    const Network network = tests::random_mesh(std::vector<int>(8, 1), random).network;
    const PlacedNetwork placed(network, place_ranks(network, PlacementRule::block, 1));
    const SiteNetwork sites(placed);
    for (const std::int64_t bytes : {1, 8}) {
      const Problem problem{.collective = Collective::alltoall, .count = bytes};
      EXPECT_TRUE(synthesise_with_piece(sites, problem).finished) << seed << ", " << bytes << " B";
    }
  }
}

}  // namespace
}  // namespace isthmus
