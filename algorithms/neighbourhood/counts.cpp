#include "algorithms/neighbourhood/counts.hpp"

#include <algorithm>
#include <vector>

#include "algorithms/neighbourhood/pairs.hpp"

namespace isthmus {
namespace {

// The place of an edge's count in what its sender, or its receiver, knows.
std::int64_t known_to_sender(const NeighbourProblem& problem, const Neighbourhood::Edge& edge) {
  return problem.to_each() ? edge.slot : 0;
}
std::int64_t known_to_receiver(const NeighbourProblem& problem, const Neighbourhood::Edge& edge) {
  return (problem.to_each() ? problem.neighbourhood->out_degree(edge.to) : 1) + edge.place;
}

bool relays(const ClusterPair& pair, int rank) { return pair.exit == rank || pair.entrance == rank; }

// One pair of clusters, with the part of a relay's output that is for it.
class PairCounts {
 public:
  PairCounts(Program& program, int rank, const NeighbourProblem& problem, const ClusterPair& pair, std::int64_t first)
      : program_(program),
        rank_(rank),
        problem_(problem),
        pair_(pair),
        own_(output(first, static_cast<std::int64_t>(pair.edges.size()))) {}

  void receive() {
    for (const int other : rank_ == pair_.exit ? pair_.senders() : pair_.receivers()) {
      if (other == rank_ || !relays(pair_, rank_)) continue;
      const Slice heard = program_.reserve(static_cast<std::int64_t>(places_of(other).size()));
      program_.receive(heard, other);
      heard_.push_back({other, heard});
    }
  }
  void send() {
    const std::vector<std::int64_t> places = places_of(rank_);
    const int relay = is_sender() ? pair_.exit : pair_.entrance;
    if (places.empty() || relay == rank_) return;
    const Slice told = program_.reserve(static_cast<std::int64_t>(places.size()));
    for (std::size_t i = 0; i < places.size(); ++i)
      program_.copy(told.part(static_cast<std::int64_t>(i), 1), known(pair_.edges[places[i]]));
    program_.send(told, relay);
  }
  void note() {
    if (!relays(pair_, rank_)) return;
    for (const std::int64_t place : places_of(rank_)) program_.copy(own_.part(place, 1), known(pair_.edges[place]));
    for (const auto& [other, heard] : heard_) {
      const std::vector<std::int64_t> places = places_of(other);
      for (std::size_t i = 0; i < places.size(); ++i)
        program_.copy(own_.part(places[i], 1), heard.part(static_cast<std::int64_t>(i), 1));
    }
  }

 private:
  bool is_sender() const {
    return std::any_of(pair_.edges.begin(), pair_.edges.end(), [&](const auto& edge) { return edge.from == rank_; });
  }
  Slice known(const Neighbourhood::Edge& edge) const {
    return input(is_sender() ? known_to_sender(problem_, edge) : known_to_receiver(problem_, edge), 1);
  }
  // The edges of a rank on this side of the pair, by their places in the list.
  std::vector<std::int64_t> places_of(int rank) const {
    std::vector<std::int64_t> places;
    for (std::size_t i = 0; i < pair_.edges.size(); ++i)
      if (pair_.edges[i].from == rank || pair_.edges[i].to == rank) places.push_back(static_cast<std::int64_t>(i));
    return places;
  }

  struct Heard {
    int other;
    Slice slice;
  };
  Program& program_;
  int rank_;
  const NeighbourProblem& problem_;
  const ClusterPair& pair_;
  Slice own_;
  std::vector<Heard> heard_;
};

}  // namespace

void exchange_counts(Program& program, int rank, const NeighbourProblem& problem, const Topology& topology) {
  const std::vector<ClusterPair> pairs = cluster_pairs_of(rank, *problem.neighbourhood, topology);
  std::vector<PairCounts> exchanges;
  std::int64_t first = 0;
  for (const ClusterPair& pair : pairs) {
    exchanges.emplace_back(program, rank, problem, pair, first);
    if (relays(pair, rank)) first += static_cast<std::int64_t>(pair.edges.size());
  }
  for (PairCounts& exchange : exchanges) exchange.receive();
  for (PairCounts& exchange : exchanges) exchange.send();
  for (PairCounts& exchange : exchanges) exchange.note();
}

std::int64_t relayed_counts(int rank, const NeighbourProblem& problem, const Topology& topology) {
  std::int64_t all = 0;
  for (const ClusterPair& pair : cluster_pairs_of(rank, *problem.neighbourhood, topology))
    if (relays(pair, rank)) all += static_cast<std::int64_t>(pair.edges.size());
  return all;
}

void set_relayed_counts(NeighbourProblem& problem, int rank, std::span<const std::int64_t> output,
                        const Topology& topology) {
  const Neighbourhood& neighbourhood = *problem.neighbourhood;
  std::size_t next = 0;
  for (const ClusterPair& pair : cluster_pairs_of(rank, neighbourhood, topology)) {
    if (!relays(pair, rank)) continue;
    for (const Neighbourhood::Edge& edge : pair.edges) {
      const std::int64_t count = output[next++];
      if (rank == pair.exit && edge.from != rank) {
        std::vector<std::int64_t>& sent = problem.counts[edge.from].sent;
        sent.resize(problem.to_each() ? neighbourhood.out_degree(edge.from) : 1);
        sent[known_to_sender(problem, edge)] = count;
      } else if (rank == pair.entrance && edge.to != rank) {
        std::vector<std::int64_t>& received = problem.counts[edge.to].received;
        received.resize(neighbourhood.in_degree(edge.to));
        received[edge.place] = count;
      }
    }
  }
}

Contract contract_of_counts(const NeighbourProblem& problem, const Topology& topology) {
  const Neighbourhood& neighbourhood = *problem.neighbourhood;
  Contract contract;
  contract.size = neighbourhood.size();
  for (int rank = 0; rank < contract.size; ++rank) {
    const std::int64_t known = (problem.to_each() ? neighbourhood.out_degree(rank) : 1) + neighbourhood.in_degree(rank);
    contract.input_count.push_back(known);
    contract.output_count.push_back(relayed_counts(rank, problem, topology));
    contract.values.push_back({rank});
    contract.initial.push_back({.rank = rank, .slice = input(0, known), .value = rank, .first = 0});
    std::int64_t next = 0;
    for (const ClusterPair& pair : cluster_pairs_of(rank, neighbourhood, topology)) {
      if (!relays(pair, rank)) continue;
      for (const Neighbourhood::Edge& edge : pair.edges) {
        const bool leaves = rank == pair.exit;
        contract.required.push_back(
            {.rank = rank,
             .slice = output(next++, 1),
             .value = leaves ? edge.from : edge.to,
             .first = leaves ? known_to_sender(problem, edge) : known_to_receiver(problem, edge)});
      }
    }
  }
  return contract;
}

}  // namespace isthmus
