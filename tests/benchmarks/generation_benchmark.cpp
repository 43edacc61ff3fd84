// How long it takes to write the broadcast programs of a million ranks, one after the other into the same memory.
#include <benchmark/benchmark.h>

#include <string>

#include "algorithms/catalog.hpp"
#include "algorithms/collective/algorithm.hpp"
#include "tests/support/groupings.hpp"

namespace isthmus {
namespace {

constexpr int million = 1 << 20;

void write_programs(benchmark::State& state, const Algorithm& algorithm, int ranks_per_site) {
  const Topology topology = ranks_per_site == 0 ? Topology::flat(million) : tests::grouped(million, [&](int rank) {
    return tests::Path{std::to_string(rank / ranks_per_site)};
  });
  const Plan plan{&algorithm, {}};
  const Problem problem{.collective = algorithm.collective, .count = 1024};
  const ProgramSource write = source(plan, topology, problem);
  Program program;
  std::size_t operations = 0;
  for ([[maybe_unused]] auto iteration : state) {
    for (int rank = 0; rank < million; ++rank) {
      program.clear();
      write(rank, program);
      operations += program.ops().size();
    }
  }
  state.counters["operations"] = benchmark::Counter(static_cast<double>(operations), benchmark::Counter::kIsRate);
}

const bool registered = [] {
  for (const Algorithm* algorithm : algorithms_of(Collective::broadcast)) {
    // In the ring every rank has an operation for each rank that holds a block: 10^9 operations here.
    // A packing is made for a network: there is none.
    if (algorithm->id == "scatter-allgather" || algorithm->id == "packed") continue;
    for (const int ranks_per_site : {0, 16384}) {
      const std::string name = "generate/" + std::string(algorithm->id) + (ranks_per_site == 0 ? "/flat" : "/64_sites");
      benchmark::RegisterBenchmark(name.c_str(), [algorithm, ranks_per_site](benchmark::State& state) {
        write_programs(state, *algorithm, ranks_per_site);
      })->Unit(benchmark::kMillisecond);
    }
  }
  return true;
}();

}  // namespace
}  // namespace isthmus
