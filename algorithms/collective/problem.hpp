// The parameters of one call of a collective: sizes, no data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace isthmus {

/// In the order in which `isthmus list` shows them.
enum class Collective : std::uint8_t {
  broadcast,
  barrier,
  reduce,
  allreduce,
  gather,
  gatherv,
  scatter,
  scatterv,
  allgather,
  allgatherv,
  alltoall,
  alltoallv,
  alltoallw,
  reduce_scatter,
  reduce_scatter_block,
  scan,
  exscan,
};

inline constexpr std::size_t collective_count = 17;
/// All of them, in that order.
std::span<const Collective> collectives();

/// The name used on the command line and in records: `broadcast`, `reduce_scatter_block`.
std::string_view name(Collective collective);
/// The collective of a name. Throws BadInput with the near matches.
Collective collective_named(std::string_view name);

/// Whether the call passes data: all except barrier, which has a token of its own.
bool carries_data(Collective collective);
/// Whether one rank is the root: broadcast, reduce, and the forms of gather and scatter.
bool has_root(Collective collective);
/// Whether the caller gives an operator: reduce, allreduce, reduce_scatter(_block), scan and exscan. A barrier has a
/// fixed operator, which commutes.
bool has_operator(Collective collective);
/// Whether blocks may differ in size (`Problem::counts`): the v and w forms, and reduce_scatter.
bool has_counts(Collective collective);
/// Whether a rank of MPI passes the counts of its own blocks alone: gatherv and scatterv, but for the root, alltoallv
/// and alltoallw.
bool has_own_counts_alone(Collective collective);

/// Whether a rank has a block for every other: alltoall and its v and w forms.
bool is_alltoall(Collective collective);
/// The two forms of each.
bool is_scatter(Collective collective);
bool is_gather(Collective collective);
/// scan and exscan: a rank gets the sum of those before it.
bool is_scan(Collective collective);
/// Whether some rank's buffer holds a block of each rank: all except broadcast, barrier, reduce, allreduce and the
/// scans.
bool has_blocks(Collective collective);

/// `count` elements of `element_bytes` each, as the MPI call of the collective passes for one buffer or block.
///
/// What lies in a rank's buffers, in elements (buffer_counts() has the numbers), with n = count and blocks in the order
/// of ranks, one behind the other:
///
///   collective            input                           output
///   broadcast             none                            n: the message, at the root from the start
///   barrier               1: a token                      1: the tokens of all, or-ed
///   reduce                n                               root n, others none
///   allreduce, scan       n                               n
///   exscan                n                               n; rank 0's may hold anything at the end
///   gather                n                               root size * n, others none
///   scatter               root size * n, others none      n
///   allgather             n                               size * n
///   alltoall              size * n                        size * n
///   reduce_scatter_block  size * n                        n
///
/// gatherv, scatterv, allgatherv and reduce_scatter are like gather, scatter, allgather and reduce_scatter_block with
/// blocks of counts[rank] elements; alltoallv is like alltoall with blocks of counts[from * size + to] elements, and so
/// is alltoallw, whose element is a byte of whatever datatype. Without `counts` all their blocks have n elements.
struct Problem {
  Collective collective = Collective::broadcast;
  std::int64_t count = 0;
  std::int64_t element_bytes = 1;
  int root = 0;  ///< 0 where the collective has none
  std::vector<std::int64_t> counts = {};
  bool commutative = true;  ///< whether the operator commutes, where the collective has one
  /// Whether a rank knows the counts of blocks between other ranks. In MPI no rank knows them for alltoallv and
  /// alltoallw, and only the root for gatherv and scatterv. Then `counts` are right only for a rank's own blocks.
  bool counts_known = true;

  std::int64_t bytes() const { return count * element_bytes; }
};

/// The elements of the block of `rank`, in a collective with one block per rank; of the block that `from` has for `to`.
inline std::int64_t block_count(const Problem& problem, int rank) {
  return problem.counts.empty() ? problem.count : problem.counts[rank];
}
inline std::int64_t block_count(const Problem& problem, int size, int from, int to) {
  return problem.counts.empty() ? problem.count : problem.counts[static_cast<std::size_t>(from) * size + to];
}

/// The elements of the two buffers of a rank.
struct BufferCounts {
  std::int64_t input = 0;
  std::int64_t output = 0;

  bool operator==(const BufferCounts&) const = default;
};
/// For a problem that check_problem() has accepted.
BufferCounts buffer_counts(const Problem& problem, int size, int rank);

/// For an algorithm that forwards blocks of other ranks: throws BadInput when their counts are not known.
void check_counts_known(const Problem& problem);

/// Throws BadInput for a problem that no algorithm could serve over `size` ranks: a root out of range, or a root for a
/// collective without one; a negative count, a wrong number of counts, or counts where all blocks have one size; data
/// in a barrier; an operator that does not commute for a collective without operator; a buffer of more than 2^63 - 1
/// bytes, or more than 2^62 bytes in the buffers of all ranks together.
void check_problem(const Problem& problem, int size);

}  // namespace isthmus
