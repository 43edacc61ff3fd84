// How long the automatic choice takes for up to 64 ranks, for each collective and size: `real_time` on the processors
// that it may use, and the processor time of its first thread. The label is the plan, `predicted_s` its time. Medians
// of several:
//
//   choice_time_benchmark --benchmark_repetitions=5 --benchmark_report_aggregates_only [--benchmark_filter=mesh]
//
// das-...: equal sites; mesh-8: eight sites of 3 to 12 hosts whose lines have rates over a factor of 20, which
//
//   choice_time_benchmark --mesh mesh-8.json
//
// writes as a network that isthmus reads.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <functional>
#include <random>
#include <string>
#include <string_view>

#include "algorithms/network/network_json.hpp"
#include "algorithms/tuning/select.hpp"
#include "platforms/reader.hpp"
#include "tests/support/meshes.hpp"

namespace isthmus {
namespace {

using Make = std::function<PlacedNetwork()>;

PlacedNetwork placed_on(const Network& network) { return {network, place_ranks(network, PlacementRule::block, 1)}; }

PlacedNetwork das(const std::string& name) {
  return placed_on(read_platform(ISTHMUS_PLATFORMS "/kielmann2000/" + name + ".xml"));
}

Network mesh() {
  std::mt19937 random(26);
  Network network = tests::random_mesh({12, 3, 8, 10, 5, 9, 7, 10}, random).network;
  network.name = "mesh-8";
  network.transport = tcp_over_ethernet();
  return network;
}

void choice(benchmark::State& state, const Make& make, Collective collective, std::int64_t bytes) {
  const PlacedNetwork placed = make();
  const std::int64_t element_bytes = has_operator(collective) ? 8 : 1;
  const Problem problem{.collective = collective, .count = bytes / element_bytes, .element_bytes = element_bytes};
  Candidate chosen;
  for (auto _ : state) chosen = choose(placed, problem);
  state.counters["predicted_s"] = chosen.seconds;
  state.SetLabel(to_string(chosen.plan).substr(0, 60));
}

void add(const std::string& network, const Make& make) {
  for (const Collective collective : collectives())
    for (const std::int64_t bytes : {0, 8, 1 << 10, 1 << 16, 1 << 20, 1 << 24}) {
      if (carries_data(collective) != (bytes > 0)) continue;
      benchmark::RegisterBenchmark(fmt::format("{}/{}/{}", network, name(collective), bytes).c_str(), choice, make,
                                   collective, bytes)
          ->Iterations(1)
          ->Unit(benchmark::kMillisecond);
    }
}

const bool registered = [] {
  for (const char* name : {"das-8x8", "das-4x16", "das-4x4"}) add(name, [name] { return das(name); });
  add("mesh-8", [] { return placed_on(mesh()); });
  return true;
}();

}  // namespace
}  // namespace isthmus

int main(int count, char** arguments) {
  if (count == 3 && std::string_view(arguments[1]) == "--mesh") {
    isthmus::write_network(isthmus::mesh(), arguments[2]);
    return 0;
  }
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
