// A revised primal simplex for programmes to which columns are added while they are solved.
//
//   maximise sum of objective * x   where   sum of entries * x <= limit for each row,   x >= 0,   limits >= 0
//
// The slacks are a first basis. Rows that are not full need no place in the inverse: what is kept inverted is the
// kernel, the full rows by the columns in use, which is small where few rows are full. What enters is what gains most;
// where there are many rows, what gains most over a reference length (devex, Harris 1973), which takes half the steps.
#pragma once

#include <limits>
#include <vector>

namespace isthmus {

struct SparseEntry {
  int row = 0;
  double value = 0;
};

class Simplex {
 public:
  explicit Simplex(std::vector<double> limits);

  /// Returns the index of the column.
  int add_column(std::vector<SparseEntry> entries, double objective);
  /// Replaces the entry of a column in a row that it has an entry in.
  void set_entry(int column, int row, double value);
  void set_objective(int column, double objective) { columns_[column].objective = objective; }
  /// Goes on from the last basis; to the optimum within `tolerance` of reduced costs, or until the objective is
  /// `enough`. False if neither was reached within so many steps. Throws std::domain_error if the programme has no
  /// bound.
  bool maximise(double tolerance, int max_steps, double enough = std::numeric_limits<double>::infinity());

  double value(int column) const;                              ///< of a column
  const std::vector<double>& duals() const { return duals_; }  ///< of the rows

 private:
  struct Column {
    std::vector<SparseEntry> entries;
    double objective = 0;
    int place = -1;     // among the columns in use
    double gain = 0;    // of a unit that enters; known of the promising ones
    double weight = 1;  // the square of its reference length
  };
  /// An entry of a row: columns_[column].entries[number].
  struct RowEntry {
    int column = 0, number = 0;
  };
  struct Entering {
    int column = -1, row = -1;  // one of them
    double gain = 0;
  };
  /// What becomes zero and leaves: a column's place among those in use, or the slack of a row.
  struct Leaving {
    int place = -1, row = -1;
    double pivot = 0;   // what a unit of what enters takes from it
    double length = 0;  // how much enters
  };

  std::size_t steps_per_factor() const;
  double objective() const;
  double reduced_gain(int column) const;
  Entering choose(double tolerance);
  void find_promising(double tolerance);
  void find_direction(const Entering& entering);
  Leaving find_leaving() const;
  void price_row(const Entering& entering, const Leaving& leaving);
  void step(const Entering& entering, const Leaving& leaving);
  void grow(int column, int row);
  void shrink(int place, int full);
  void replace_column(int place, int column);
  void replace_row(int full, int row);
  void find_row_by_inverse(int row);
  bool refactor();
  void lift();
  void find_values();
  void find_duals();
  void restart();
  void shake();

  /// The column of the inverse kernel for a full row, by places of columns in use.
  double* inverse(int full) { return &inverse_[static_cast<std::size_t>(full) * stride_]; }
  const double* inverse(int full) const { return &inverse_[static_cast<std::size_t>(full) * stride_]; }

  std::vector<double> limit_, shaken_;  // shaken: with a tiny excess, different for each row, against cycles
  std::vector<Column> columns_;
  std::vector<std::vector<RowEntry>> rows_;  // of the columns
  std::vector<int> in_use_;                  // columns
  std::vector<int> full_rows_;               // as many
  std::vector<int> full_place_;              // of each row among the full ones, or -1
  int stride_ = 0;
  std::vector<double> inverse_;                      // of the kernel: [place of a row][place of a column]
  std::vector<double> amounts_;                      // of the columns in use
  std::vector<double> slacks_;                       // of the rows
  std::vector<double> duals_;                        // of the rows
  std::vector<double> direction_, slack_direction_;  // what a unit of what enters takes from them
  std::vector<double> taken_;                        // by row: what a unit of what leaves takes from it
  std::vector<double> factors_;                      // of the rows of the inverse, in a step
  std::vector<double> row_by_inverse_;               // of the row whose slack leaves, by places of full rows
  std::vector<double> row_weight_;                   // of the slacks of the rows, as Column::weight
  std::vector<int> promising_;                       // columns
  bool changed_ = false;                             // an entry of a column in use
  std::size_t steps_since_factor_ = 0;
};

}  // namespace isthmus
