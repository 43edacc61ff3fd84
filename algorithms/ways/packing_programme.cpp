#include "algorithms/ways/packing_programme.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "algorithms/errors.hpp"
#include "algorithms/ways/simplex.hpp"

namespace isthmus {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kSolverTolerance = 1e-10;
constexpr int kMaxSteps = 100'000;  // of the simplex in one round
/// A column enters if its reduced cost, scaled, is above this: more than the solver's tolerance, so that no column that
/// the programme already has is taken again.
constexpr double kMinReducedCost = 3e-10;
/// No price, scaled, is below this. So a column over a row of very small capacity, which could hardly carry anything,
/// is not cheap. The optimum is missed by this for each row at most.
constexpr double kMinPrice = 3e-10;
/// How far towards the best proven prices columns are priced at first, and how much less if none is worth adding there.
constexpr double kFirstShare = 0.8, kShareStep = 0.4;
/// Programmes of more rows start with columns of several rounds of multiplicative weights, of this steepness.
constexpr std::size_t kSmallRows = 100;
constexpr int kFirstRounds = 100;
constexpr double kSteepness = 10;
/// Programmes of more rows and commodities are solved by so many rounds of them alone, to a few percent.
constexpr std::size_t kManyRows = 2000;
constexpr int kManyRounds = 80;
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

/// Calls visit(whole, nullptr) and visit(first half, second half) for all that meet.
template <typename Visit>
void for_each_way(const std::vector<ProgrammeColumn>& columns, const Visit& visit) {
  for (const ProgrammeColumn& column : columns) {
    if (column.part == ColumnPart::whole) visit(column, nullptr);
    if (column.part != ColumnPart::first_half) continue;
    for (const ProgrammeColumn& other : columns)
      if (other.part == ColumnPart::second_half && other.junction == column.junction &&
          other.commodity == column.commodity)
        visit(column, &other);
  }
}

double gain_of(const ProgrammeColumn& column, const ProgrammeColumn* second) {
  return column.gain + (second == nullptr ? 0 : second->gain);
}

/// From a half's junction.
double drawn(const ProgrammeColumn& half) { return half.part == ColumnPart::second_half ? 1 : -1; }

}  // namespace

struct PackingProgramme::State {
  struct Proof {
    double bound = kInfinity;
    double thrifty_bound = kInfinity;  // of theta less what the rows cost
    ProgrammePrices prices;            // that prove both, with the sum of demand * worth = 1
  };

  std::vector<double> capacity, demand;
  int junctions = 0;
  std::vector<ProgrammeColumn> columns;
  std::vector<double> unit;  // of the amount of each column in the model
  std::vector<double> fill;  // of all rows together by a unit
  double thrift = 0;         // theta that a full row costs
  double theta_scale = 0;    // 0 until each commodity has a column
  Simplex model{{}};         // column 0 is theta; then the columns in order

  Proof best;
  bool stale = false;  // gains have changed since

  int commodity_row(int commodity) const { return static_cast<int>(capacity.size()) + commodity; }
  int junction_row(int junction) const { return commodity_row(static_cast<int>(demand.size())) + junction; }

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

  /// What a unit of the model does, for a gain or what it draws from a junction.
  double scaled(const ProgrammeColumn& column, double of_unit, double number) const {
    return number * of_unit / (demand[column.commodity] * theta_scale);
  }

  /// The theta that each commodity would reach by its best way alone, the least of them; 0 if one has none.
  double first_theta() const {
    std::vector<double> alone(demand.size(), 0.0);
    for_each_way(columns, [&](const ProgrammeColumn& column, const ProgrammeColumn* second) {
      double carried = bottleneck(column);
      if (second != nullptr) carried = std::min(carried, bottleneck(*second));
      double& most = alone[column.commodity];
      most = std::max(most, gain_of(column, second) * carried / demand[column.commodity]);
    });
    return *std::min_element(alone.begin(), alone.end());
  }

  void start_model() {
    std::vector<double> limits(capacity.size(), 1.0);
    limits.resize(capacity.size() + demand.size() + junctions, 0.0);
    model = Simplex(limits);
    std::vector<SparseEntry> theta;
    for (std::size_t c = 0; c < demand.size(); ++c) theta.push_back({commodity_row(static_cast<int>(c)), 1.0});
    model.add_column(std::move(theta), 1.0);
  }

  /// Adds what the model does not have yet.
  void enter_columns() {
    for (std::size_t j = unit.size(); j < columns.size(); ++j) {
      unit.push_back(unit_of(columns[j]));
      std::vector<SparseEntry> entries;
      entries.reserve(columns[j].loads.size() + 1);
      for (const RowLoad& load : columns[j].loads) {
        const double entry = load.amount * unit[j] / capacity[load.row];
        if (entry >= kMinEntry) entries.push_back({load.row, entry});
      }
      fill.push_back(0);
      for (const SparseEntry& entry : entries) fill[j] += entry.value;
      entries.push_back({commodity_row(columns[j].commodity), -scaled(columns[j], unit[j], columns[j].gain)});
      if (columns[j].part != ColumnPart::whole)
        entries.push_back({junction_row(columns[j].junction), scaled(columns[j], unit[j], drawn(columns[j]))});
      model.add_column(std::move(entries), -scaled_thrift() * fill[j]);
    }
  }

  double scaled_thrift() const { return thrift / theta_scale; }

  /// Theta less what the rows cost.
  double thrifty_theta() const {
    double filled = 0;
    for (std::size_t j = 0; thrift > 0 && j < unit.size(); ++j)
      filled += fill[j] * model.value(1 + static_cast<int>(j));
    return model.value(0) * theta_scale - thrift * filled;
  }

  ProgrammePrices first_prices() const {
    ProgrammePrices prices{capacity, demand};
    for (double& price : prices.row) price = 1 / price;
    for (double& worth : prices.worth) worth = 1 / worth;
    return prices;
  }

  /// Of each commodity the way of least cost over gain, and that ratio; none and infinity without.
  struct Cheapest {
    std::vector<const ProgrammeColumn*> column, second;  // second: the other half, if it has two
    std::vector<double> ratio;
  };

  /// Multiplicative weights (Garg and Koenemann 2007): in each round each commodity takes its cheapest column, and what
  /// is filled most by the columns so far is dear. `take` gets each column and its amount. Returns how full the fullest
  /// row is for each round.
  using Take = std::function<void(const ProgrammeColumn&, double)>;
  double by_weights(const PriceColumns& price_columns, int rounds, const Take& take) {
    std::vector<double> filled(capacity.size());
    ProgrammePrices prices = first_prices();
    Cheapest cheapest;
    for (int round = 0; round < rounds; ++round) {
      const double most = *std::max_element(filled.begin(), filled.end());
      for (std::size_t i = 0; i < filled.size(); ++i)
        prices.row[i] = (most > 0 ? std::exp(kSteepness * (filled[i] / most - 1)) : 1) / capacity[i];
      const std::vector<ProgrammeColumn> priced = price_columns(prices);
      find_cheapest(prices, priced, cheapest);
      learn(proof(prices, cheapest));
      for (std::size_t c = 0; c < demand.size(); ++c) {
        if (cheapest.column[c] == nullptr) continue;
        const double amount = demand[c] / gain_of(*cheapest.column[c], cheapest.second[c]);
        prices.worth[c] = cheapest.ratio[c];
        for (const ProgrammeColumn* column : {cheapest.column[c], cheapest.second[c]}) {
          if (column == nullptr) continue;
          for (const RowLoad& load : column->loads) filled[load.row] += amount * load.amount / capacity[load.row];
          take(*column, amount);
        }
      }
    }
    return *std::max_element(filled.begin(), filled.end()) / rounds;
  }

  /// Finds columns that are there already. A commodity has few.
  class KnownColumns {
   public:
    explicit KnownColumns(std::size_t commodities) : of_commodity_(commodities) {}

    /// The index of the equal column among `columns`; their number if there is none, where it is to be added.
    std::size_t index_of(const ProgrammeColumn& column, std::span<const ProgrammeColumn> columns) {
      std::vector<Known>& known = of_commodity_[column.commodity];
      const double mark = mark_of(column.loads);
      const auto is_equal = [&](const Known& one) {
        const ProgrammeColumn& there = columns[one.index];
        return one.mark == mark && there.part == column.part && there.junction == column.junction &&
               std::ranges::equal(there.loads, column.loads);
      };
      const auto found = std::ranges::find_if(known, is_equal);
      if (found != known.end()) return found->index;
      known.push_back({mark, columns.size()});
      return columns.size();
    }

   private:
    struct Known {
      double mark;
      std::size_t index;
    };

    /// Equal for equal loads, and hardly ever for others.
    static double mark_of(std::span<const RowLoad> loads) {
      double mark = 0;
      for (const RowLoad& load : loads) mark += (load.row + 1) * load.amount;
      return mark;
    }

    std::vector<std::vector<Known>> of_commodity_;
  };

  /// Columns for a start. Small programmes need one round.
  std::vector<ProgrammeColumn> first_columns(const PriceColumns& price_columns, int& rounds) {
    std::vector<ProgrammeColumn> found;
    KnownColumns known(demand.size());
    const int of_weights = capacity.size() > kSmallRows ? kFirstRounds : 1;
    rounds += of_weights;
    by_weights(price_columns, of_weights, [&](const ProgrammeColumn& column, double) {
      if (known.index_of(column, found) == found.size()) found.push_back(column);
    });
    return found;
  }

  /// The solution where a commodity has no column.
  ProgrammeSolution none_served(int rounds) const {
    ProgrammeSolution solution;
    solution.rounds = rounds;
    solution.amounts.assign(columns.size(), 0.0);
    solution.prices = first_prices();
    solution.bound = 0;
    solution.finished = true;
    return solution;
  }

  /// After a change: what was the best proof is a good guess still. Proves with its prices, and returns their columns.
  std::vector<ProgrammeColumn> columns_of_best(const PriceColumns& price_columns) {
    const ProgrammePrices guess = best.prices;
    best.bound = best.thrifty_bound = kInfinity;
    std::vector<ProgrammeColumn> priced = price_columns(guess);
    learn(guess, priced);
    return priced;
  }

  /// Too many rows for a basis: an approximate solution by weights alone.
  ProgrammeSolution solve_by_weights(const PriceColumns& price_columns, int max_rounds) {
    ProgrammeSolution solution;
    solution.rounds = std::min(kManyRounds, max_rounds);
    KnownColumns known(demand.size());
    for (std::size_t j = 0; j < columns.size(); ++j) known.index_of(columns[j], std::span(columns).first(j));
    solution.amounts.assign(columns.size(), 0.0);
    best.bound = best.thrifty_bound = kInfinity;
    std::vector<char> served(demand.size());
    const double full = by_weights(price_columns, solution.rounds, [&](const ProgrammeColumn& column, double amount) {
      const std::size_t index = known.index_of(column, columns);
      if (index == columns.size()) {
        columns.push_back(column);
        solution.amounts.push_back(0);
      }
      solution.amounts[index] += amount;
      served[column.commodity] = 1;
    });
    if (std::find(served.begin(), served.end(), 0) != served.end()) {
      std::fill(solution.amounts.begin(), solution.amounts.end(), 0.0);
      solution.finished = true;
      return solution;
    }
    for (double& amount : solution.amounts) amount /= full * solution.rounds;
    solution.theta = 1 / full;
    solution.prices = best.prices;
    solution.bound = best.bound;
    return solution;
  }

  ProgrammePrices prices() const {
    ProgrammePrices prices;
    const std::vector<double>& dual = model.duals();
    for (std::size_t i = 0; i < capacity.size(); ++i)
      prices.row.push_back(std::max(kMinPrice, dual[i] + scaled_thrift()) * theta_scale / capacity[i]);
    for (std::size_t c = 0; c < demand.size(); ++c)
      prices.worth.push_back(std::max(0.0, dual[commodity_row(static_cast<int>(c))]) / demand[c]);
    return prices;
  }

  /// What the objective gains by a unit of a column at these prices, which are those of the basis.
  double reduced_gain(const ProgrammeColumn& column, const ProgrammePrices& prices) const {
    const double gain = prices.worth[column.commodity] * column.gain - cost(column, prices);
    if (column.part == ColumnPart::whole) return gain;
    return gain - drawn(column) * model.duals()[junction_row(column.junction)] / demand[column.commodity];
  }

  /// Over those priced.
  void find_cheapest(const ProgrammePrices& prices, const std::vector<ProgrammeColumn>& priced,
                     Cheapest& cheapest) const {
    cheapest.column.assign(demand.size(), nullptr);
    cheapest.second.assign(demand.size(), nullptr);
    cheapest.ratio.assign(demand.size(), kInfinity);
    for_each_way(priced, [&](const ProgrammeColumn& column, const ProgrammeColumn* second) {
      const double gain = gain_of(column, second);
      if (gain <= 0) return;
      const double ratio = (cost(column, prices) + (second == nullptr ? 0 : cost(*second, prices))) / gain;
      if (ratio >= cheapest.ratio[column.commodity]) return;
      cheapest.ratio[column.commodity] = ratio;
      cheapest.column[column.commodity] = &column;
      cheapest.second[column.commodity] = second;
    });
  }

  /// What the prices and the cheapest column of each commodity prove; nothing if a commodity has none.
  Proof proof(const ProgrammePrices& prices, const Cheapest& cheapest) const {
    Proof proof{kInfinity, kInfinity, prices};
    proof.prices.worth = cheapest.ratio;
    double all = 0, value = 0, thrifty_value = 0;
    for (std::size_t c = 0; c < demand.size(); ++c) all += demand[c] * proof.prices.worth[c];
    if (!(all > 0) || all == kInfinity) return proof;
    for (std::size_t i = 0; i < capacity.size(); ++i) {
      value += prices.row[i] * capacity[i];
      thrifty_value += std::max(0.0, prices.row[i] * capacity[i] - thrift);
    }
    for (double& worth : proof.prices.worth) worth /= all;
    for (double& price : proof.prices.row) price /= all;
    proof.bound = value / all;
    // What all rows take is at most their prices; of the part beyond thrift at most their capacities.
    proof.thrifty_bound =
        thrifty_value / all + thrift * static_cast<double>(capacity.size()) * std::max(0.0, 1 / all - 1);
    return proof;
  }

  void learn(const ProgrammePrices& prices, const std::vector<ProgrammeColumn>& priced) {
    Cheapest cheapest;
    find_cheapest(prices, priced, cheapest);
    learn(proof(prices, cheapest));
  }
  void learn(Proof&& found) {
    const double bound = std::min(found.bound, best.bound);
    if (found.thrifty_bound < best.thrifty_bound) best = std::move(found);
    best.bound = bound;
  }

  /// Prices between those of the basis and the best that are proven (Wentges 1997), which swing less from round to
  /// round.
  ProgrammePrices between(const ProgrammePrices& prices, double share) const {
    ProgrammePrices mixed = prices;
    if (share < kShareStep / 2 || best.bound == kInfinity) return mixed;
    for (std::size_t i = 0; i < mixed.row.size(); ++i) mixed.row[i] += share * (best.prices.row[i] - mixed.row[i]);
    for (std::size_t c = 0; c < mixed.worth.size(); ++c)
      mixed.worth[c] += share * (best.prices.worth[c] - mixed.worth[c]);
    return mixed;
  }
};

PackingProgramme::PackingProgramme(std::vector<double> capacity, std::vector<double> demand, int junctions)
    : state_(std::make_unique<State>()) {
  require_positive(capacity, "capacity");
  require_positive(demand, "demand");
  if (demand.empty()) throw BadInput("a linear programme without a demand; one commodity at least would be right");
  state_->capacity = std::move(capacity);
  state_->demand = std::move(demand);
  state_->junctions = junctions;
}
PackingProgramme::~PackingProgramme() = default;
PackingProgramme::PackingProgramme(PackingProgramme&&) noexcept = default;
PackingProgramme& PackingProgramme::operator=(PackingProgramme&&) noexcept = default;

int PackingProgramme::add(ProgrammeColumn column) {
  const auto has = [](const std::vector<double>& values, int i) {
    return i >= 0 && static_cast<std::size_t>(i) < values.size();
  };
  const bool whole = column.part == ColumnPart::whole;
  bool good = has(state_->demand, column.commodity) && (!whole || column.gain >= 0) && !column.loads.empty() &&
              (whole || (column.junction >= 0 && column.junction < state_->junctions));
  for (const RowLoad& load : column.loads) good = good && has(state_->capacity, load.row) && load.amount > 0;
  if (!good) {
    throw BadInput("a column of a linear programme for commodity " + std::to_string(column.commodity) +
                   "; rows, a commodity and a junction that exist, a gain of 0 or more and loads above 0 would be "
                   "right");
  }
  state_->columns.push_back(std::move(column));
  return static_cast<int>(state_->columns.size()) - 1;
}

void PackingProgramme::set_gain(int column, double gain) {
  State& s = *state_;
  ProgrammeColumn& changed = s.columns.at(column);
  if (std::isnan(gain) || (changed.part == ColumnPart::whole && gain < 0))
    throw BadInput("a gain of " + std::to_string(gain) + "; a number of 0 or more would be right");
  changed.gain = gain;
  s.stale = true;
  if (static_cast<std::size_t>(column) < s.unit.size())
    s.model.set_entry(1 + column, s.commodity_row(changed.commodity), -s.scaled(changed, s.unit[column], gain));
}

void PackingProgramme::set_thrift(double theta_a_row) {
  State& s = *state_;
  if (!(theta_a_row >= 0))
    throw BadInput("a thrift of " + std::to_string(theta_a_row) + "; a number of 0 or more would be right");
  s.stale = s.stale || theta_a_row != s.thrift;
  s.thrift = theta_a_row;
  for (std::size_t j = 0; j < s.unit.size(); ++j)
    s.model.set_objective(1 + static_cast<int>(j), -s.scaled_thrift() * s.fill[j]);
}

void PackingProgramme::guess(ProgrammePrices prices) {
  state_->best.prices = std::move(prices);
  state_->stale = true;
}

bool PackingProgramme::approximates() const { return state_->capacity.size() + state_->demand.size() > kManyRows; }

std::span<const ProgrammeColumn> PackingProgramme::columns() const { return state_->columns; }

ProgrammeSolution PackingProgramme::solve(const PriceColumns& price_columns, const ProgrammeBudget& budget) {
  State& s = *state_;
  ProgrammeSolution solution;
  solution.bound = kInfinity;
  if (approximates()) return s.solve_by_weights(price_columns, budget.rounds);
  std::vector<ProgrammeColumn> of_best;
  if (s.stale && !s.best.prices.row.empty()) {
    of_best = s.columns_of_best(price_columns);
    ++solution.rounds;
  }
  s.stale = false;
  if (s.theta_scale == 0) {
    if (s.first_theta() == 0)
      for (ProgrammeColumn& column : s.first_columns(price_columns, solution.rounds)) add(std::move(column));
    s.theta_scale = s.first_theta();
    if (s.theta_scale == 0) return s.none_served(solution.rounds);
    s.start_model();
  }
  const auto finish = [&](bool finished) {
    solution.finished = finished;
    solution.bound = s.best.bound;
    for (std::size_t j = 0; j < s.columns.size(); ++j)
      solution.amounts.push_back(j < s.unit.size() ? s.model.value(1 + static_cast<int>(j)) * s.unit[j] : 0.0);
    return solution;
  };
  for (ProgrammeColumn& column : of_best) add(std::move(column));
  while (true) {
    s.enter_columns();
    const double enough = budget.midway ? s.best.thrifty_bound * (1 - budget.tolerance) / s.theta_scale : kInfinity;
    bool solved = s.model.maximise(kSolverTolerance, kMaxSteps, enough);
    double reached = s.thrifty_theta();
    const auto is_enough = [&] { return reached >= s.best.thrifty_bound * (1 - budget.tolerance); };
    if (budget.midway && solved && !is_enough()) {  // the model's limits are a hair wider than the rows
      solved = s.model.maximise(kSolverTolerance, kMaxSteps);
      reached = s.thrifty_theta();
    }
    solution.prices = s.prices();
    solution.theta = s.model.value(0) * s.theta_scale;
    if (!solved) return finish(false);
    if (is_enough()) return finish(true);
    bool added = false;
    for (double share = kFirstShare; !added; share -= kShareStep) {
      if (solution.rounds >= budget.rounds || static_cast<int>(s.columns.size()) >= budget.columns)
        return finish(false);
      ++solution.rounds;
      const ProgrammePrices tried = s.between(solution.prices, share);
      std::vector<ProgrammeColumn> priced = price_columns(tried);
      s.learn(tried, priced);
      if (is_enough()) return finish(true);
      for (ProgrammeColumn& column : priced) {
        if (s.reduced_gain(column, solution.prices) * s.unit_of(column) / s.theta_scale <= kMinReducedCost) continue;
        add(std::move(column));
        added = true;
      }
      if (!added && (share < kShareStep / 2 || s.best.bound == kInfinity)) return finish(true);
    }
  }
}

}  // namespace isthmus
