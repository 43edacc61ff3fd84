#include "algorithms/neighbourhood/schedules.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/errors.hpp"
#include "algorithms/neighbourhood/counts.hpp"
#include "algorithms/neighbourhood/pairs.hpp"
#include "algorithms/schedule/verify.hpp"

namespace isthmus {
namespace {

// Rank r in site r % sites.
Topology dealt(int size, int sites) {
  std::vector<std::vector<std::string>> paths;
  for (int rank = 0; rank < size; ++rank) paths.push_back({"s" + std::to_string(rank % sites)});
  return Topology::from_paths(paths);
}

std::shared_ptr<const Neighbourhood> shared(Neighbourhood neighbourhood) {
  return std::make_shared<const Neighbourhood>(std::move(neighbourhood));
}

// Lists of a random graph, with neighbours that are several times in a list, ranks that are their own neighbours, and
// places without a neighbour.
Neighbourhood random_graph(int size, unsigned seed) {
  std::uint32_t state = seed * 2654435761u + 1;
  const auto below = [&](int limit) {
    state = state * 1664525u + 1013904223u;
    return static_cast<int>((state >> 8) % static_cast<unsigned>(limit));
  };
  std::vector<NeighbourLists> lists(size);
  for (int edge = below(5 * size + 1); edge > 0; --edge) {
    const int from = below(size);
    const int to = below(size);
    lists[from].destinations.push_back(to);
    lists[to].sources.insert(lists[to].sources.begin() + below(static_cast<int>(lists[to].sources.size()) + 1), from);
    if (below(6) == 0) lists[below(size)].sources.push_back(-1);
    if (below(6) == 0) lists[below(size)].destinations.push_back(-1);
  }
  return Neighbourhood::of_lists(lists);
}

// Counts of the v forms: of each edge, or of each sender for allgather.
std::vector<BlockCounts> counts_of(const Neighbourhood& neighbourhood, bool to_each) {
  std::vector<BlockCounts> counts(neighbourhood.size());
  for (int rank = 0; rank < neighbourhood.size(); ++rank) {
    counts[rank].sent.resize(to_each ? neighbourhood.out_degree(rank) : 1);
    counts[rank].received.resize(neighbourhood.in_degree(rank), 2);
    for (std::size_t slot = 0; slot < counts[rank].sent.size(); ++slot)
      counts[rank].sent[slot] = (rank * 3 + static_cast<int>(slot) * 5) % 4;
  }
  for (const Neighbourhood::Edge& edge : neighbourhood.edges())
    counts[edge.to].received[edge.place] = counts[edge.from].sent[to_each ? edge.slot : 0];
  return counts;
}

// A rank's view of the counts: its own, and those of the blocks that it relays.
NeighbourProblem as_known_to(int rank, const NeighbourProblem& problem, const Topology& topology) {
  NeighbourProblem known = problem;
  if (problem.counts.empty()) return known;
  known.counts.assign(problem.counts.size(), {});
  known.counts[rank] = problem.counts[rank];
  for (const ClusterPair& pair : cluster_pairs_of(rank, *problem.neighbourhood, topology)) {
    for (const int sender : pair.senders())
      if (rank == pair.exit) known.counts[sender].sent = problem.counts[sender].sent;
    for (const int receiver : pair.receivers())
      if (rank == pair.entrance) known.counts[receiver].received = problem.counts[receiver].received;
  }
  return known;
}

// Proves the exchange of counts, and that the relays know then what they need.
void expect_counts_proved(const NeighbourProblem& problem, const Topology& topology, const std::string& what) {
  const int size = problem.neighbourhood->size();
  const Contract contract = contract_of_counts(problem, topology);
  Schedule schedule(size);
  for (int rank = 0; rank < size; ++rank) {
    exchange_counts(schedule[rank], rank, problem, topology);
    for (const Op& op : schedule[rank].ops())
      EXPECT_TRUE(op.kind != OpKind::send || topology.group_at(rank, 1) == topology.group_at(op.peer, 1)) << what;
  }
  const Verdict verdict = verify(schedule, contract);
  EXPECT_TRUE(verdict.ok()) << what << ", " << name(problem.collective) << ": " << verdict.message();

  std::size_t next = 0;
  for (int rank = 0; rank < size; ++rank) {
    std::vector<std::int64_t> output(contract.output_count[rank]);
    for (; next < contract.required.size() && contract.required[next].rank == rank; ++next) {
      const Piece& piece = contract.required[next];
      const BlockCounts& of = problem.counts[contract.values[piece.value].front()];
      const auto sent = static_cast<std::int64_t>(of.sent.size());
      output[piece.slice.offset] = piece.first < sent ? of.sent[piece.first] : of.received[piece.first - sent];
    }
    NeighbourProblem told = problem;
    told.counts.assign(size, {});
    told.counts[rank] = problem.counts[rank];
    set_relayed_counts(told, rank, output, topology);
    Program wanted, got;
    neighbours_aggregated(wanted, rank, as_known_to(rank, problem, topology), topology);
    neighbours_aggregated(got, rank, told, topology);
    EXPECT_EQ(wanted, got) << what << ", rank " << rank;
  }
}

void expect_proved(const std::shared_ptr<const Neighbourhood>& neighbourhood, const Topology& topology,
                   const std::string& what) {
  for (const Collective collective :
       {Collective::allgather, Collective::allgatherv, Collective::alltoall, Collective::alltoallv}) {
    for (const std::int64_t count : {0, 1, 7}) {
      NeighbourProblem problem{.collective = collective, .neighbourhood = neighbourhood, .count = count};
      if (has_counts(collective)) problem.counts = counts_of(*neighbourhood, problem.to_each());
      if (has_counts(collective)) expect_counts_proved(problem, topology, what);
      const Contract contract = contract_of(problem);
      for (const NeighbourAlgorithm algorithm : {NeighbourAlgorithm::direct, NeighbourAlgorithm::aggregated}) {
        Schedule schedule(neighbourhood->size());
        for (int rank = 0; rank < neighbourhood->size(); ++rank) {
          const NeighbourProblem known = as_known_to(rank, problem, topology);
          source(algorithm, known, topology)(rank, schedule[rank]);
        }
        const Verdict verdict = verify(schedule, contract);
        EXPECT_TRUE(verdict.ok()) << what << ", " << name(collective) << ", " << name(algorithm) << ", count " << count
                                  << ": " << verdict.message();
      }
    }
  }
}

TEST(NeighbourSchedules, AreProvedForGrids) {
  const std::vector<CartesianGrid> grids = {{{1}, {true}},
                                            {{2}, {true}},
                                            {{7}, {true}},
                                            {{7}, {false}},
                                            {{3, 4}, {true, false}},
                                            {{2, 3, 4}, {true, true, false}},
                                            {{4, 2, 2}, {true, true, true}}};
  for (const CartesianGrid& grid : grids)
    for (const int sites : {1, 2, 3, 5})
      expect_proved(shared(Neighbourhood::of_grid(grid)), dealt(grid.size(), std::min(sites, grid.size())),
                    "grid of " + std::to_string(grid.size()) + ", sites " + std::to_string(sites));
}

TEST(NeighbourSchedules, AreProvedForGraphs) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const int size = 1 + static_cast<int>(seed % 13);
    expect_proved(shared(random_graph(size, seed)), dealt(size, 1 + static_cast<int>(seed % 4) % size),
                  "graph " + std::to_string(seed));
  }
}

TEST(NeighbourSchedules, AreProvedWithRanksInNoGroup) {
  const Topology topology = Topology::from_paths({{"a"}, {}, {"b", "x"}, {"a"}, {"b"}, {}});
  for (unsigned seed = 0; seed < 20; ++seed)
    expect_proved(shared(random_graph(6, seed)), topology, "graph " + std::to_string(seed));
}

std::int64_t sends_between_sites(const Schedule& schedule, const Topology& topology, std::int64_t& bytes) {
  std::int64_t messages = 0;
  for (int rank = 0; rank < topology.size(); ++rank)
    for (const Op& op : schedule[rank].ops())
      if (op.kind == OpKind::send && topology.group_at(rank, 1) != topology.group_at(op.peer, 1)) {
        ++messages;
        bytes += op.from.count;
      }
  return messages;
}

TEST(NeighbourSchedules, AggregatedSendsOneMessageAPairOfSites) {
  const Topology topology = dealt(12, 3);
  std::vector<NeighbourLists> lists(12);
  for (int rank = 0; rank < 12; ++rank)
    for (int other = 0; other < 12; ++other) {
      lists[rank].destinations.push_back(other);
      lists[rank].sources.push_back(other);
    }
  const auto all = shared(Neighbourhood::of_lists(lists));
  for (const Collective collective : {Collective::allgather, Collective::alltoall}) {
    const NeighbourProblem problem{.collective = collective, .neighbourhood = all, .count = 10};
    std::int64_t bytes = 0;
    const Schedule schedule = materialise(12, source(NeighbourAlgorithm::aggregated, problem, topology));
    EXPECT_EQ(sends_between_sites(schedule, topology, bytes), 6);
    // 4 x 4 blocks for alltoall; for allgather each of 4 blocks once.
    EXPECT_EQ(bytes, 6 * 10 * (problem.to_each() ? 16 : 4));
  }
}

TEST(Neighbourhood, OfAGridSendsDownwardsWhatTheNeighbourReceivesFromAbove) {
  const Neighbourhood ring = Neighbourhood::of_grid({{2}, {true}});
  ASSERT_EQ(ring.edges().size(), 4u);
  for (const Neighbourhood::Edge& edge : ring.edges()) {
    EXPECT_EQ(edge.to, 1 - edge.from);
    EXPECT_EQ(edge.place, 1 - edge.slot);
  }
}

TEST(Neighbourhood, OfListsThatContradictEachOtherIsRefused) {
  EXPECT_THROW(Neighbourhood::of_lists({{.sources = {}, .destinations = {1}}, {}}), BadInput);
  EXPECT_THROW(Neighbourhood::of_lists({{}, {.sources = {0}, .destinations = {}}}), BadInput);
  EXPECT_THROW(Neighbourhood::of_lists({{.sources = {2}, .destinations = {}}, {}}), BadInput);
}

}  // namespace
}  // namespace isthmus
