// How long the synthesis of a packing takes: one size of pieces (Packing/*), and the search for it too (Search/*).
//
// Full meshes of 4, 8 and 16 sites and 64 sites with up to 8 neighbours, or all (64-full), each of 16 hosts; rates over
// a factor of 50, 2 to 60 ms, messages or blocks of 16 MiB. `ways`: in the packing. `loss`: by leaving out links.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "algorithms/synthesis/synthesis.hpp"

namespace isthmus {
namespace {

constexpr std::int64_t kBytes = 1 << 24, kPieceBytes = 1 << 18;
constexpr int kHosts = 16;

/// Sites at random places of a square; `neighbours` 0: a full mesh.
Network sites_on_a_plane(int sites, int neighbours) {
  std::mt19937 random(1);
  const auto uniform = [&] { return static_cast<double>(random()) / 4294967296.0; };
  Network network;
  network.name = "plane";
  const auto add_link = [&](double bandwidth_Bps, double latency_s) {
    network.links.push_back({std::to_string(network.links.size()), bandwidth_Bps, latency_s, Sharing::shared});
    return static_cast<int>(network.links.size()) - 1;
  };
  std::vector<std::pair<double, double>> place(sites);
  for (auto& [x, y] : place) {
    x = uniform();
    y = uniform();
  }
  for (int s = 0; s < sites; ++s) {
    network.trunks[{s, s}];
    for (int h = 0; h < kHosts; ++h) {
      Host& host = network.hosts.emplace_back();
      host.name = std::to_string(s) + "-" + std::to_string(h);
      host.endpoint = s;
      host.zones = {{"site", std::to_string(s)}};
      host.up = {add_link(1.25e9, 1e-5)};
      host.down = {add_link(1.25e9, 1e-5)};
    }
    for (int other = 0; other < sites; ++other) {
      const int apart = std::min(std::abs(s - other), sites - std::abs(s - other));
      // The next ones around a ring, and as many far ones.
      const bool near = apart <= neighbours / 4, far = apart * 7 % sites < neighbours / 4;
      if (s == other || (neighbours > 0 && !near && !far)) continue;
      const double distance = std::hypot(place[s].first - place[other].first, place[s].second - place[other].second);
      network.trunks[{s, other}].links = {add_link(1e6 * std::pow(50, uniform()), 2e-3 + 41e-3 * distance)};
    }
  }
  return network;
}

void synthesis(benchmark::State& state, int sites, int neighbours, Collective collective, bool search) {
  const Network network = sites_on_a_plane(sites, neighbours);
  const PlacedNetwork placed(network, place_ranks(network, PlacementRule::block, 1));
  Synthesis result;
  for (auto _ : state) {
    const SiteNetwork site_network(placed);
    const Problem problem{.collective = collective, .count = kBytes};
    result = search ? synthesise_with_piece(site_network, problem) : synthesise(site_network, problem, kPieceBytes);
    benchmark::DoNotOptimize(result);
  }
  state.counters["ways"] = static_cast<double>(result.packing.ways.size());
  state.counters["forecast_s"] = result.seconds;
  state.counters["loss"] = result.loss;
  state.counters["finished"] = result.finished ? 1 : 0;
}

const bool registered = [] {
  for (const bool search : {false, true}) {
    for (const auto& [name_of_network, sites, neighbours] :
         {std::tuple("4", 4, 0), std::tuple("8", 8, 0), std::tuple("16", 16, 0), std::tuple("64", 64, 8),
          std::tuple("64-full", 64, 0)}) {
      for (const Collective collective :
           {Collective::broadcast, Collective::reduce, Collective::allreduce, Collective::allgather,
            Collective::reduce_scatter_block, Collective::scatter, Collective::gather, Collective::alltoall}) {
        const std::string title =
            std::string(search ? "Search/" : "Packing/") + name_of_network + "/" + std::string(name(collective));
        benchmark::RegisterBenchmark(title.c_str(), synthesis, sites, neighbours, collective, search)
            ->Unit(benchmark::kMillisecond);
      }
    }
  }
  return true;
}();

}  // namespace
}  // namespace isthmus
