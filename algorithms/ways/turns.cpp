#include "algorithms/ways/turns.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace isthmus {
namespace {

constexpr std::size_t max_latencies = 8;  // of which each link has a row
constexpr int max_steps = 5;              // to the least horizon
constexpr double near_one = 1.002;

/// Some of the latencies of the ways, ascending, the least among them.
std::vector<double> some_latencies_s(const std::vector<WayInTurn>& ways) {
  std::vector<double> all_s, some_s;
  for (const WayInTurn& way : ways) all_s.push_back(way.latency_s);
  std::ranges::sort(all_s);
  for (std::size_t i = 0; i < max_latencies && !all_s.empty(); ++i)
    some_s.push_back(all_s[i * all_s.size() / max_latencies]);
  some_s.erase(std::unique(some_s.begin(), some_s.end()), some_s.end());
  return some_s;
}

struct Served {
  Turns turns;
  double times = 0;           ///< the demand
  double mean_latency_s = 0;  ///< by bytes
};

/// The most that the ways carry within the horizon, divided by how many times the demand that is.
Served most_within(double horizon_s, const std::vector<double>& latencies_s, const std::vector<WayInTurn>& ways,
                   const std::vector<double>& capacity, const std::vector<double>& demand, double thrift) {
  std::vector<double> capacities;
  for (const double latency_s : latencies_s)
    for (const double one : capacity) capacities.push_back(one * (latency_s < horizon_s ? horizon_s - latency_s : 1));
  const auto rows = static_cast<double>(capacities.size());
  PackingProgramme programme(std::move(capacities), demand);
  programme.set_thrift(thrift / rows);
  for (std::size_t way = 0; way < ways.size(); ++way) {
    const WayInTurn& one = ways[way];
    if (one.latency_s >= horizon_s) continue;
    ProgrammeColumn column{.commodity = one.commodity, .loads = {}, .tag = static_cast<int>(way)};
    for (std::size_t i = 0; i < latencies_s.size() && latencies_s[i] <= one.latency_s; ++i)
      for (const RowLoad& load : one.loads)
        column.loads.push_back({static_cast<int>(i * capacity.size()) + load.row, load.amount});
    programme.add(std::move(column));
  }
  const ProgrammeSolution solution =
      programme.solve([](const ProgrammePrices&) { return std::vector<ProgrammeColumn>{}; });
  Served served{.turns = {horizon_s, std::vector<double>(ways.size())}, .times = solution.theta};
  if (!(served.times > 0) || !std::isfinite(served.times)) return {};
  double bytes = 0;
  for (std::size_t column = 0; column < solution.amounts.size(); ++column) {
    const int way = programme.columns()[column].tag;
    const double moved = solution.amounts[column] / served.times;
    served.turns.bytes[way] = moved;
    bytes += moved;
    served.mean_latency_s += moved * ways[way].latency_s;
  }
  served.mean_latency_s /= bytes;
  return served;
}

}  // namespace

std::vector<Turns> in_turns(const std::vector<WayInTurn>& ways, const std::vector<double>& capacity,
                            const std::vector<double>& demand, double horizon_s, double thrift) {
  if (ways.empty() || !std::isfinite(horizon_s)) return {};
  const std::vector<double> latencies_s = some_latencies_s(ways);
  std::vector<Turns> found;
  for (int step = 0; step < max_steps; ++step) {
    Served served = most_within(horizon_s, latencies_s, ways, capacity, demand, thrift);
    const bool is_enough = served.times >= 1 / near_one;
    if (!is_enough && (found.empty() || served.times <= 0)) break;
    if (is_enough) {
      if (found.size() > 1) found.pop_back();
      found.push_back(std::move(served.turns));
      if (served.times < near_one) break;
    }
    horizon_s = served.mean_latency_s + (horizon_s - served.mean_latency_s) / served.times;
  }
  return found;
}

}  // namespace isthmus
