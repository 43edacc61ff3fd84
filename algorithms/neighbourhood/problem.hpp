// The parameters of one call of a collective among neighbours, and what its result has to be.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "algorithms/collective/problem.hpp"
#include "algorithms/neighbourhood/neighbourhood.hpp"
#include "algorithms/schedule/contract.hpp"
#include "algorithms/schedule/slice.hpp"

namespace isthmus {

/// The blocks of one rank. allgather: `sent` has one count, of the block that goes to all destinations; alltoall: one
/// for each destination. `received` has one for each source.
struct BlockCounts {
  std::vector<std::int64_t> sent, received;

  bool operator==(const BlockCounts&) const = default;
};

/// allgather and alltoall among neighbours, and their v and w forms: every rank sends one block to all its
/// destinations, or a block to each, and receives one from each source. Elements are bytes.
///
/// In a rank's buffers the blocks lie one behind the other: `input` has the block, or the blocks by slot; `output` has
/// the blocks by place. Blocks without a neighbour have their room too.
struct NeighbourProblem {
  Collective collective = Collective::allgather;  ///< allgather, alltoall, or a form of them with counts
  std::shared_ptr<const Neighbourhood> neighbourhood;
  std::int64_t count = 0;  ///< of every block, where they have one size
  /// By rank, where they differ in size. A rank's own have to be right, and those of blocks that it relays.
  std::vector<BlockCounts> counts = {};

  bool to_each() const { return is_alltoall(collective); }
};

/// The number of elements of an edge's block.
std::int64_t block_count(const NeighbourProblem& problem, const Neighbourhood::Edge& edge);
/// Where an edge's block lies on its two ranks.
Slice sent_block(const NeighbourProblem& problem, const Neighbourhood::Edge& edge);
Slice received_block(const NeighbourProblem& problem, const Neighbourhood::Edge& edge);

/// What the verifier has to prove. The counts of all ranks must be right.
Contract contract_of(const NeighbourProblem& problem);

}  // namespace isthmus
