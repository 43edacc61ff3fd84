#include "algorithms/ways/simplex.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "algorithms/ways/simplex_loops.hpp"

namespace isthmus {
namespace {

/// Amounts and slacks that are negative by less were lost to rounding and to the test of ratios, both of which the
/// inverse makes as much larger as its entries are.
constexpr double kFeasible = 1e-6;
/// A programme on which that does not help is given up.
constexpr int kMaxRestarts = 3;
/// The inverse is made anew after as many steps as it has rows, and not before this number; after four times as many
/// where there are many rows, since making it takes longer than what is more exact then saves.
constexpr std::size_t kStepsPerFactor = 50;
/// Columns looked at in each step; all others only when none of these gains anything.
constexpr std::size_t kPromising = 40;
/// With fewer rows the greatest gain takes as few steps as devex, and the inverse is quickly made.
constexpr std::size_t kFewRows = 200;

}  // namespace

Simplex::Simplex(std::vector<double> limits)
    : limit_(std::move(limits)), rows_(limit_.size()), full_place_(limit_.size(), -1), duals_(limit_.size(), 0.0) {
  slack_direction_.resize(limit_.size());
  shake();
}

void Simplex::shake() {
  // A sequence spread evenly over [1, 2): multiples of the golden ratio.
  shaken_ = limit_;
  for (std::size_t i = 0; i < limit_.size(); ++i) {
    const double turn = 0.6180339887498949 * static_cast<double>(i + 1);
    shaken_[i] += kShake * (1 + turn - std::floor(turn));
  }
  slacks_ = shaken_;
}

int Simplex::add_column(std::vector<SparseEntry> entries, double objective) {
  const int column = static_cast<int>(columns_.size());
  for (int number = 0; number < static_cast<int>(entries.size()); ++number)
    rows_[entries[number].row].push_back({column, number});
  columns_.push_back({std::move(entries), objective, -1});
  return column;
}

void Simplex::set_entry(int column, int row, double value) {
  for (SparseEntry& entry : columns_[column].entries)
    if (entry.row == row) entry.value = value;
  changed_ = changed_ || columns_[column].place >= 0;
}

double Simplex::value(int column) const {
  const int place = columns_[column].place;
  if (place < 0) return 0;
  double sum = 0;
  for (std::size_t full = 0; full < full_rows_.size(); ++full)
    sum += inverse(static_cast<int>(full))[place] * limit_[full_rows_[full]];
  return std::max(0.0, sum);
}

bool Simplex::maximise(double tolerance, int max_steps, double enough) {
  if (changed_ && !refactor()) restart();
  changed_ = false;
  promising_.clear();
  row_weight_.assign(limit_.size(), 1.0);
  find_duals();
  int restarts = 0;
  double reached = objective();
  for (int i = 0; i < max_steps; ++i) {
    if (reached >= enough) return true;
    const Entering entering = choose(tolerance);
    if (entering.column < 0 && entering.row < 0) return true;
    find_direction(entering);
    const Leaving leaving = find_leaving();
    if (leaving.pivot == 0) throw std::domain_error("a linear programme without a bound");
    if (leaving.row >= 0) find_row_by_inverse(leaving.row);
    price_row(entering, leaving);
    step(entering, leaving);
    reached += entering.gain * leaving.length;
    if (++steps_since_factor_ < steps_per_factor()) continue;
    if (!refactor()) {
      restart();
      if (++restarts > kMaxRestarts) return false;
    }
    reached = objective();
    find_duals();
    for (const int column : promising_) columns_[column].gain = reduced_gain(column);
  }
  return reached >= enough;
}

std::size_t Simplex::steps_per_factor() const {
  return std::max(kStepsPerFactor, (limit_.size() < kFewRows ? 1 : 4) * in_use_.size());
}

double Simplex::objective() const {
  double sum = 0;
  for (std::size_t p = 0; p < in_use_.size(); ++p) sum += columns_[in_use_[p]].objective * amounts_[p];
  return sum;
}

double Simplex::reduced_gain(int column) const {
  double gain = columns_[column].objective;
  for (const SparseEntry& entry : columns_[column].entries) gain -= duals_[entry.row] * entry.value;
  return gain;
}

Simplex::Entering Simplex::choose(double tolerance) {
  // A row or column whose gain, squared, over its weight is greatest.
  const auto best_now = [&] {
    Entering best;
    double most = 0;
    const auto consider = [&](int column, int row, double gain, double weight) {
      if (gain <= tolerance || gain * gain <= most * weight) return;
      most = gain * gain / weight;
      best = {column, row, gain};
    };
    for (const int row : full_rows_) consider(-1, row, -duals_[row], row_weight_[row]);
    for (const int column : promising_) {
      const Column& one = columns_[column];
      if (one.place < 0) consider(column, -1, one.gain, one.weight);
    }
    return best;
  };
  Entering best = best_now();
  if (best.column >= 0 || best.row >= 0) return best;
  find_duals();
  find_promising(tolerance);
  return best_now();
}

/// Those that gain most now.
void Simplex::find_promising(double tolerance) {
  std::vector<std::pair<double, int>> gains;
  for (int j = 0; j < static_cast<int>(columns_.size()); ++j)
    if (columns_[j].place < 0)
      if (const double gain = reduced_gain(j); gain > tolerance) gains.push_back({-gain, j});
  const std::size_t kept = std::min(gains.size(), kPromising);
  std::partial_sort(gains.begin(), gains.begin() + static_cast<std::ptrdiff_t>(kept), gains.end());
  promising_.clear();
  for (std::size_t i = 0; i < kept; ++i) {
    const auto [loss, column] = gains[i];
    promising_.push_back(column);
    columns_[column].gain = -loss;
    columns_[column].weight = 1;
  }
}

void Simplex::find_direction(const Entering& entering) {
  const std::size_t t = in_use_.size();
  direction_.assign(t, 0.0);
  std::fill(slack_direction_.begin(), slack_direction_.end(), 0.0);
  if (entering.row >= 0) {
    std::copy_n(inverse(full_place_[entering.row]), t, direction_.begin());
  } else {
    for (const SparseEntry& entry : columns_[entering.column].entries) {
      slack_direction_[entry.row] = entry.value;
      if (full_place_[entry.row] >= 0) add_multiple(direction_.data(), inverse(full_place_[entry.row]), entry.value, t);
    }
  }
  for (std::size_t p = 0; p < t; ++p) {
    if (direction_[p] == 0) continue;
    for (const SparseEntry& entry : columns_[in_use_[p]].entries)
      slack_direction_[entry.row] -= entry.value * direction_[p];
  }
  for (const int row : full_rows_) slack_direction_[row] = 0;
}

Simplex::Leaving Simplex::find_leaving() const {
  // Of what reaches zero first, within a hair, what changes fastest leaves (Harris 1973).
  const double most = std::min(least_ratio(amounts_.data(), direction_.data(), in_use_.size()),
                               least_ratio(slacks_.data(), slack_direction_.data(), slacks_.size()));
  Leaving leaving;
  if (const int p = fastest_to_leave(amounts_.data(), direction_.data(), in_use_.size(), most, 0); p >= 0)
    leaving = {p, -1, direction_[p], std::max(amounts_[p], 0.0) / direction_[p]};
  if (const int i = fastest_to_leave(slacks_.data(), slack_direction_.data(), slacks_.size(), most, leaving.pivot);
      i >= 0)
    leaving = {-1, i, slack_direction_[i], std::max(slacks_[i], 0.0) / slack_direction_[i]};
  return leaving;
}

/// What the step changes in the duals, the gains and the weights of what is not in the basis: multiples of what a unit
/// of each would take from what leaves.
void Simplex::price_row(const Entering& entering, const Leaving& leaving) {
  const double gain = entering.gain / leaving.pivot;  // of a unit of what leaves
  const double weight_of_entering = entering.row >= 0 ? row_weight_[entering.row] : columns_[entering.column].weight;
  const double weight = limit_.size() < kFewRows ? 0 : weight_of_entering / (leaving.pivot * leaving.pivot);
  taken_.assign(limit_.size(), 0.0);
  if (leaving.row >= 0) taken_[leaving.row] = 1;
  for (std::size_t f = 0; f < full_rows_.size(); ++f) {
    const double takes = leaving.row >= 0 ? -row_by_inverse_[f] : inverse(static_cast<int>(f))[leaving.place];
    taken_[full_rows_[f]] = takes;
    duals_[full_rows_[f]] += gain * takes;
    row_weight_[full_rows_[f]] = std::max(row_weight_[full_rows_[f]], takes * takes * weight);
  }
  for (const int column : promising_) {
    Column& one = columns_[column];
    if (one.place >= 0) continue;
    double takes = 0;
    for (const SparseEntry& entry : one.entries) takes += entry.value * taken_[entry.row];
    one.gain -= gain * takes;
    one.weight = std::max(one.weight, takes * takes * weight);
  }
  if (entering.row >= 0) duals_[entering.row] = 0;
  if (leaving.row >= 0) {
    duals_[leaving.row] = gain;
    row_weight_[leaving.row] = std::max(1.0, weight);
  } else {
    Column& left = columns_[in_use_[leaving.place]];
    left.gain = -gain;
    left.weight = std::max(1.0, weight);
  }
}

void Simplex::step(const Entering& entering, const Leaving& leaving) {
  const auto [place, row, pivot, length] = leaving;
  for (std::size_t p = 0; p < in_use_.size(); ++p) amounts_[p] -= length * direction_[p];
  for (std::size_t i = 0; i < slacks_.size(); ++i) slacks_[i] -= length * slack_direction_[i];
  if (entering.row >= 0) {
    const int full = full_place_[entering.row];
    slacks_[entering.row] = length;
    if (row >= 0)
      replace_row(full, row);
    else
      shrink(place, full);
  } else if (row >= 0) {
    grow(entering.column, row);
    amounts_.back() = length;
  } else {
    replace_column(place, entering.column);
    amounts_[place] = length;
  }
  if (row >= 0) slacks_[row] = 0;
}

void Simplex::find_row_by_inverse(int row) {
  const std::size_t t = in_use_.size();
  std::vector<std::pair<int, double>> terms;
  for (const auto& [column, number] : rows_[row])
    if (const Column& one = columns_[column]; one.place >= 0) terms.emplace_back(one.place, one.entries[number].value);
  std::ranges::sort(terms, {}, &std::pair<int, double>::first);
  row_by_inverse_.resize(t);
  for (std::size_t f = 0; f < t; ++f) row_by_inverse_[f] = sparse_dot(terms, inverse(static_cast<int>(f)), t);
}

void Simplex::grow(int column, int row) {
  const double schur = slack_direction_[row];
  const int t = static_cast<int>(in_use_.size());
  if (t + 1 > stride_) {
    const int wider = std::max(16, 2 * stride_);
    std::vector<double> moved(static_cast<std::size_t>(wider) * wider);
    for (int f = 0; f < t; ++f) std::copy_n(inverse(f), t, &moved[static_cast<std::size_t>(f) * wider]);
    inverse_ = std::move(moved);
    stride_ = wider;
  }
  factors_.resize(t);
  for (int f = 0; f < t; ++f) factors_[f] = row_by_inverse_[f] / schur;
  add_multiples(inverse_.data(), stride_, factors_.data(), direction_.data(), t);
  for (int f = 0; f < t; ++f) inverse(f)[t] = -factors_[f];
  for (int p = 0; p < t; ++p) inverse(t)[p] = -direction_[p] / schur;
  inverse(t)[t] = 1 / schur;
  in_use_.push_back(column);
  columns_[column].place = t;
  full_rows_.push_back(row);
  full_place_[row] = t;
  amounts_.push_back(0);
}

void Simplex::shrink(int place, int full) {
  const int last = static_cast<int>(in_use_.size()) - 1;
  std::vector<double> row(inverse(full), inverse(full) + last + 1);
  const double pivot = row[place];
  row[place] = 0;
  factors_.resize(last + 1);
  for (int f = 0; f <= last; ++f) factors_[f] = -inverse(f)[place] / pivot;
  add_multiples(inverse_.data(), stride_, factors_.data(), row.data(), last + 1);
  for (int f = 0; f <= last; ++f) inverse(f)[place] = inverse(f)[last];
  if (full != last) std::copy_n(inverse(last), last, inverse(full));
  columns_[in_use_[place]].place = -1;
  full_place_[full_rows_[full]] = -1;
  in_use_[place] = in_use_[last];
  amounts_[place] = amounts_[last];
  full_rows_[full] = full_rows_[last];
  if (place != last) columns_[in_use_[place]].place = place;
  if (full != last) full_place_[full_rows_[full]] = full;
  in_use_.pop_back();
  amounts_.pop_back();
  full_rows_.pop_back();
}

void Simplex::replace_column(int place, int column) {
  const int t = static_cast<int>(in_use_.size());
  const double pivot = direction_[place];
  direction_[place] = 0;
  factors_.resize(t);
  for (int f = 0; f < t; ++f) factors_[f] = -inverse(f)[place] / pivot;
  add_multiples(inverse_.data(), stride_, factors_.data(), direction_.data(), t);
  for (int f = 0; f < t; ++f) inverse(f)[place] = -factors_[f];
  columns_[in_use_[place]].place = -1;
  in_use_[place] = column;
  columns_[column].place = place;
}

void Simplex::replace_row(int full, int row) {
  const std::vector<double>& by_row = row_by_inverse_;
  const int t = static_cast<int>(in_use_.size());
  double* replaced = inverse(full);
  for (int p = 0; p < t; ++p) replaced[p] /= by_row[full];
  factors_.resize(t);
  for (int f = 0; f < t; ++f) factors_[f] = f == full ? 0 : -by_row[f];
  add_multiples(inverse_.data(), stride_, factors_.data(), replaced, t);
  full_place_[full_rows_[full]] = -1;
  full_rows_[full] = row;
  full_place_[row] = full;
}

/// Inverts the kernel anew. False if it is singular or amounts are negative by more than a hair.
bool Simplex::refactor() {
  const int t = static_cast<int>(in_use_.size());
  steps_since_factor_ = 0;
  // Gauss-Jordan on [kernel | unit]: rows are full rows, columns those in use. The columns of the unit matrix stand in
  // the order in which their rows are taken: a row that has not been taken has nothing in later ones but its own 1.
  std::vector<double> kernel(static_cast<std::size_t>(t) * t), unit(static_cast<std::size_t>(t) * t);
  for (int p = 0; p < t; ++p) {
    for (const SparseEntry& entry : columns_[in_use_[p]].entries)
      if (full_place_[entry.row] >= 0) kernel[static_cast<std::size_t>(full_place_[entry.row]) * t + p] = entry.value;
  }
  std::vector<int> at(t);
  for (int f = 0; f < t; ++f) at[f] = f;
  for (int p = 0; p < t; ++p) {
    int best = p;
    for (int f = p + 1; f < t; ++f)
      if (std::abs(kernel[static_cast<std::size_t>(at[f]) * t + p]) >
          std::abs(kernel[static_cast<std::size_t>(at[best]) * t + p]))
        best = f;
    std::swap(at[p], at[best]);
    double* row = &kernel[static_cast<std::size_t>(at[p]) * t];
    double* solved = &unit[static_cast<std::size_t>(at[p]) * t];
    if (std::abs(row[p]) < 1e-14) return false;
    const double scale = 1 / row[p];
    for (int i = p; i < t; ++i) row[i] *= scale;
    solved[p] = 1;
    for (int i = 0; i <= p; ++i) solved[i] *= scale;
    for (int f = 0; f < t; ++f) {
      if (f == at[p]) continue;
      double* other = &kernel[static_cast<std::size_t>(f) * t];
      const double factor = other[p];
      if (factor == 0) continue;
      double* result = &unit[static_cast<std::size_t>(f) * t];
      add_multiple(other + p, row + p, -factor, t - p);
      add_multiple(result, solved, -factor, p + 1);
    }
  }
  double largest = 0;
  for (int f = 0; f < t; ++f)
    for (int p = 0; p < t; ++p) {
      double& entry = inverse(at[f])[p];
      entry = unit[static_cast<std::size_t>(at[p]) * t + f];
      largest = std::max(largest, std::abs(entry));
    }
  find_values();
  const double tolerance = std::max(kFeasible, kShake * largest);
  const auto feasible = [&](double amount) { return amount >= -tolerance; };
  if (!std::all_of(amounts_.begin(), amounts_.end(), feasible) ||
      !std::all_of(slacks_.begin(), slacks_.end(), feasible))
    return false;
  lift();
  return true;
}

/// Makes what is negative by a hair 0, and shifts the limits so that this is right: starting again instead would take
/// the same steps and come here again.
void Simplex::lift() {
  const auto negative = [](double amount) { return amount < 0; };
  if (std::any_of(amounts_.begin(), amounts_.end(), negative)) {
    for (double& amount : amounts_) amount = std::max(amount, 0.0);
    std::vector<double> used(limit_.size());
    for (std::size_t p = 0; p < in_use_.size(); ++p)
      for (const SparseEntry& entry : columns_[in_use_[p]].entries) used[entry.row] += entry.value * amounts_[p];
    for (std::size_t i = 0; i < slacks_.size(); ++i) {
      if (full_place_[i] >= 0)
        shaken_[i] = used[i];
      else
        slacks_[i] = shaken_[i] - used[i];
    }
  }
  for (std::size_t i = 0; i < slacks_.size(); ++i) {
    if (slacks_[i] >= 0) continue;
    shaken_[i] -= slacks_[i];
    slacks_[i] = 0;
  }
}

void Simplex::find_values() {
  slacks_ = shaken_;
  for (std::size_t p = 0; p < in_use_.size(); ++p) {
    double sum = 0;
    for (std::size_t f = 0; f < full_rows_.size(); ++f) sum += inverse(static_cast<int>(f))[p] * shaken_[full_rows_[f]];
    amounts_[p] = sum;
    for (const SparseEntry& entry : columns_[in_use_[p]].entries) slacks_[entry.row] -= entry.value * sum;
  }
  for (int row : full_rows_) slacks_[row] = 0;
}

void Simplex::find_duals() {
  std::vector<std::pair<int, double>> terms;
  for (std::size_t p = 0; p < in_use_.size(); ++p)
    if (const double objective = columns_[in_use_[p]].objective; objective != 0)
      terms.emplace_back(static_cast<int>(p), objective);
  std::fill(duals_.begin(), duals_.end(), 0.0);
  // Several rows at once: one sum waits for its last addition.
  constexpr std::size_t kRows = 8;
  for (std::size_t f = 0; f < full_rows_.size(); f += kRows) {
    const std::size_t number = std::min(kRows, full_rows_.size() - f);
    const double* rows[kRows];
    for (std::size_t i = 0; i < kRows; ++i) rows[i] = inverse(static_cast<int>(f + std::min(i, number - 1)));
    double sums[kRows] = {};
    for (const auto& [place, objective] : terms)
      for (std::size_t i = 0; i < kRows; ++i) sums[i] += objective * rows[i][place];
    for (std::size_t i = 0; i < number; ++i) duals_[full_rows_[f + i]] = sums[i];
  }
}

void Simplex::restart() {
  for (int column : in_use_) columns_[column].place = -1;
  for (int row : full_rows_) full_place_[row] = -1;
  in_use_.clear();
  full_rows_.clear();
  amounts_.clear();
  shake();
}

}  // namespace isthmus
