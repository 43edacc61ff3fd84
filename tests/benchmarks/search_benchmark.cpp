// How good and how quick the heuristic of Kielmann 2000, section 3.1 is.
//
// Heuristic/*: time of one search. Exhaustive/*: the same by the exhaustive search.
// Quality/*: least predicted time that the heuristic finds over that of the exhaustive optimum, for every power of two
// from 1 B to 4 MiB; one row a size with the counter `ratio`, and `share_within_1_percent` over all sizes.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

#include "algorithms/tuning/search.hpp"
#include "tests/support/networks.hpp"

namespace isthmus {
namespace {

constexpr std::int64_t largest = 4194304;

TwoLayers layers_of(int clusters, int hosts) {
  const Network network = tests::das(clusters, hosts);
  return two_layers_of({network, place_ranks(network, PlacementRule::block, 1)});
}

void search(benchmark::State& state, int clusters, int hosts, decltype(search_kielmann)* by) {
  const TwoLayers layers = layers_of(clusters, hosts);
  KielmannChoice choice;
  for (auto _ : state) {
    choice = by(layers, largest, 1, {});
    benchmark::DoNotOptimize(choice);
  }
  state.counters["segments"] = static_cast<double>(choice.segments);
  state.counters["evaluations"] = static_cast<double>(choice.evaluations);
  state.counters["predicted_s"] = choice.seconds;
}

void quality(benchmark::State& state, int clusters, int hosts, std::int64_t only_bytes) {
  const TwoLayers layers = layers_of(clusters, hosts);
  double ratio = 0, worst = 0;
  int sizes = 0, within = 0;
  for (auto _ : state) {
    for (std::int64_t bytes = 1; bytes <= largest; bytes *= 2) {
      if (only_bytes > 0 && bytes != only_bytes) continue;
      ratio = search_kielmann(layers, bytes, 1).min_seconds / search_kielmann_exhaustively(layers, bytes, 1).seconds;
      worst = std::max(worst, ratio);
      ++sizes;
      if (ratio <= 1.01) ++within;
    }
  }
  if (only_bytes > 0) {
    state.counters["ratio"] = ratio;
  } else {
    state.counters["share_within_1_percent"] = static_cast<double>(within) / sizes;
    state.counters["worst_ratio"] = worst;
  }
}

const bool registered = [] {
  for (const auto& [clusters, hosts] : {std::pair{4, 16}, std::pair{8, 8}}) {
    const std::string platform = "das-" + std::to_string(clusters) + "x" + std::to_string(hosts);
    benchmark::RegisterBenchmark(("Heuristic/" + platform + "/4Mi").c_str(), search, clusters, hosts, search_kielmann);
    benchmark::RegisterBenchmark(("Exhaustive/" + platform + "/4Mi").c_str(), search, clusters, hosts,
                                 search_kielmann_exhaustively)
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("Quality/" + platform + "/all").c_str(), quality, clusters, hosts, 0)
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
    for (std::int64_t bytes = 1; bytes <= largest; bytes *= 2) {
      benchmark::RegisterBenchmark(("Quality/" + platform + "/" + std::to_string(bytes)).c_str(), quality, clusters,
                                   hosts, bytes)
          ->Iterations(1)
          ->Unit(benchmark::kMillisecond);
    }
  }
  return true;
}();

}  // namespace
}  // namespace isthmus
