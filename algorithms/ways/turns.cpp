#include "algorithms/ways/turns.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace isthmus {
namespace {

constexpr int max_steps = 6;   // to the least horizon
constexpr int max_rounds = 8;  // of windows, for a horizon
constexpr double near_one = 1.002;

/// The time of a row without the first `head_s` and the last `tail_s`.
struct Window {
  int row = 0;
  double head_s = 0, tail_s = 0;

  bool holds(const TimedLoad& load) const { return load.row == row && load.head_s >= head_s && load.tail_s >= tail_s; }
  bool operator==(const Window&) const = default;
};

struct Served {
  Turns turns;
  double times = 0;           ///< the demand
  double mean_latency_s = 0;  ///< by bytes
};

class TurnsProgramme {
 public:
  TurnsProgramme(const std::vector<WayInTurn>& ways, const std::vector<double>& capacity,
                 const std::vector<double>& demand, double thrift)
      : ways_(ways), capacity_(capacity), demand_(demand), thrift_(thrift) {
    std::vector<Window> whole(capacity.size());
    std::vector<char> is_used(capacity.size());
    for (const WayInTurn& way : ways)
      for (const TimedLoad& load : way.loads) {
        Window& window = whole[load.row];
        window.head_s = is_used[load.row] ? std::min(window.head_s, load.head_s) : load.head_s;
        window.tail_s = is_used[load.row] ? std::min(window.tail_s, load.tail_s) : load.tail_s;
        window.row = load.row;
        is_used[load.row] = 1;
      }
    for (std::size_t row = 0; row < whole.size(); ++row)
      if (is_used[row]) windows_.push_back(whole[row]);
  }

  /// The most that the ways carry within the horizon, divided by how many times the demand that is.
  Served most_within(double horizon_s) {
    Served served;
    for (int round = 0; round < max_rounds; ++round) {
      served = within_windows(horizon_s);
      if (served.times <= 0 || !add_windows(served)) break;
    }
    return served;
  }

 private:
  Served within_windows(double horizon_s) const {
    std::vector<double> capacities;
    for (const Window& window : windows_) {
      const double rest_s = horizon_s - window.head_s - window.tail_s;
      capacities.push_back(capacity_[window.row] * (rest_s > 0 ? rest_s : 1));
    }
    const auto rows = static_cast<double>(capacities.size());
    PackingProgramme programme(std::move(capacities), demand_);
    programme.set_thrift(thrift_ / rows);
    std::vector<double> amounts(windows_.size());
    for (std::size_t way = 0; way < ways_.size(); ++way) {
      const WayInTurn& one = ways_[way];
      if (one.latency_s >= horizon_s) continue;
      ProgrammeColumn column{.commodity = one.commodity, .loads = {}, .tag = static_cast<int>(way)};
      for (std::size_t i = 0; i < windows_.size(); ++i) {
        double amount = 0;
        for (const TimedLoad& load : one.loads)
          if (windows_[i].holds(load)) amount += load.amount;
        if (amount > 0) column.loads.push_back({static_cast<int>(i), amount});
      }
      programme.add(std::move(column));
    }
    const ProgrammeSolution solution =
        programme.solve([](const ProgrammePrices&) { return std::vector<ProgrammeColumn>{}; });
    Served served{.turns = {horizon_s, std::vector<double>(ways_.size())}, .times = solution.theta};
    if (!(served.times > 0) || !std::isfinite(served.times)) return {};
    double bytes = 0;
    for (std::size_t column = 0; column < solution.amounts.size(); ++column) {
      const int way = programme.columns()[column].tag;
      const double moved = solution.amounts[column] / served.times;
      served.turns.bytes[way] = moved;
      bytes += moved;
      served.mean_latency_s += moved * ways_[way].latency_s;
    }
    served.mean_latency_s /= bytes;
    return served;
  }

  /// Of each row the window that is overfull most. False if there is none.
  bool add_windows(const Served& served) {
    constexpr double overfull = 1.001;
    struct Used {
      double head_s, tail_s, seconds;
    };
    std::vector<std::vector<Used>> of_row(capacity_.size());
    for (std::size_t way = 0; way < ways_.size(); ++way)
      for (const TimedLoad& load : ways_[way].loads)
        if (const double bytes = served.turns.bytes[way] * served.times; bytes > 0)
          of_row[load.row].push_back({load.head_s, load.tail_s, bytes * load.amount / capacity_[load.row]});
    const std::size_t before = windows_.size();
    for (std::size_t row = 0; row < of_row.size(); ++row) {
      std::vector<Used>& used = of_row[row];
      std::ranges::sort(used, [](const Used& a, const Used& b) { return a.tail_s > b.tail_s; });
      double most = overfull;
      Window worst{.row = static_cast<int>(row)};
      for (const Used& first : used) {
        double busy_s = 0;
        for (std::size_t i = 0; i < used.size(); ++i) {
          if (used[i].head_s >= first.head_s) busy_s += used[i].seconds;
          if (i + 1 < used.size() && used[i + 1].tail_s == used[i].tail_s) continue;
          const double rest_s = served.turns.horizon_s - first.head_s - used[i].tail_s;
          if (rest_s <= 0 || busy_s <= most * rest_s) continue;
          most = busy_s / rest_s;
          worst.head_s = first.head_s;
          worst.tail_s = used[i].tail_s;
        }
      }
      if (most > overfull && std::ranges::find(windows_, worst) == windows_.end()) windows_.push_back(worst);
    }
    return windows_.size() > before;
  }

  const std::vector<WayInTurn>& ways_;
  const std::vector<double>& capacity_;
  const std::vector<double>& demand_;
  double thrift_;
  std::vector<Window> windows_;
};

}  // namespace

std::vector<Turns> in_turns(const std::vector<WayInTurn>& ways, const std::vector<double>& capacity,
                            const std::vector<double>& demand, double horizon_s, double thrift) {
  if (ways.empty() || !std::isfinite(horizon_s)) return {};
  TurnsProgramme programme(ways, capacity, demand, thrift);
  std::vector<Turns> found;
  double last_s = 0, last_times = 0;
  for (int step = 0; step < max_steps; ++step) {
    Served served = programme.most_within(horizon_s);
    const bool is_enough = served.times >= 1 / near_one;
    if (!is_enough && (found.empty() || served.times <= 0)) break;
    if (is_enough) {
      if (found.size() > 1) found.pop_back();
      found.push_back(std::move(served.turns));
      if (served.times < near_one) break;
    }
    const double at_s = horizon_s, slope = step > 0 ? (served.times - last_times) / (at_s - last_s) : 0;
    horizon_s = slope > 0 ? at_s + (1 - served.times) / slope
                          : served.mean_latency_s + (at_s - served.mean_latency_s) / served.times;
    if (horizon_s == at_s) break;
    last_s = at_s;
    last_times = served.times;
  }
  return found;
}

}  // namespace isthmus
