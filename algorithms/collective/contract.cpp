#include "algorithms/collective/contract.hpp"

#include <fmt/format.h>

#include <numeric>

#include "algorithms/errors.hpp"

namespace isthmus {
namespace {

std::vector<int> ranks_below(int end) {
  std::vector<int> ranks(end);
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

/// A contract under construction: the buffer sizes are set, values and pieces are added.
class Draft {
 public:
  Draft(const Problem& problem, int size) : problem_(problem), size_(size) {
    contract_.size = size;
    contract_.commutative = problem.commutative;
    for (int rank = 0; rank < size; ++rank) {
      const BufferCounts counts = buffer_counts(problem, size, rank);
      contract_.input_count.push_back(counts.input);
      contract_.output_count.push_back(counts.output);
    }
  }

  int add_value(std::vector<int> contributors) {
    contract_.values.push_back(std::move(contributors));
    return static_cast<int>(contract_.values.size()) - 1;
  }
  /// Values 0..size-1 become the ranks, and the input of every rank holds its own data.
  void start_from_inputs() {
    for (int rank = 0; rank < size_; ++rank) start(rank, input(0, contract_.input_count[rank]), add_value({rank}));
  }
  void start(int rank, Slice slice, int value) { contract_.initial.push_back({rank, slice, value, 0}); }
  void require(int rank, Slice slice, int value, std::int64_t first = 0) {
    contract_.required.push_back({rank, slice, value, first});
  }
  /// The blocks of all inputs, in the order of ranks.
  void require_all_blocks(int rank) {
    std::int64_t offset = 0;
    for (int from = 0; from < size_; ++from) {
      const std::int64_t count = block_count(problem_, from);
      require(rank, output(offset, count), from);
      offset += count;
    }
  }
  void count_contributors_once() { contract_.idempotent = true; }

  Contract take() { return std::move(contract_); }

 private:
  const Problem& problem_;
  int size_;
  Contract contract_;
};

void broadcast_contract(const Problem& problem, int size, Draft& draft) {
  const Slice message = output(0, problem.count);
  const int value = draft.add_value({problem.root});
  draft.start(problem.root, message, value);
  for (int rank = 0; rank < size; ++rank) draft.require(rank, message, value);
}

// No rank may leave before all ranks have entered: before that no rank can hold all tokens.
void barrier_contract(int size, Draft& draft) {
  draft.count_contributors_once();
  draft.start_from_inputs();
  const int all = draft.add_value(ranks_below(size));
  for (int rank = 0; rank < size; ++rank) draft.require(rank, output(0, 1), all);
}

void reduce_contract(const Problem& problem, int size, Draft& draft) {
  draft.start_from_inputs();
  const int all = draft.add_value(ranks_below(size));
  for (int rank = 0; rank < size; ++rank)
    if (problem.collective == Collective::allreduce || rank == problem.root)
      draft.require(rank, output(0, problem.count), all);
}

/// Each rank ends with its own block of a value.
void require_own_blocks(const Problem& problem, int size, Draft& draft, int value) {
  std::int64_t first = 0;
  for (int rank = 0; rank < size; ++rank) {
    const std::int64_t count = block_count(problem, rank);
    draft.require(rank, output(0, count), value, first);
    first += count;
  }
}

void reduce_scatter_contract(const Problem& problem, int size, Draft& draft) {
  draft.start_from_inputs();
  require_own_blocks(problem, size, draft, draft.add_value(ranks_below(size)));
}

void scan_contract(const Problem& problem, int size, Draft& draft) {
  draft.start_from_inputs();
  const int own = problem.collective == Collective::scan ? 1 : 0;
  for (int rank = 0; rank < size; ++rank)
    if (rank + own > 0) draft.require(rank, output(0, problem.count), draft.add_value(ranks_below(rank + own)));
}

void scatter_contract(const Problem& problem, int size, Draft& draft) {
  const int value = draft.add_value({problem.root});
  draft.start(problem.root, input(0, buffer_counts(problem, size, problem.root).input), value);
  require_own_blocks(problem, size, draft, value);
}

void alltoall_contract(const Problem& problem, int size, Draft& draft) {
  draft.start_from_inputs();
  std::vector<std::int64_t> sent(size), received(size);  // by rank, so far
  for (int from = 0; from < size; ++from) {
    for (int to = 0; to < size; ++to) {
      const std::int64_t count = block_count(problem, size, from, to);
      draft.require(to, output(received[to], count), from, sent[from]);
      sent[from] += count;
      received[to] += count;
    }
  }
}

void write_contract(const Problem& problem, int size, Draft& draft) {
  switch (problem.collective) {
    case Collective::broadcast:
      return broadcast_contract(problem, size, draft);
    case Collective::barrier:
      return barrier_contract(size, draft);
    case Collective::reduce:
    case Collective::allreduce:
      return reduce_contract(problem, size, draft);
    case Collective::gather:
    case Collective::gatherv:
      draft.start_from_inputs();
      return draft.require_all_blocks(problem.root);
    case Collective::scatter:
    case Collective::scatterv:
      return scatter_contract(problem, size, draft);
    case Collective::allgather:
    case Collective::allgatherv:
      draft.start_from_inputs();
      for (int rank = 0; rank < size; ++rank) draft.require_all_blocks(rank);
      return;
    case Collective::alltoall:
    case Collective::alltoallv:
    case Collective::alltoallw:
      return alltoall_contract(problem, size, draft);
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block:
      return reduce_scatter_contract(problem, size, draft);
    case Collective::scan:
    case Collective::exscan:
      return scan_contract(problem, size, draft);
  }
  throw BadInput(fmt::format("collective {} has no contract", static_cast<int>(problem.collective)));
}

}  // namespace

Contract contract_of(const Problem& problem, int size) {
  check_problem(problem, size);
  Draft draft(problem, size);
  write_contract(problem, size, draft);
  return draft.take();
}

}  // namespace isthmus
