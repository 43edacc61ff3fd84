// Work between clusters, shared by all of their members: no coordinator is a bottleneck.
//
// Every member of every cluster owns one block. The blocks of a cluster's members are its region. Another cluster cuts
// that region into as many equal shares as it has members itself: what travels between the two clusters is handled, on
// the other cluster's side, by the member whose share it is, and on the region's side by the block's owner. Cut where
// shares and blocks overlap these are pieces, and each piece crosses the wide area once each way that it is needed.
#pragma once

#include <cstdint>
#include <functional>

#include "algorithms/schedule/program.hpp"
#include "algorithms/topology/clusters.hpp"

namespace isthmus {

/// The slice of a buffer that is the block of a cluster's member.
using BlockOf = std::function<Slice(int cluster, int place)>;

/// The reduce-scatter: this rank's block, combined over everybody's operand, ends in `into`. `block_of` gives the
/// slices of the operand, which must not overlap `into`. One wide-area latency. The members of a cluster are combined
/// in order, and then the clusters: where the ranks of clusters are consecutive the order is kept.
void reduce_scatter_shared(Program& program, const Clusters& clusters, const BlockOf& block_of, Slice into);

/// The allgather: from this rank's block, which lies in its place, to everybody's. One wide-area latency.
void allgather_shared(Program& program, const Clusters& clusters, const BlockOf& block_of);

}  // namespace isthmus
