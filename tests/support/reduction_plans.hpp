// Every plan of the collectives that combine operands, with more than one setting of what it takes beside the segment.
#pragma once

#include "tests/support/collective_cases.hpp"

namespace isthmus::tests {

inline const std::vector<PlanCase>& barrier_plans() {
  static const std::vector<PlanCase> plans = {
      {Collective::barrier, "flat"},
      {Collective::barrier, "double-ring"},
      {Collective::barrier, "recursive-doubling"},
      {Collective::barrier, "dissemination"},
      {Collective::barrier, "multilevel", Order::lost, true},
  };
  return plans;
}

inline const std::vector<PlanCase>& reduce_plans() {
  static const std::vector<PlanCase> plans = {
      {Collective::reduce, "flat", Order::kept},
      {Collective::reduce, "chain", Order::kept},
      {Collective::reduce, "k-chain", Order::kept},
      {Collective::reduce, "k-chain:degree=2", Order::kept},
      {Collective::reduce, "binary", Order::lost},
      {Collective::reduce, "in-order-binary", Order::kept},
      {Collective::reduce, "binomial", Order::kept},
      {Collective::reduce, "bine", Order::lost},
      {Collective::reduce, "rabenseifner", Order::kept},
      {Collective::reduce, "multilevel", Order::kept, true},
      {Collective::reduce, "multilevel:merged=2", Order::kept, true},
      {Collective::reduce, "multilevel:levels=binomial/chain/k-ary", Order::lost, true},
      {Collective::reduce, "multilevel:degree=2,levels=k-chain/binary/linear", Order::lost, true},
      {Collective::reduce, "multilevel-shared", Order::kept_in_contiguous_groups, true},
      {Collective::reduce, "multipath", Order::lost, true},
      {Collective::reduce, "multipath:segment=16,degree=1", Order::lost, true},
  };
  return plans;
}

inline const std::vector<PlanCase>& allreduce_plans() {
  static const std::vector<PlanCase> plans = {
      {Collective::allreduce, "recursive-doubling", Order::kept},
      {Collective::allreduce, "ring", Order::lost},
      {Collective::allreduce, "segmented-ring", Order::lost},
      {Collective::allreduce, "rabenseifner", Order::kept},
      {Collective::allreduce, "reduce-broadcast", Order::kept},
      {Collective::allreduce, "multilevel", Order::kept, true},
      {Collective::allreduce, "multilevel:merged=2", Order::kept, true},
      {Collective::allreduce, "multilevel:levels=binomial/chain/k-ary", Order::lost, true},
      {Collective::allreduce, "multilevel-exchange", Order::kept, true},
      {Collective::allreduce, "multilevel-shared", Order::kept_in_contiguous_groups, true},
  };
  return plans;
}

/// Of reduce_scatter and reduce_scatter_block alike.
inline std::vector<PlanCase> reduce_scatter_plans() {
  std::vector<PlanCase> plans;
  for (const Collective collective : {Collective::reduce_scatter, Collective::reduce_scatter_block}) {
    plans.push_back({collective, "ring", Order::lost});
    plans.push_back({collective, "recursive-halving", Order::lost});
    plans.push_back({collective, "butterfly", Order::kept});
    plans.push_back({collective, "pairwise", Order::kept});
    plans.push_back({collective, "multilevel", Order::kept, true});
  }
  return plans;
}

/// Of scan and exscan alike.
inline std::vector<PlanCase> scan_plans() {
  std::vector<PlanCase> plans;
  for (const Collective collective : {Collective::scan, Collective::exscan}) {
    plans.push_back({collective, "linear", Order::kept});
    plans.push_back({collective, "recursive-doubling", Order::kept});
    plans.push_back({collective, "multilevel", Order::kept, true});
  }
  return plans;
}

}  // namespace isthmus::tests
