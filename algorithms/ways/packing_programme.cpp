#include "algorithms/ways/packing_programme.hpp"

#include <ClpSimplex.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "algorithms/errors.hpp"

namespace isthmus {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kSolverTolerance = 1e-10;
/// A column enters if its reduced cost, scaled, is above this: more than the solver's tolerance, so that no column that
/// the programme already has is taken again.
constexpr double kMinReducedCost = 3e-10;
/// No price, scaled, is below this. So a column over a row of very small capacity, which could hardly carry anything,
/// is not cheap. The optimum is missed by this for each row at most.
constexpr double kMinPrice = 3e-10;
/// Smaller entries of the scaled matrix count as nothing.
constexpr double kMinEntry = 1e-13;

void require_positive(const std::vector<double>& values, const char* what) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!(values[i] > 0) || values[i] == kInfinity) {
      throw BadInput(std::string("the ") + what + " number " + std::to_string(i) + " of a linear programme is " +
                     std::to_string(values[i]) + "; a number above 0 would be right");
    }
  }
}

}  // namespace

struct PackingProgramme::State {
  std::vector<double> capacity, demand;
  std::vector<ProgrammeColumn> columns;
  std::vector<double> unit;  // of the amount of each column in the model
  double theta_scale = 0;    // 0 until each commodity has a column
  ClpSimplex model;          // column 0 is theta; then the columns in order

  int commodity_row(int commodity) const { return static_cast<int>(capacity.size()) + commodity; }

  double cost(const ProgrammeColumn& column, const ProgrammePrices& prices) const {
    double sum = 0;
    for (const RowLoad& load : column.loads) sum += prices.row[load.row] * load.amount;
    return sum;
  }

  /// What a column could carry alone.
  double bottleneck(const ProgrammeColumn& column) const {
    double least = kInfinity;
    for (const RowLoad& load : column.loads) least = std::min(least, capacity[load.row] / load.amount);
    return least;
  }

  double unit_of(const ProgrammeColumn& column) const {
    return std::min(bottleneck(column), demand[column.commodity] * theta_scale);
  }

  double scaled_gain(const ProgrammeColumn& column, double of_unit) const {
    return column.gain * of_unit / (demand[column.commodity] * theta_scale);
  }

  /// The theta that each commodity would reach by its best column alone, the least of them; 0 if one has none.
  double first_theta() const {
    std::vector<double> alone(demand.size(), 0.0);
    for (const ProgrammeColumn& column : columns) {
      double& best = alone[column.commodity];
      best = std::max(best, column.gain * bottleneck(column) / demand[column.commodity]);
    }
    return *std::min_element(alone.begin(), alone.end());
  }

  void start_model() {
    const int rows = commodity_row(static_cast<int>(demand.size()));
    model.setLogLevel(0);
    model.scaling(0);
    model.setPrimalTolerance(kSolverTolerance);
    model.setDualTolerance(kSolverTolerance);
    model.resize(rows, 0);
    std::vector<int> index(demand.size());
    const std::vector<double> ones(demand.size(), 1.0);
    for (int row = 0; row < rows; ++row) {
      const bool is_capacity = row < static_cast<int>(capacity.size());
      model.setRowBounds(row, -COIN_DBL_MAX, is_capacity ? 1.0 : 0.0);
      if (!is_capacity) index[row - capacity.size()] = row;
    }
    model.addColumn(static_cast<int>(index.size()), index.data(), ones.data(), 0.0, COIN_DBL_MAX, -1.0);
  }

  /// Adds what the model does not have yet.
  void enter_columns() {
    std::vector<CoinBigIndex> starts{0};
    std::vector<int> index;
    std::vector<double> entry;
    const std::size_t first = unit.size();
    for (std::size_t j = first; j < columns.size(); ++j) {
      unit.push_back(unit_of(columns[j]));
      for (const RowLoad& load : columns[j].loads) {
        const double scaled = load.amount * unit[j] / capacity[load.row];
        if (scaled < kMinEntry) continue;
        index.push_back(load.row);
        entry.push_back(scaled);
      }
      index.push_back(commodity_row(columns[j].commodity));
      entry.push_back(-scaled_gain(columns[j], unit[j]));
      starts.push_back(static_cast<CoinBigIndex>(index.size()));
    }
    const int number = static_cast<int>(columns.size() - first);
    if (number == 0) return;
    const std::vector<double> zeros(number, 0.0), infinite(number, COIN_DBL_MAX);
    model.addColumns(number, zeros.data(), infinite.data(), zeros.data(), starts.data(), index.data(), entry.data());
  }

  ProgrammePrices first_prices() const {
    ProgrammePrices prices;
    for (double c : capacity) prices.row.push_back(1 / c);
    for (double d : demand) prices.worth.push_back(1 / d);
    return prices;
  }

  ProgrammePrices prices() const {
    ProgrammePrices prices;
    const double* dual = model.dualRowSolution();
    for (std::size_t i = 0; i < capacity.size(); ++i)
      prices.row.push_back(std::max(kMinPrice, -dual[i]) * theta_scale / capacity[i]);
    for (std::size_t c = 0; c < demand.size(); ++c)
      prices.worth.push_back(std::max(0.0, -dual[commodity_row(static_cast<int>(c))]) / demand[c]);
    return prices;
  }

  /// What the prices and the cheapest column of each commodity prove; infinite if one commodity has none among
  /// `priced`.
  double bound(const ProgrammePrices& prices, const std::vector<ProgrammeColumn>& priced) const {
    std::vector<double> cheapest(demand.size(), kInfinity);
    for (const ProgrammeColumn& column : priced)
      if (column.gain > 0)
        cheapest[column.commodity] = std::min(cheapest[column.commodity], cost(column, prices) / column.gain);
    double worth = 0, value = 0;
    for (std::size_t c = 0; c < demand.size(); ++c) {
      if (cheapest[c] == kInfinity) return kInfinity;
      worth += demand[c] * cheapest[c];
    }
    for (std::size_t i = 0; i < capacity.size(); ++i) value += prices.row[i] * capacity[i];
    return worth > 0 ? value / worth : kInfinity;
  }
};

PackingProgramme::PackingProgramme(std::vector<double> capacity, std::vector<double> demand)
    : state_(std::make_unique<State>()) {
  require_positive(capacity, "capacity");
  require_positive(demand, "demand");
  if (demand.empty()) throw BadInput("a linear programme without a demand; one commodity at least would be right");
  state_->capacity = std::move(capacity);
  state_->demand = std::move(demand);
}
PackingProgramme::~PackingProgramme() = default;
PackingProgramme::PackingProgramme(PackingProgramme&&) noexcept = default;
PackingProgramme& PackingProgramme::operator=(PackingProgramme&&) noexcept = default;

int PackingProgramme::add(ProgrammeColumn column) {
  const auto has = [](const std::vector<double>& values, int i) {
    return i >= 0 && static_cast<std::size_t>(i) < values.size();
  };
  bool good = has(state_->demand, column.commodity) && column.gain >= 0 && !column.loads.empty();
  for (const RowLoad& load : column.loads) good = good && has(state_->capacity, load.row) && load.amount > 0;
  if (!good) {
    throw BadInput("a column of a linear programme for commodity " + std::to_string(column.commodity) +
                   "; rows and a commodity that exist, a gain of 0 or more and loads above 0 would be right");
  }
  state_->columns.push_back(std::move(column));
  return static_cast<int>(state_->columns.size()) - 1;
}

void PackingProgramme::set_gain(int column, double gain) {
  State& s = *state_;
  ProgrammeColumn& changed = s.columns.at(column);
  if (!(gain >= 0)) throw BadInput("a gain of " + std::to_string(gain) + "; a number of 0 or more would be right");
  changed.gain = gain;
  if (static_cast<std::size_t>(column) < s.unit.size())
    s.model.modifyCoefficient(s.commodity_row(changed.commodity), 1 + column, -s.scaled_gain(changed, s.unit[column]),
                              true);
}

std::span<const ProgrammeColumn> PackingProgramme::columns() const { return state_->columns; }

ProgrammeSolution PackingProgramme::solve(const PriceColumns& price_columns, const ProgrammeBudget& budget) {
  State& s = *state_;
  ProgrammeSolution solution;
  solution.bound = kInfinity;
  if (s.theta_scale == 0) {
    if (s.first_theta() == 0) {
      solution.rounds = 1;
      for (ProgrammeColumn& column : price_columns(s.first_prices())) add(std::move(column));
    }
    s.theta_scale = s.first_theta();
    if (s.theta_scale == 0) {  // a commodity that cannot be served
      solution.amounts.assign(s.columns.size(), 0.0);
      solution.prices = s.first_prices();
      solution.bound = 0;
      solution.finished = true;
      return solution;
    }
    s.start_model();
  }
  while (true) {
    s.enter_columns();
    s.model.primal();
    solution.prices = s.prices();
    solution.theta = s.model.primalColumnSolution()[0] * s.theta_scale;
    if (solution.rounds >= budget.rounds || static_cast<int>(s.columns.size()) >= budget.columns) break;
    ++solution.rounds;
    std::vector<ProgrammeColumn> priced = price_columns(solution.prices);
    solution.bound = std::min(solution.bound, s.bound(solution.prices, priced));
    bool added = false;
    for (ProgrammeColumn& column : priced) {
      const double reduced = solution.prices.worth[column.commodity] * column.gain - s.cost(column, solution.prices);
      if (reduced * s.unit_of(column) / s.theta_scale <= kMinReducedCost) continue;
      add(std::move(column));
      added = true;
    }
    if (!added || solution.theta >= solution.bound * (1 - budget.tolerance)) {
      solution.finished = true;
      break;
    }
  }
  const double* amounts = s.model.primalColumnSolution();
  for (std::size_t j = 0; j < s.columns.size(); ++j)
    solution.amounts.push_back(j < s.unit.size() ? std::max(0.0, amounts[1 + j]) * s.unit[j] : 0.0);
  return solution;
}

}  // namespace isthmus
