// How long the verifier takes to prove all broadcast algorithms: sizes 1 to 33 and 64, all roots, counts 0, 1, 7 and
// 1000. One iteration is the whole sweep over a plan (all segments; every grouping if the plan uses groups).
#include <benchmark/benchmark.h>

#include "algorithms/catalog.hpp"
#include "tests/support/broadcast_sweep.hpp"

namespace isthmus {
namespace {

void prove_plan(benchmark::State& state, const std::string& plan) {
  tests::Sweep sweep;
  for ([[maybe_unused]] auto iteration : state) sweep = tests::prove_all(plan, tests::full_sweep_sizes());
  if (!sweep.failure.empty()) state.SkipWithError(sweep.failure.c_str());
  state.counters["proofs"] = static_cast<double>(sweep.proofs);
}

/// All algorithms in one figure; those that use groups in every grouping, others in one.
void prove_algorithms(benchmark::State& state) {
  std::int64_t proofs = 0;
  for ([[maybe_unused]] auto iteration : state) {
    proofs = 0;
    for (const Algorithm* algorithm : algorithms_of(Collective::broadcast)) {
      const tests::Sweep sweep = tests::prove_all(std::string(algorithm->id), tests::full_sweep_sizes());
      if (!sweep.failure.empty()) state.SkipWithError(sweep.failure.c_str());
      proofs += sweep.proofs;
    }
  }
  state.counters["proofs"] = static_cast<double>(proofs);
}

const bool registered = [] {
  benchmark::RegisterBenchmark("verify/all_broadcast_algorithms", prove_algorithms)
      ->Iterations(1)
      ->Unit(benchmark::kSecond);
  for (const std::string& plan : tests::plans_of(Collective::broadcast))
    benchmark::RegisterBenchmark(("verify/plan/" + plan).c_str(), prove_plan, plan)
        ->Iterations(1)
        ->Unit(benchmark::kSecond);
  return true;
}();

}  // namespace
}  // namespace isthmus
