// When the last piece of each way arrives in a replay.
#pragma once

#include <memory>

#include "algorithms/collective/packing.hpp"
#include "algorithms/collective/problem.hpp"
#include "algorithms/schedule/program.hpp"
#include "algorithms/schedule/receive_groups.hpp"
#include "algorithms/topology/topology.hpp"

namespace isthmus {

/// Whether way_ends() can tell: not of scans, of sums that sites exchange, and of bundles.
bool has_way_ends(Collective collective, const Packing& packing);

/// Of one replay of the programs of a packing. The arguments must outlive it.
class WayEnds {
 public:
  WayEnds(const Topology& topology, const Problem& problem, const Packing& packing);
  ~WayEnds();

  /// The same programs, for the replay: it is learned from them which message takes which way.
  ProgramSource observed(ProgramSource programs);
  /// The receives of each way, for the replay.
  const ReceiveGroups& receives() const { return receives_; }

 private:
  class WaysOfResults;
  std::unique_ptr<WaysOfResults> ways_;
  ReceiveGroups receives_;
};

}  // namespace isthmus
