// Regret of the sampled choice (algorithms/tuning/sampled_selector.hpp) against the best of all candidates, both timed
// by replay of the full schedule: on each platform all collectives that it chooses for, 1 B to 1 MiB by 4. Regret is
// the time of its plan over that of the best, minus one; the label names the worst case. `slowest_choice_ms` is
// processor time, the best of three. A platform of 1024 ranks takes minutes.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "algorithms/replay/replay.hpp"
#include "algorithms/tuning/sampled_selector.hpp"
#include "platforms/reader.hpp"
#include "tests/support/networks.hpp"

namespace isthmus {
namespace {

constexpr Collective chosen_for[] = {Collective::barrier,
                                     Collective::broadcast,
                                     Collective::reduce,
                                     Collective::allreduce,
                                     Collective::gather,
                                     Collective::scatter,
                                     Collective::allgather,
                                     Collective::allgatherv,
                                     Collective::alltoall,
                                     Collective::scan,
                                     Collective::exscan,
                                     Collective::reduce_scatter,
                                     Collective::reduce_scatter_block};

double processor_s() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// The choice, and the shortest of three times that it took.
std::pair<Choice, double> chosen(const SampledSelector& selector, const Problem& problem) {
  Choice choice;
  double min_s = 1;
  for (int i = 0; i < 3; ++i) {
    const double begin_s = processor_s();
    choice = selector.choose(problem);
    min_s = std::min(min_s, processor_s() - begin_s);
  }
  return {choice, min_s};
}

void regret(benchmark::State& state, const Network& network) {
  constexpr std::int64_t effort_messages = 1 << 20, max_bytes = 1 << 20;
  const Placement placement = place_ranks(network, PlacementRule::block, 1);
  const PlacedNetwork placed(network, placement);
  const SampledSelector selector(placed);
  std::vector<double> regrets;
  std::string worst;
  double slowest_s = 0;
  const auto decide = [&](const Problem& problem) {
    const auto [choice, choice_s] = chosen(selector, problem);
    const double seconds =
        replay(placed, problem.element_bytes, source(choice.plan, placed.topology(), problem)).seconds;
    const Candidate best = choose(placed, problem, effort_messages);
    const double percent = 100 * std::max(0.0, seconds / best.seconds - 1);
    if (regrets.empty() || percent > *std::max_element(regrets.begin(), regrets.end()))
      worst = fmt::format("{} of {} B: {} for {}", name(problem.collective), problem.bytes(), to_string(choice.plan),
                          to_string(best.plan));
    regrets.push_back(percent);
    slowest_s = std::max(slowest_s, choice_s);
  };
  for (auto _ : state) {
    for (const Collective collective : chosen_for) {
      if (!carries_data(collective)) {
        decide({.collective = collective, .element_bytes = 1});
        continue;
      }
      for (std::int64_t bytes = 1; bytes <= max_bytes; bytes *= 4) {
        const std::int64_t element_bytes = has_operator(collective) && bytes >= 8 ? 8 : 1;
        decide({.collective = collective, .count = bytes / element_bytes, .element_bytes = element_bytes});
      }
    }
  }
  std::sort(regrets.begin(), regrets.end());
  state.counters["decisions"] = static_cast<double>(regrets.size());
  state.counters["median_percent"] = regrets[regrets.size() / 2];
  state.counters["percentile_95_percent"] = regrets[regrets.size() * 95 / 100];
  state.counters["worst_percent"] = regrets.back();
  state.counters["slowest_choice_ms"] = 1e3 * slowest_s;
  state.SetLabel(worst);
}

/// Equal sites of equal machines; with one machine a site there are two levels.
Topology sites(int count, int machines, int ranks) {
  std::vector<std::vector<std::string>> paths;
  for (int rank = 0; rank < count * machines * ranks; ++rank) {
    paths.push_back({fmt::format("{}", rank / (machines * ranks))});
    if (machines > 1) paths.back().push_back(fmt::format("{}", rank / ranks));
  }
  return Topology::from_paths(paths);
}

/// 1024 ranks: sites of 12, 5, 16 and 1 machines of 10 to 112 ranks, and one of 32 without machines.
Topology uneven_sites() {
  std::vector<std::vector<std::string>> paths;
  const auto add = [&](const char* site, int machines, auto ranks_of) {
    for (int machine = 0; machine < machines; ++machine)
      paths.insert(paths.end(), ranks_of(machine), {site, fmt::format("{}", machine)});
  };
  add("a", 12, [](int machine) { return 32 + machine % 3 * 8; });
  add("b", 5, [](int) { return 48; });
  add("c", 16, [](int) { return 10; });
  add("d", 1, [](int) { return 112; });
  paths.insert(paths.end(), 32, {"e"});
  return Topology::from_paths(paths);
}

void das(benchmark::State& state) {
  regret(state, tests::das(static_cast<int>(state.range(0)), static_cast<int>(state.range(1))));
}
void unknown_costs(benchmark::State& state) {
  regret(state, default_network(sites(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)),
                                      static_cast<int>(state.range(2)))));
}
void uneven(benchmark::State& state) { regret(state, default_network(uneven_sites())); }
void of_file(benchmark::State& state, const char* file) {
  regret(state, read_platform(std::string(ISTHMUS_PLATFORMS "/") + file));
}

BENCHMARK(das)->Name("Regret/das")->Args({4, 256})->Args({16, 64})->Iterations(1)->Unit(benchmark::kSecond);
BENCHMARK(unknown_costs)->Name("Regret/default")->Args({4, 8, 32})->Iterations(1)->Unit(benchmark::kSecond);
BENCHMARK(uneven)->Name("Regret/uneven/1024")->Iterations(1)->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(of_file, das_4x4, "kielmann2000/das-4x4.xml")
    ->Name("Regret/das-4x4")
    ->Iterations(1)
    ->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(of_file, uneven, "samples/uneven.xml")
    ->Name("Regret/uneven/20")
    ->Iterations(1)
    ->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(of_file, boba, "pjesivac2005/boba.xml")->Name("Regret/boba")->Iterations(1)->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(of_file, frodo, "pjesivac2005/frodo.xml")
    ->Name("Regret/frodo")
    ->Iterations(1)
    ->Unit(benchmark::kSecond);

}  // namespace
}  // namespace isthmus
