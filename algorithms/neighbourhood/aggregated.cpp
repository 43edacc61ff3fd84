#include <algorithm>
#include <utility>
#include <vector>

#include "algorithms/neighbourhood/pairs.hpp"
#include "algorithms/neighbourhood/schedules.hpp"

namespace isthmus {
namespace {

using Edge = Neighbourhood::Edge;

// Blocks that travel together, in this order. For allgather a block is in it once, with the first of its edges.
class Bundle {
 public:
  Bundle(const NeighbourProblem& problem, std::vector<Edge> edges) : problem_(&problem), edges_(std::move(edges)) {
    if (problem.to_each()) return;
    std::stable_sort(edges_.begin(), edges_.end(), [](const Edge& a, const Edge& b) { return a.from < b.from; });
    edges_.erase(
        std::unique(edges_.begin(), edges_.end(), [](const Edge& a, const Edge& b) { return a.from == b.from; }),
        edges_.end());
  }

  const std::vector<Edge>& edges() const { return edges_; }
  std::int64_t count() const {
    std::int64_t all = 0;
    for (const Edge& edge : edges_) all += block_count(*problem_, edge);
    return all;
  }
  /// Where the block of an edge lies when the bundle lies in `whole`.
  Slice block(Slice whole, const Edge& edge) const {
    std::int64_t offset = 0;
    for (const Edge& before : edges_) {
      const std::int64_t count = block_count(*problem_, before);
      if (before.from == edge.from && (!problem_->to_each() || before == edge)) return whole.part(offset, count);
      offset += count;
    }
    return {};
  }

 private:
  const NeighbourProblem* problem_;
  std::vector<Edge> edges_;
};

template <typename Keep>
std::vector<Edge> kept(const std::vector<Edge>& edges, Keep keep) {
  std::vector<Edge> some;
  std::copy_if(edges.begin(), edges.end(), std::back_inserter(some), keep);
  return some;
}

// What one rank does for the edges of one pair of clusters.
class PairRelay {
 public:
  PairRelay(Program& program, int rank, const NeighbourProblem& problem, const ClusterPair& pair)
      : program_(program), rank_(rank), problem_(problem), pair_(pair), all_(problem, pair.edges) {}

  void receive_at_exit() {
    if (rank_ != pair_.exit || all_.edges().size() == 1) return;
    crossing_ = program_.reserve(all_.count());
    for (const int sender : pair_.senders()) {
      if (sender == rank_) continue;
      const Bundle bundle = from(sender);
      // Without a copy where the blocks have the same order in what crosses: always for one block.
      const Slice first = all_.block(crossing_, bundle.edges().front());
      const bool together = bundle.edges().size() == 1;
      const Slice whole = together ? first : program_.reserve(bundle.count());
      program_.receive(whole, sender);
      if (!together) collected_.emplace_back(sender, whole);
    }
  }
  void receive_at_entrance() {
    if (rank_ != pair_.entrance) return;
    crossed_ = only_own_place() ? received_block(problem_, pair_.edges.front()) : program_.reserve(all_.count());
    program_.receive(crossed_, pair_.exit);
  }
  void receive_at_receiver() {
    if (is_receiver() && rank_ != pair_.entrance) {
      const std::vector<Edge> own = edges_to(rank_);
      const Bundle bundle(problem_, own);
      handed_ = own.size() == 1 ? received_block(problem_, own.front()) : program_.reserve(bundle.count());
      program_.receive(handed_, pair_.entrance);
    }
  }

  void send_to_exit() {
    if (!is_sender() || rank_ == pair_.exit) return;
    const Bundle bundle = from(rank_);
    if (bundle.edges().size() == 1) {
      program_.send(sent_block(problem_, bundle.edges().front()), pair_.exit);
      return;
    }
    const Slice whole = program_.reserve(bundle.count());
    for (const Edge& edge : bundle.edges()) program_.copy(bundle.block(whole, edge), sent_block(problem_, edge));
    program_.send(whole, pair_.exit);
  }
  void send_across() {
    if (rank_ != pair_.exit) return;
    if (all_.edges().size() == 1) {
      program_.send(sent_block(problem_, all_.edges().front()), pair_.entrance);
      return;
    }
    for (const Edge& edge : all_.edges())
      if (edge.from == rank_) program_.copy(all_.block(crossing_, edge), sent_block(problem_, edge));
    for (const auto& [sender, whole] : collected_) {
      const Bundle bundle = from(sender);
      for (const Edge& edge : bundle.edges()) program_.copy(all_.block(crossing_, edge), bundle.block(whole, edge));
    }
    program_.send(crossing_, pair_.entrance);
  }
  void hand_out() {
    if (rank_ != pair_.entrance) return;
    for (const int receiver : pair_.receivers()) {
      if (receiver == rank_) continue;
      const Bundle bundle(problem_, edges_to(receiver));
      const std::vector<Edge>& edges = bundle.edges();
      // The blocks for one receiver lie together in what crosses, except where receivers share them.
      const Slice first = all_.block(crossed_, edges.front());
      const Slice last = all_.block(crossed_, edges.back());
      if (last.end() - first.offset == bundle.count()) {
        program_.send(first.part(0, bundle.count()), receiver);
        continue;
      }
      const Slice whole = program_.reserve(bundle.count());
      for (const Edge& edge : edges) program_.copy(bundle.block(whole, edge), all_.block(crossed_, edge));
      program_.send(whole, receiver);
    }
    if (only_own_place()) return;
    for (const Edge& edge : edges_to(rank_)) program_.copy(received_block(problem_, edge), all_.block(crossed_, edge));
  }
  void put_in_place() {
    if (!is_receiver() || rank_ == pair_.entrance) return;
    const std::vector<Edge> own = edges_to(rank_);
    if (own.size() == 1) return;
    const Bundle bundle(problem_, own);
    for (const Edge& edge : own) program_.copy(received_block(problem_, edge), bundle.block(handed_, edge));
  }

 private:
  bool is_sender() const {
    return std::any_of(pair_.edges.begin(), pair_.edges.end(), [&](const Edge& edge) { return edge.from == rank_; });
  }
  bool is_receiver() const {
    return std::any_of(pair_.edges.begin(), pair_.edges.end(), [&](const Edge& edge) { return edge.to == rank_; });
  }
  bool only_own_place() const { return pair_.edges.size() == 1; }
  Bundle from(int sender) const {
    return {problem_, kept(pair_.edges, [&](const Edge& edge) { return edge.from == sender; })};
  }
  std::vector<Edge> edges_to(int receiver) const {
    return kept(pair_.edges, [&](const Edge& edge) { return edge.to == receiver; });
  }

  Program& program_;
  int rank_;
  const NeighbourProblem& problem_;
  const ClusterPair& pair_;
  Bundle all_;
  Slice crossing_, crossed_, handed_;
  std::vector<std::pair<int, Slice>> collected_;
};

}  // namespace

void neighbours_aggregated(Program& program, int rank, const NeighbourProblem& problem, const Topology& topology) {
  const Neighbourhood& neighbourhood = *problem.neighbourhood;
  const std::vector<int> cluster = clusters_of_ranks(topology);
  const std::vector<ClusterPair> pairs = cluster_pairs_of(rank, neighbourhood, topology);
  const auto near = [&](const Edge& edge) { return cluster[edge.from] == cluster[edge.to] && edge.from != edge.to; };
  std::vector<PairRelay> relays;
  for (const ClusterPair& pair : pairs) relays.emplace_back(program, rank, problem, pair);

  // From one source in the order in which it sends.
  for (PairRelay& relay : relays) relay.receive_at_exit();
  for (PairRelay& relay : relays) relay.receive_at_entrance();
  for (const Edge& edge : neighbourhood.edges_to(rank))
    if (near(edge)) program.receive(received_block(problem, edge), edge.from);
  for (PairRelay& relay : relays) relay.receive_at_receiver();

  // What has the longest way leaves first.
  for (PairRelay& relay : relays) relay.send_to_exit();
  for (PairRelay& relay : relays) relay.send_across();
  for (const Edge& edge : neighbourhood.edges_from(rank))
    if (near(edge)) program.send(sent_block(problem, edge), edge.to);
  for (const Edge& edge : neighbourhood.edges_from(rank))
    if (edge.to == rank) program.copy(received_block(problem, edge), sent_block(problem, edge));
  for (PairRelay& relay : relays) relay.hand_out();
  for (PairRelay& relay : relays) relay.put_in_place();
}

std::string_view name(NeighbourAlgorithm algorithm) {
  return algorithm == NeighbourAlgorithm::direct ? "direct" : "aggregated";
}

ProgramSource source(NeighbourAlgorithm algorithm, const NeighbourProblem& problem, const Topology& topology) {
  if (algorithm == NeighbourAlgorithm::direct)
    return [&problem](int rank, Program& program) { neighbours_direct(program, rank, problem); };
  return [&problem, &topology](int rank, Program& program) { neighbours_aggregated(program, rank, problem, topology); };
}

}  // namespace isthmus
