// Time of an automatic choice that is not in the cache, after another one for the same collective: 1024 ranks, four
// equal sites of eight machines, or five or six sites of unequal rates. And of the first choice for a collective.
#include <benchmark/benchmark.h>

#include "algorithms/tuning/sampled_selector.hpp"
#include "tests/support/random_meshes.hpp"

namespace isthmus {
namespace {

Topology four_sites() {
  std::vector<std::vector<std::string>> paths;
  for (int rank = 0; rank < 1024; ++rank) paths.push_back({std::to_string(rank / 256), std::to_string(rank / 32)});
  return Topology::from_paths(paths);
}

/// One of the random meshes with so many hosts that 1024 ranks have one each.
PlacedNetwork unequal_sites(int mesh_number) {
  tests::RandomMesh mesh = tests::random_meshes()[mesh_number];
  const int sites = static_cast<int>(mesh.sizes.size());
  for (int site = 0; site < sites; ++site) mesh.sizes[site] = 1024 * (site + 1) / sites - 1024 * site / sites;
  return {tests::network_of(mesh, tcp_over_ethernet().header_bytes), one_rank_a_host(1024)};
}

void choose(benchmark::State& state, const SampledSelector& selector, Collective collective) {
  Problem problem{.collective = collective, .element_bytes = 8};
  problem.count = carries_data(collective) ? state.range(0) / 8 : 0;
  selector.choose(problem);  // the ways of its packings are known then
  for (auto _ : state) benchmark::DoNotOptimize(selector.choose(problem).seconds);
}

void choose_over_1024_ranks(benchmark::State& state, Collective collective) {
  choose(state, SampledSelector(four_sites()), collective);
}

void choose_over_unequal_sites(benchmark::State& state, Collective collective, int mesh_number) {
  choose(state, SampledSelector(unequal_sites(mesh_number)), collective);
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

void first_choice_over_six_unequal_sites(benchmark::State& state, Collective collective) {
  const PlacedNetwork placed = unequal_sites(8);
  const Problem problem{.collective = collective, .count = 8192, .element_bytes = 8};
  for (auto _ : state) {
    state.PauseTiming();
    const SampledSelector selector(placed);
    state.ResumeTiming();
    benchmark::DoNotOptimize(selector.choose(problem).seconds);
  }
}
BENCHMARK_CAPTURE(first_choice_over_six_unequal_sites, broadcast, Collective::broadcast)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(first_choice_over_six_unequal_sites, allreduce, Collective::allreduce)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(first_choice_over_six_unequal_sites, allgather, Collective::allgather)->Unit(benchmark::kMicrosecond);

const bool registered = [] {
  for (const auto& [sites, mesh_number] : {std::pair("five", 4), std::pair("six", 8)})
    for (const Collective collective :
         {Collective::broadcast, Collective::reduce, Collective::allreduce, Collective::allgather,
          Collective::reduce_scatter, Collective::alltoall, Collective::gather, Collective::scatter})
      three_sizes(
          benchmark::RegisterBenchmark(fmt::format("choose_over_{}_unequal_sites/{}", sites, name(collective)).c_str(),
                                       [collective, number = mesh_number](benchmark::State& state) {
                                         choose_over_unequal_sites(state, collective, number);
                                       }));
  return true;
}();

void make_a_selector_for_1024_ranks(benchmark::State& state) {
  const Topology topology = four_sites();
  for (auto _ : state) benchmark::DoNotOptimize(SampledSelector(topology).sampled_ranks());
}
BENCHMARK(make_a_selector_for_1024_ranks)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace isthmus
