#include "algorithms/packed/packed.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "algorithms/catalog.hpp"
#include "algorithms/collective/contract.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/packed/sites.hpp"
#include "algorithms/schedule/verify.hpp"
#include "tests/support/random_packings.hpp"

namespace isthmus {
namespace {

const std::vector<Collective> all_packed = {
    Collective::broadcast, Collective::barrier,    Collective::reduce,         Collective::allreduce,
    Collective::allgather, Collective::allgatherv, Collective::reduce_scatter, Collective::reduce_scatter_block,
    Collective::gather,    Collective::gatherv,    Collective::scatter,        Collective::scatterv,
    Collective::alltoall,  Collective::alltoallv,  Collective::alltoallw,      Collective::scan,
    Collective::exscan};

bool are_in_order(const Topology& topology, const Sites& sites) {
  for (int rank = 1; rank < topology.size(); ++rank)
    if (sites.of(rank) < sites.of(rank - 1)) return false;
  return true;
}

Problem random_problem(Collective collective, int size, std::mt19937& random) {
  constexpr std::int64_t counts[] = {0, 1, 7, 97, 300};
  Problem problem{.collective = collective, .count = counts[random() % 5], .element_bytes = 8};
  if (is_scan(collective)) problem.commutative = random() % 2 == 0;
  if (!carries_data(collective)) problem.count = 0;
  if (has_root(collective)) problem.root = static_cast<int>(random() % static_cast<unsigned>(size));
  if (has_counts(collective) && random() % 2 == 0) {
    const int blocks = is_alltoall(collective) ? size * size : size;
    for (int block = 0; block < blocks; ++block) problem.counts.push_back(counts[random() % 5]);
    problem.count = 0;
  }
  return problem;
}

TEST(Packed, EveryRandomPackingIsProved) {
  std::mt19937 random(1);
  Verifier verifier;
  int proofs = 0;
  for (int round = 0; round < 25; ++round)
    for (const Collective collective : all_packed) {
      const Topology topology = random_sites(random);
      const Sites sites(topology);
      const Problem problem = random_problem(collective, topology.size(), random);
      if (sites.count() == 1 &&
          (is_alltoall(collective) || is_gather(collective) || is_scatter(collective) || is_scan(collective)))
        continue;  // no path
      Plan plan = parse_plan(collective, "packed");
      plan.parameters.packing = random_packing(problem, sites.count(), sites.of(problem.root), random);
      plan.parameters.segment_bytes = 8 * std::vector<int>{0, 3, 10, 100}[random() % 4];
      const std::string text = to_string(plan);
      EXPECT_EQ(parse_plan(collective, text).parameters, plan.parameters) << text;
      if (is_scan(collective) && !are_in_order(topology, sites)) {
        EXPECT_THROW(check(plan, topology, problem), BadInput) << text;
        continue;
      }
      ASSERT_NO_THROW(check(plan, topology, problem)) << text;
      const Schedule schedule = materialise(topology.size(), source(plan, topology, problem));
      const Verdict verdict = verifier.verify(schedule, contract_of(problem, topology.size()));
      ASSERT_TRUE(verdict.ok()) << name(collective) << "/" << text << ", count " << problem.count << ", root "
                                << problem.root << ", " << topology.size() << " ranks: " << verdict.message();
      const auto rank = static_cast<int>(random() % static_cast<unsigned>(topology.size()));
      Program alone;  // as a process of the job writes it
      source(plan, topology, problem)(rank, alone);
      ASSERT_EQ(alone, schedule[rank]) << text << ", rank " << rank;
      ++proofs;
    }
  EXPECT_GT(proofs, 200);
}

TEST(Packed, DueTimesOfAWayAreTwoNumbersOfThousandthsInOrder) {
  const std::vector<Way> ways = parse_ways("0.0:400@5-1000/0.0:600");
  EXPECT_EQ(ways[0].first_due, 5);
  EXPECT_EQ(ways[0].last_due, 1000);
  EXPECT_EQ(ways[1].last_due, 0);
  EXPECT_EQ(to_string(ways), "0.0:400@5-1000/0.0:600");
  for (const char* wrong : {"0.0:1@5", "0.0:1@9-5", "0.0:1@0-1001", "0.0:1@0-0", "0.0:1@a-b", "0.0:@1-2"})
    EXPECT_THROW(parse_ways(wrong), BadInput) << wrong;
}

TEST(Packed, ALineIsTwoSitesALatencyAndARate) {
  const std::string text = "0>1:10000@2500/2>*:0@12500/*>1:0@1";
  const std::vector<WayLine> lines = parse_lines(text);
  EXPECT_EQ(lines, (std::vector<WayLine>{{0, 1, 10'000, 2500}, {2, -1, 0, 12'500}, {-1, 1, 0, 1}}));
  EXPECT_EQ(lines_text(lines), text);
  for (const char* wrong : {"0>1", "0>1:5", "0:5@5", "0>1@5:5", "0>0:5@5", "*>*:0@5", "0>1:-1@5", "0>1:5@0",
                            "0>4096:5@5", "a>1:5@5", "0>1:5@5/", "0>1:1000000001@5"})
    EXPECT_THROW(parse_lines(wrong), BadInput) << wrong;
}

TEST(Packed, LinesArePartOfPackingsWithTheirSites) {
  const Topology topology = Topology::from_paths({{"a"}, {"b"}});
  const auto check_plan = [&](Collective collective, const char* text) {
    check(parse_plan(collective, text), topology, Problem{.collective = collective, .count = 1, .element_bytes = 8});
  };
  EXPECT_NO_THROW(check_plan(Collective::broadcast, "packed:packing=0.0:1,lines=0>1:1@1"));
  EXPECT_THROW(check_plan(Collective::broadcast, "packed:packing=0.0:1,lines=0>2:1@1"), BadInput);
  EXPECT_NO_THROW(check_plan(Collective::scatter, "packed:packing=0.1:1,lines=0>1:1@1"));
  EXPECT_THROW(check_plan(Collective::alltoall, "packed:packing=0.1*:1/1.0*:1,lines=0>1:1@1"), BadInput);
  EXPECT_THROW(check_plan(Collective::scan, "packed:packing=0.1:1,lines=0>1:1@1"), BadInput);
}

TEST(Packed, WithZeroDriversAPieceGoesStraightToAllOthersOfASite) {
  const Topology topology = Topology::from_paths({{"a"}, {"a"}, {"b"}, {"b"}, {"b"}, {"b"}});
  const Problem problem{.collective = Collective::broadcast, .count = 40'000, .element_bytes = 8};
  const auto sends = [&](const std::string& drivers, int rank) {
    const Plan plan = parse_plan(Collective::broadcast, "packed:segment=80Ki,packing=0.0:1,drivers=" + drivers);
    const Schedule schedule = materialise(topology.size(), source(plan, topology, problem));
    EXPECT_TRUE(verify(schedule, contract_of(problem, topology.size())).ok());
    std::map<int, int> by_peer;
    for (const Op& op : schedule[rank].ops())
      if (op.kind == OpKind::send) ++by_peer[op.peer];
    return by_peer;
  };
  using Sends = std::map<int, int>;
  EXPECT_EQ(sends("1.1", 2), (Sends{{3, 4}}));                  // a chain behind the only driver
  EXPECT_EQ(sends("1.0", 2), (Sends{{3, 1}, {4, 1}, {5, 1}}));  // one piece of four enters at each rank
  EXPECT_EQ(sends("1.0", 5), (Sends{{2, 1}, {3, 1}, {4, 1}}));
  EXPECT_EQ(sends("0.0", 0), (Sends{{1, 4}, {2, 1}, {3, 1}, {4, 1}, {5, 1}}));  // the root has them all
}

TEST(Packed, AScanGoesFromSiteToSiteInTheOrderOfRanks) {
  const Topology topology = Topology::from_paths({{"a"}, {"a"}, {"b"}, {"c"}});
  const Problem problem{.collective = Collective::scan, .count = 30, .element_bytes = 8};
  const auto checked = [&](const std::string& packing) {
    check(parse_plan(Collective::scan, "packed:packing=" + packing), topology, problem);
  };
  EXPECT_NO_THROW(checked("0.1:1/1.0.2:1/1.2:3"));
  EXPECT_THROW(checked("0.1:1"), BadInput) << "no path from b to c";
  EXPECT_THROW(checked("0.1:1/1.2:1/0.2:1"), BadInput) << "a path that a scan does not take";
  const Topology mixed = Topology::from_paths({{"a"}, {"b"}, {"a"}, {"b"}});
  EXPECT_THROW(check(parse_plan(Collective::scan, "packed"), mixed, problem), BadInput);
}

}  // namespace
}  // namespace isthmus
