// The linear programme of a packing: how much each way carries so that the least served commodity gets most.
//
//   maximise theta   where  demand[c] * theta <= sum of gain * amount over the columns of commodity c
//                           sum of load[row] * amount over all columns <= capacity[row],   amount >= 0
//
// A way may consist of two columns, its halves, of which the first ends at a junction and the second begins there. Of
// the second halves of a junction no more is used than of the first ones, so that n and m of them stand for n m ways.
//
// Columns are made on demand (Gilmore and Gomory 1961): a callback gets the prices of the rows and the worth of the
// commodities and returns columns that are worth more than they cost. Rows are divided by their capacity and amounts by
// what a column alone could carry, so that capacities of 1e-9 and 1e12 may stand in one programme.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace isthmus {

/// What one unit of a column takes from a row.
struct RowLoad {
  int row = 0;
  double amount = 0;

  bool operator==(const RowLoad&) const = default;
};

enum class ColumnPart : std::uint8_t { whole, first_half, second_half };

struct ProgrammeColumn {
  int commodity = 0;
  double gain = 1;             ///< of the commodity a unit; at least 0 for a whole way
  std::vector<RowLoad> loads;  ///< amounts above 0, each row at most once
  int tag = 0;                 ///< the caller's own number for the column
  ColumnPart part = ColumnPart::whole;
  int junction = -1;  ///< where a half meets others of its commodity
};

/// The dual of the programme. A way of gain g is worth adding if worth[commodity] * g > sum of row[i] * load[i].
struct ProgrammePrices {
  std::vector<double> row;    ///< theta that one more unit of each row's capacity would give
  std::vector<double> worth;  ///< theta a unit of each commodity; the sum of demand * worth is 1
};

struct ProgrammeBudget {
  int rounds = 10000;       ///< of pricing
  int columns = 1'000'000;  ///< in the programme
  double tolerance = 1e-9;  ///< of the objective below its bound, at which it is enough
  bool midway = false;      ///< Ends where it is enough, even if columns that are there would gain more: sooner, but
                            ///< the prices are then no good ones.
};

struct ProgrammeSolution {
  double theta = 0;
  std::vector<double> amounts;  ///< of each column, by its index
  ProgrammePrices prices;
  /// What no packing exceeds (Farley 1990), provided that the callback returns a way of least cost over gain for
  /// each commodity. Infinite if unknown.
  double bound = 0;
  /// No column is worth adding. Else this is the best so far: the budget was used up, or there are more than 2000 rows
  /// and commodities, for which the result is some percent below the bound.
  bool finished = false;
  int rounds = 0;  ///< of pricing, in this call
};

/// Returns columns for the prices, best one or a few ways for each commodity; of ways of two halves both. A first call
/// prices each row at 1 / capacity and each commodity at 1 / demand.
using PriceColumns = std::function<std::vector<ProgrammeColumn>(const ProgrammePrices&)>;

class PackingProgramme {
 public:
  /// Throws BadInput for a capacity or demand that is not a number above 0, or if there is no demand.
  PackingProgramme(std::vector<double> capacity, std::vector<double> demand, int junctions = 0);
  ~PackingProgramme();
  PackingProgramme(PackingProgramme&&) noexcept;
  PackingProgramme& operator=(PackingProgramme&&) noexcept;

  /// Returns the index of the column. Throws BadInput for rows, commodities or junctions that do not exist.
  int add(ProgrammeColumn column);
  /// Changes the gain of a column; the basis is kept.
  void set_gain(int column, double gain);
  /// What it takes off theta to fill a row whole; 0 at first. Of many solutions that are about as good the one that
  /// uses least of the rows is then the best, whatever the last digits of the capacities. The bound is of theta alone.
  void set_thrift(double theta_a_row);
  /// Prices of which solve() finds out at first what they prove.
  void guess(ProgrammePrices prices);
  std::span<const ProgrammeColumn> columns() const;
  /// Whether the programme has so many rows and commodities that solve() approximates.
  bool approximates() const;

  /// Starts from where the last call ended. Equal calls give equal results, bit for bit.
  ProgrammeSolution solve(const PriceColumns& price_columns, const ProgrammeBudget& budget = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace isthmus
