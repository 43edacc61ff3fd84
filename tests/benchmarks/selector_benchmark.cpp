// Time of an automatic choice that is not in the cache: 1024 ranks, four sites of eight machines.
#include <benchmark/benchmark.h>

#include "algorithms/tuning/sampled_selector.hpp"

namespace isthmus {
namespace {

Topology four_sites() {
  std::vector<std::vector<std::string>> paths;
  for (int rank = 0; rank < 1024; ++rank) paths.push_back({std::to_string(rank / 256), std::to_string(rank / 32)});
  return Topology::from_paths(paths);
}

void choose_over_1024_ranks(benchmark::State& state, Collective collective) {
  const SampledSelector selector(four_sites());
  Problem problem{.collective = collective, .element_bytes = 8};
  problem.count = carries_data(collective) ? state.range(0) / 8 : 0;
  for (auto _ : state) benchmark::DoNotOptimize(selector.choose(problem).seconds);
}

void three_sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->Arg(8)->Arg(65536)->Arg(1 << 20)->Unit(benchmark::kMicrosecond);
}

BENCHMARK_CAPTURE(choose_over_1024_ranks, barrier, Collective::barrier)->Arg(0)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(choose_over_1024_ranks, broadcast, Collective::broadcast)->Apply(three_sizes);
BENCHMARK_CAPTURE(choose_over_1024_ranks, reduce, Collective::reduce)->Apply(three_sizes);
BENCHMARK_CAPTURE(choose_over_1024_ranks, allreduce, Collective::allreduce)->Apply(three_sizes);
BENCHMARK_CAPTURE(choose_over_1024_ranks, allgather, Collective::allgather)->Apply(three_sizes);
BENCHMARK_CAPTURE(choose_over_1024_ranks, alltoall, Collective::alltoall)->Apply(three_sizes);
BENCHMARK_CAPTURE(choose_over_1024_ranks, gather, Collective::gather)->Apply(three_sizes);

void make_a_selector_for_1024_ranks(benchmark::State& state) {
  const Topology topology = four_sites();
  for (auto _ : state) benchmark::DoNotOptimize(SampledSelector(topology).sampled_ranks());
}
BENCHMARK(make_a_selector_for_1024_ranks)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace isthmus
