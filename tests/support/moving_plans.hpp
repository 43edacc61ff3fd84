// Every plan of the collectives that move blocks, with more than one setting of what it takes beside the segment.
#pragma once

#include "tests/support/collective_cases.hpp"

namespace isthmus::tests {

inline const std::vector<PlanCase>& gather_plans() {
  static const std::vector<PlanCase> plans = {
      {Collective::gather, "linear"},
      {Collective::gather, "binomial"},
      {Collective::gather, "multilevel", Order::lost, true},
      {Collective::gather, "multilevel:merged=2", Order::lost, true},
      {Collective::gather, "multilevel:levels=binomial/chain/k-ary", Order::lost, true},
      {Collective::gather, "multilevel:degree=2,levels=k-chain/binary/linear", Order::lost, true},
      {Collective::gatherv, "linear"},
      {Collective::gatherv, "binomial"},
      {Collective::gatherv, "multilevel", Order::lost, true},
      {Collective::gatherv, "multilevel:levels=binomial/chain/k-ary", Order::lost, true},
  };
  return plans;
}

inline const std::vector<PlanCase>& scatter_plans() {
  static const std::vector<PlanCase> plans = {
      {Collective::scatter, "linear"},
      {Collective::scatter, "binomial"},
      {Collective::scatter, "multilevel", Order::lost, true},
      {Collective::scatter, "multilevel:merged=2", Order::lost, true},
      {Collective::scatter, "multilevel:levels=binomial/chain/k-ary", Order::lost, true},
      {Collective::scatter, "multilevel:degree=2,levels=k-chain/binary/linear", Order::lost, true},
      {Collective::scatterv, "linear"},
      {Collective::scatterv, "binomial"},
      {Collective::scatterv, "multilevel", Order::lost, true},
      {Collective::scatterv, "multilevel:levels=binomial/chain/k-ary", Order::lost, true},
  };
  return plans;
}

inline const std::vector<PlanCase>& allgather_plans() {
  static const std::vector<PlanCase> plans = {
      {Collective::allgather, "ring"},
      {Collective::allgather, "recursive-doubling"},
      {Collective::allgather, "neighbour-exchange"},
      {Collective::allgather, "bruck"},
      {Collective::allgather, "bine"},
      {Collective::allgather, "multilevel", Order::lost, true},
      {Collective::allgather, "aggregated", Order::lost, true},
      {Collective::allgatherv, "ring"},
      {Collective::allgatherv, "recursive-doubling"},
      {Collective::allgatherv, "neighbour-exchange"},
      {Collective::allgatherv, "bruck"},
      {Collective::allgatherv, "bine"},
      {Collective::allgatherv, "multilevel", Order::lost, true},
      {Collective::allgatherv, "aggregated", Order::lost, true},
  };
  return plans;
}

inline const std::vector<PlanCase>& alltoall_plans() {
  static const std::vector<PlanCase> plans = {
      {Collective::alltoall, "linear"},
      {Collective::alltoall, "pairwise"},
      {Collective::alltoall, "bruck"},
      {Collective::alltoall, "linear-sequential"},
      {Collective::alltoall, "linear-sequential:segment=16"},
      {Collective::alltoall, "linear-sync"},
      {Collective::alltoall, "linear-sync:degree=1"},
      {Collective::alltoallv, "linear"},
      {Collective::alltoallv, "pairwise"},
      {Collective::alltoallv, "linear-sync"},
      {Collective::alltoallv, "linear-sync:degree=1"},
      {Collective::alltoallw, "linear"},
      {Collective::alltoallw, "pairwise"},
      {Collective::alltoallw, "linear-sync"},
      {Collective::alltoallw, "linear-sync:degree=1"},
      {Collective::alltoall, "multilevel", Order::lost, true},
      {Collective::alltoallv, "multilevel", Order::lost, true},
      {Collective::alltoallw, "multilevel", Order::lost, true},
  };
  return plans;
}

/// The elements that have to cross between clusters in a gather or a scatter: the blocks of all ranks outside the
/// root's.
inline std::int64_t min_wide_area_count(const Sites& sites, const Problem& problem) {
  std::int64_t elements = 0;
  for (int rank = 0; rank < sites.topology.size(); ++rank)
    if (sites.cluster_of(rank) != sites.cluster_of(problem.root)) elements += block_count(problem, rank);
  return elements;
}

}  // namespace isthmus::tests
