// The replay's speed and memory, programs written, dependencies derived and messages matched included.
//
// Binomial/million: a binomial broadcast over 1,048,576 ranks on as many hosts of one star; also `peak_MB`, the largest
// resident set of the whole process, network included.
// Binomial/..., Chain/..., Kielmann/...: messages per second on smaller machines; Measured/...: with classes of links
// whose costs are piecewise functions, without (0) and with (1) overheads, and with gaps that depend on the number of
// destinations; Alltoall/...: over 16 clusters, 1 KiB a block.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <utility>

#include "algorithms/catalog.hpp"
#include "algorithms/collective/algorithm.hpp"
#include "algorithms/replay/replay.hpp"
#include "tests/support/networks.hpp"

namespace isthmus {
namespace {

double peak_MB() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void run(benchmark::State& state, Network network, Collective collective, std::string_view plan_text,
         std::int64_t bytes) {
  Placement placement = place_ranks(network, PlacementRule::block, 1);
  const PlacedNetwork placed(std::move(network), std::move(placement));  // the only copy
  const Problem problem{.collective = collective, .count = bytes};
  const Plan plan = parse_plan(collective, plan_text);
  std::int64_t messages = 0;
  double seconds = 0;
  for (auto _ : state) {
    const Replay result = replay(placed, 1, source(plan, placed.topology(), problem));
    messages += result.messages;
    seconds = result.seconds;
  }
  state.counters["messages_per_s"] = benchmark::Counter(static_cast<double>(messages), benchmark::Counter::kIsRate);
  state.counters["predicted_s"] = seconds;
  state.counters["peak_MB"] = peak_MB();
}

void broadcast(benchmark::State& state, Network network, std::string_view plan_text, std::int64_t bytes) {
  run(state, std::move(network), Collective::broadcast, plan_text, bytes);
}

void million_ranks(benchmark::State& state) { broadcast(state, tests::star(1 << 20, 2e-6, 10e9), "binomial", 1024); }
BENCHMARK(million_ranks)->Name("Binomial/million")->Unit(benchmark::kMillisecond)->Iterations(1);

/// As of a real network: processors take time, messages are cut into frames and acknowledged.
void million_ranks_of_sites(benchmark::State& state) {
  Network network = tests::das(16, 1 << 16);
  network.transport = tcp_over_ethernet();
  broadcast(state, std::move(network), "binomial", 8);
}
BENCHMARK(million_ranks_of_sites)->Name("Binomial/million/tcp")->Unit(benchmark::kMillisecond)->Iterations(1);

void binomial(benchmark::State& state) {
  broadcast(state, tests::star(static_cast<int>(state.range(0)), 2e-6, 10e9), "binomial", 1024);
}
BENCHMARK(binomial)->Name("Binomial")->Arg(1024)->Arg(65536)->Unit(benchmark::kMillisecond);

void chain(benchmark::State& state) {
  broadcast(state, tests::star(static_cast<int>(state.range(0)), 2e-6, 10e9), "chain:segment=4Ki", 1 << 20);
}
BENCHMARK(chain)->Name("Chain/1Mi/segment=4Ki")->Arg(64)->Arg(1024)->Unit(benchmark::kMillisecond);

void kielmann(benchmark::State& state) {
  broadcast(state, tests::das(4, 16), "kielmann:segment=4Ki,wan-degree=3,lan-degree=4", 1 << 22);
}
BENCHMARK(kielmann)->Name("Kielmann/das-4x16/4Mi/segment=4Ki")->Unit(benchmark::kMillisecond);

/// A star whose costs are measured; with overheads or without, and with gaps that depend on the number of destinations.
Network measured_star(int hosts, bool overheads, bool gap_factors) {
  Network network = tests::star(hosts, 2e-6, 10e9);
  std::vector<SizeFunction::Point> gap, overhead;
  for (int bytes = 1; bytes <= 1 << 20; bytes *= 2) {
    gap.push_back({static_cast<double>(bytes), 1e-6 + 1.1e-10 * bytes});
    overhead.push_back({static_cast<double>(bytes), overheads ? 2e-7 + 1e-11 * bytes : 0.0});
  }
  network.classes = {{"local", SizeFunction(gap), SizeFunction(overhead), SizeFunction(overhead), {}}};
  if (gap_factors) network.classes.front().gap_factors = {{1, 1.0}, {4, 0.8}, {16, 0.6}};
  for (Link& link : network.links) link.link_class = 0;
  return network;
}

void measured_chain(benchmark::State& state, bool gap_factors) {
  run(state, measured_star(1024, state.range(0) != 0, gap_factors), Collective::broadcast, "chain:segment=4Ki",
      1 << 20);
}
BENCHMARK_CAPTURE(measured_chain, overheads, false)
    ->Name("Measured/overheads")
    ->Arg(0)
    ->Arg(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(measured_chain, gap_factors, true)
    ->Name("Measured/gap-factors")
    ->Arg(0)
    ->Arg(1)
    ->Unit(benchmark::kMillisecond);

void measured_exchange(benchmark::State& state, Collective collective, const char* plan, std::int64_t bytes) {
  run(state, measured_star(512, true, false), collective, plan, bytes);
}
BENCHMARK_CAPTURE(measured_exchange, ring, Collective::allreduce, "ring", 1 << 20)
    ->Name("Measured/allreduce/ring")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(measured_exchange, pairwise, Collective::alltoall, "pairwise", 1024)
    ->Name("Measured/alltoall/pairwise")
    ->Unit(benchmark::kMillisecond);

// Every link carries messages of many ranks: their order depends on time throughout.
void alltoall(benchmark::State& state, const char* plan) {
  const int ranks = static_cast<int>(state.range(0));
  run(state, tests::das(16, ranks / 16), Collective::alltoall, plan, 1024);
}
void two_sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->Arg(1024)->Arg(4096)->Unit(benchmark::kMillisecond)->Iterations(1);
}
BENCHMARK_CAPTURE(alltoall, pairwise, "pairwise")->Name("Alltoall/pairwise")->Apply(two_sizes);
BENCHMARK_CAPTURE(alltoall, multilevel, "multilevel")->Name("Alltoall/multilevel")->Apply(two_sizes);

}  // namespace
}  // namespace isthmus
