#include "algorithms/neighbourhood/problem.hpp"

#include <numeric>

namespace isthmus {
namespace {

std::int64_t sum_before(const std::vector<std::int64_t>& counts, int end) {
  return std::accumulate(counts.begin(), counts.begin() + end, std::int64_t{0});
}

std::int64_t sum(const std::vector<std::int64_t>& counts) {
  return sum_before(counts, static_cast<int>(counts.size()));
}

int slot_of(const NeighbourProblem& problem, const Neighbourhood::Edge& edge) {
  return problem.to_each() ? edge.slot : 0;
}

}  // namespace

std::int64_t block_count(const NeighbourProblem& problem, const Neighbourhood::Edge& edge) {
  if (problem.counts.empty()) return problem.count;
  // A relay knows the one or the other.
  const BlockCounts& at_sender = problem.counts[edge.from];
  if (!at_sender.sent.empty()) return at_sender.sent[slot_of(problem, edge)];
  return problem.counts[edge.to].received[edge.place];
}

Slice sent_block(const NeighbourProblem& problem, const Neighbourhood::Edge& edge) {
  const int slot = slot_of(problem, edge);
  const std::int64_t offset =
      problem.counts.empty() ? slot * problem.count : sum_before(problem.counts[edge.from].sent, slot);
  return input(offset, block_count(problem, edge));
}

Slice received_block(const NeighbourProblem& problem, const Neighbourhood::Edge& edge) {
  if (problem.counts.empty()) return output(edge.place * problem.count, problem.count);
  const std::vector<std::int64_t>& received = problem.counts[edge.to].received;
  return output(sum_before(received, edge.place), received[edge.place]);
}

Contract contract_of(const NeighbourProblem& problem) {
  const Neighbourhood& neighbourhood = *problem.neighbourhood;
  Contract contract;
  contract.size = neighbourhood.size();
  for (int rank = 0; rank < contract.size; ++rank) {
    std::int64_t sent = problem.to_each() ? neighbourhood.out_degree(rank) * problem.count : problem.count;
    std::int64_t received = neighbourhood.in_degree(rank) * problem.count;
    if (!problem.counts.empty()) {
      sent = sum(problem.counts[rank].sent);
      received = sum(problem.counts[rank].received);
    }
    contract.input_count.push_back(sent);
    contract.output_count.push_back(received);
    contract.values.push_back({rank});
    contract.initial.push_back({.rank = rank, .slice = input(0, sent), .value = rank, .first = 0});
  }
  for (const Neighbourhood::Edge& edge : neighbourhood.edges())
    contract.required.push_back({.rank = edge.to,
                                 .slice = received_block(problem, edge),
                                 .value = edge.from,
                                 .first = sent_block(problem, edge).offset});
  return contract;
}

}  // namespace isthmus
