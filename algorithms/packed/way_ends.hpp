// When the last piece of each way arrives in a replay.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "algorithms/collective/packing.hpp"
#include "algorithms/collective/problem.hpp"
#include "algorithms/schedule/program.hpp"
#include "algorithms/schedule/timeline.hpp"
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
  /// In seconds, by way; 0 for a way that carries nothing.
  std::vector<double> of(const Timeline& timeline) const;

 private:
  class WaysOfResults;
  std::unique_ptr<WaysOfResults> ways_;
  std::size_t ways_in_all_;
  std::vector<std::vector<int>> way_of_op_;  // by rank; -1: none
};

}  // namespace isthmus
