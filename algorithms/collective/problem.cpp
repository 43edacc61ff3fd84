#include "algorithms/collective/problem.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/errors.hpp"
#include "algorithms/text/near_matches.hpp"
#include "algorithms/text/printable.hpp"
#include "algorithms/text/sizes.hpp"

namespace isthmus {
namespace {

// In the order of the enumeration.
constexpr std::array<std::string_view, collective_count> names = {
    "broadcast", "barrier",   "reduce",    "allreduce",      "gather",
    "gatherv",   "scatter",   "scatterv",  "allgather",      "allgatherv",
    "alltoall",  "alltoallv", "alltoallw", "reduce_scatter", "reduce_scatter_block",
    "scan",      "exscan"};

std::int64_t sum(std::span<const std::int64_t> counts) {
  std::int64_t elements = 0;
  for (const std::int64_t count : counts) elements += count;
  return elements;
}

/// All blocks of the collectives whose blocks go by rank.
std::int64_t all_blocks(const Problem& problem, int size) {
  return problem.counts.empty() ? size * problem.count : sum(problem.counts);
}

BufferCounts alltoall_counts(const Problem& problem, int size, int rank) {
  BufferCounts counts;
  for (int other = 0; other < size; ++other) {
    counts.input += block_count(problem, size, rank, other);
    counts.output += block_count(problem, size, other, rank);
  }
  return counts;
}

void check_counts(const Problem& problem, int size) {
  if (problem.count < 0) throw BadInput(fmt::format("a count of {} elements is negative", problem.count));
  if (!carries_data(problem.collective) && problem.count > 0)
    throw BadInput(fmt::format("a barrier of {} elements: it carries no data, 0 would be right", problem.count));
  if (problem.counts.empty()) return;
  if (!has_counts(problem.collective))
    throw BadInput(
        fmt::format("{} has blocks of one size; counts are for gatherv, scatterv, allgatherv, alltoallv, "
                    "alltoallw and reduce_scatter",
                    name(problem.collective)));
  const std::size_t blocks =
      is_alltoall(problem.collective) ? static_cast<std::size_t>(size) * size : static_cast<std::size_t>(size);
  if (problem.counts.size() != blocks)
    throw BadInput(fmt::format("{} counts for {} over {} ranks; {} would be right", problem.counts.size(),
                               name(problem.collective), size, blocks));
  for (const std::int64_t count : problem.counts)
    if (count < 0) throw BadInput(fmt::format("a block of {} elements is negative", count));
}

/// The sum of all ranks' buffers, in elements. A double, so that it cannot overflow.
double elements_of_all(const Problem& problem, int size) {
  const double ranks = size, count = static_cast<double>(problem.count);
  const double blocks = problem.counts.empty() ? (is_alltoall(problem.collective) ? ranks * ranks : ranks) * count
                                               : std::accumulate(problem.counts.begin(), problem.counts.end(), 0.0);
  switch (problem.collective) {
    case Collective::broadcast:
    case Collective::barrier:
      return ranks * count;
    case Collective::reduce:
    case Collective::allreduce:
    case Collective::scan:
    case Collective::exscan:
      return 2 * ranks * count;
    case Collective::allgather:
    case Collective::allgatherv:
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block:
      return (ranks + 1) * blocks;
    default:
      return 2 * blocks;
  }
}

constexpr auto max_total_bytes = static_cast<double>(max_countable_bytes);

void check_total(const Problem& problem, int size) {
  const double bytes = elements_of_all(problem, size) * static_cast<double>(problem.element_bytes);
  if (bytes > max_total_bytes)
    throw BadInput(
        fmt::format("{} of {} B over {} ranks has {:.3g} bytes in the buffers of all; 2^62, which is "
                    "{:.3g}, is the most that can be counted",
                    name(problem.collective), problem.bytes(), size, bytes, max_total_bytes));
}

void check_bytes(const Problem& problem, int size) {
  if (problem.element_bytes < 1)
    throw BadInput(fmt::format("an element of {} bytes; at least 1 would be right", problem.element_bytes));
  if (static_cast<double>(problem.element_bytes) > max_total_bytes)
    throw BadInput(fmt::format("an element of {} bytes; at most 2^62 would be right", problem.element_bytes));
  std::int64_t room = std::numeric_limits<std::int64_t>::max() / problem.element_bytes;
  if (problem.counts.empty()) {
    const bool blocks = has_blocks(problem.collective);
    if (problem.count > room / (blocks ? size : 1))
      throw BadInput(fmt::format("{}{} elements of {} bytes are more than 2^63 - 1 bytes",
                                 blocks ? fmt::format("{} blocks of ", size) : "", problem.count,
                                 problem.element_bytes));
    check_total(problem, size);
    return;
  }
  for (const std::int64_t count : problem.counts) {
    if (count > room) throw BadInput("the blocks of all counts are more than 2^63 - 1 bytes");
    room -= count;
  }
  check_total(problem, size);
}

/// `MPI_Bcast` and `bcast` are `broadcast`; `MPI_Reduce_scatter` is `reduce_scatter`.
std::string without_mpi_spelling(std::string_view name) {
  std::string text(name);
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  if (text.starts_with("mpi_")) text.erase(0, 4);
  return text == "bcast" ? "broadcast" : text;
}

}  // namespace

std::span<const Collective> collectives() {
  static const auto all = [] {
    std::array<Collective, names.size()> made{};
    for (std::size_t i = 0; i < made.size(); ++i) made[i] = static_cast<Collective>(i);
    return made;
  }();
  return all;
}

std::string_view name(Collective collective) { return names[static_cast<std::size_t>(collective)]; }

Collective collective_named(std::string_view name) {
  const std::string own = without_mpi_spelling(name);
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == own) return static_cast<Collective>(i);
  std::vector<std::string_view> known(names.begin(), names.end());
  known.push_back("bcast");
  throw BadInput("no collective `" + excerpt(name) + "`" + near_matches(own, known));
}

bool carries_data(Collective collective) { return collective != Collective::barrier; }

bool has_root(Collective collective) {
  switch (collective) {
    case Collective::broadcast:
    case Collective::reduce:
    case Collective::gather:
    case Collective::gatherv:
    case Collective::scatter:
    case Collective::scatterv:
      return true;
    default:
      return false;
  }
}

bool has_operator(Collective collective) {
  switch (collective) {
    case Collective::reduce:
    case Collective::allreduce:
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block:
    case Collective::scan:
    case Collective::exscan:
      return true;
    default:
      return false;
  }
}

bool has_counts(Collective collective) {
  switch (collective) {
    case Collective::gatherv:
    case Collective::scatterv:
    case Collective::allgatherv:
    case Collective::alltoallv:
    case Collective::alltoallw:
    case Collective::reduce_scatter:
      return true;
    default:
      return false;
  }
}

bool has_own_counts_alone(Collective collective) {
  return has_counts(collective) && collective != Collective::allgatherv && collective != Collective::reduce_scatter;
}

bool is_scan(Collective collective) { return collective == Collective::scan || collective == Collective::exscan; }

bool is_alltoall(Collective collective) {
  return collective == Collective::alltoall || collective == Collective::alltoallv ||
         collective == Collective::alltoallw;
}

bool is_scatter(Collective collective) {
  return collective == Collective::scatter || collective == Collective::scatterv;
}

bool is_gather(Collective collective) { return collective == Collective::gather || collective == Collective::gatherv; }

bool has_blocks(Collective collective) {
  switch (collective) {
    case Collective::broadcast:
    case Collective::barrier:
    case Collective::reduce:
    case Collective::allreduce:
    case Collective::scan:
    case Collective::exscan:
      return false;
    default:
      return true;
  }
}

BufferCounts buffer_counts(const Problem& problem, int size, int rank) {
  const bool is_root = rank == problem.root;
  switch (problem.collective) {
    case Collective::broadcast:
      return {0, problem.count};
    case Collective::barrier:
      return {1, 1};
    case Collective::reduce:
      return {problem.count, is_root ? problem.count : 0};
    case Collective::allreduce:
    case Collective::scan:
    case Collective::exscan:
      return {problem.count, problem.count};
    case Collective::gather:
    case Collective::gatherv:
      return {block_count(problem, rank), is_root ? all_blocks(problem, size) : 0};
    case Collective::scatter:
    case Collective::scatterv:
      return {is_root ? all_blocks(problem, size) : 0, block_count(problem, rank)};
    case Collective::allgather:
    case Collective::allgatherv:
      return {block_count(problem, rank), all_blocks(problem, size)};
    case Collective::alltoall:
    case Collective::alltoallv:
    case Collective::alltoallw:
      return alltoall_counts(problem, size, rank);
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block:
      return {all_blocks(problem, size), block_count(problem, rank)};
  }
  throw BadInput(fmt::format("collective {} is unknown", static_cast<int>(problem.collective)));
}

void check_counts_known(const Problem& problem) {
  if (!problem.counts_known)
    throw BadInput(
        fmt::format("a rank does not know the sizes of the blocks that it would pass on in this {}; linear "
                    "would serve",
                    name(problem.collective)));
}

void check_problem(const Problem& problem, int size) {
  if (size < 1) throw BadInput(fmt::format("{} ranks: at least 1 would be right", size));
  if (!has_root(problem.collective) && problem.root != 0)
    throw BadInput(fmt::format("root {}: {} has no root; 0 would be right", problem.root, name(problem.collective)));
  if (problem.root < 0 || problem.root >= size)
    throw BadInput(fmt::format("root {} is out of range; 0 to {} would be right", problem.root, size - 1));
  if (!problem.commutative && !has_operator(problem.collective))
    throw BadInput(fmt::format("{} has no operator that could fail to commute; one that is commutative would be right",
                               name(problem.collective)));
  check_counts(problem, size);
  check_bytes(problem, size);
}

}  // namespace isthmus
