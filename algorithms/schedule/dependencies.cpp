#include "algorithms/schedule/dependencies.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "algorithms/schedule/access.hpp"

namespace isthmus {
namespace {

// Up to this many operations comparing every pair is cheaper than setting up cells and runs.
constexpr std::size_t tiny = 12;

}  // namespace

void derive(const Program& program, Dependencies& out) {
  const std::span<const Op> ops = program.ops();
  out.begin_.resize(ops.size() + 1);
  out.begin_[0] = 0;
  out.after_.clear();
  if (ops.size() <= tiny)
    out.derive_tiny(ops);
  else
    out.derive_any(ops);
}

void Dependencies::remove(int op, int other) {
  const auto first = after_.begin() + static_cast<std::ptrdiff_t>(begin_[op]);
  const auto last = after_.begin() + static_cast<std::ptrdiff_t>(begin_[op + 1]);
  const auto found = std::find(first, last, other);
  if (found == last) return;
  after_.erase(found);
  for (std::size_t i = op + 1; i < begin_.size(); ++i) --begin_[i];
}

void Dependencies::finish(int op) {
  if (after_.size() > begin_[op] + 1) std::sort(after_.begin() + static_cast<std::ptrdiff_t>(begin_[op]), after_.end());
  begin_[op + 1] = after_.size();
}

// ---- tiny programs: look back from each operation

void Dependencies::derive_tiny(std::span<const Op> ops) {
  for (int op = 0; op < static_cast<int>(ops.size()); ++op) {
    for (const Slice& slice : read_by(ops[op])) look_back(ops, op, op, slice, false);
    look_back(ops, op, op, written_by(ops[op]), true);
    finish(op);
  }
}

void Dependencies::look_back(std::span<const Op> ops, int op, int before, Slice slice, bool writing) {
  if (slice.count <= 0) return;
  const auto note = [&](int other) {
    if (std::find(after_.begin() + static_cast<std::ptrdiff_t>(begin_[op]), after_.end(), other) == after_.end())
      after_.push_back(other);
  };
  for (int other = before - 1; other >= 0; --other) {
    if (writing)
      for (const Slice& read : read_by(ops[other]))
        if (overlap(read, slice)) note(other);
    const Slice written = written_by(ops[other]);
    if (!overlap(written, slice)) continue;
    note(other);
    // What `other` wrote hides all earlier accesses there; the search goes on for the parts on either side.
    if (slice.offset < written.offset) look_back(ops, op, other, slice.part(0, written.offset - slice.offset), writing);
    if (written.end() < slice.end())
      look_back(ops, op, other, slice.part(written.end() - slice.offset, slice.end() - written.end()), writing);
    return;
  }
}

// ---- any program: the ends of all slices cut the buffers into cells; the cells of a run share a history
//
// A write makes its cells one run. Each run is removed at most once, so that the cost of removals is bounded by the
// number of operations that made runs. The run of a cell starts at the highest marked cell at or below it; the marks
// are a bit set whose upper levels summarise 64 words each.

void Dependencies::derive_any(std::span<const Op> ops) {
  make_cells(ops);
  seen_.assign(ops.size(), -1);
  readers_.clear();
  for (int op = 0; op < static_cast<int>(ops.size()); ++op) {
    for (const Slice& slice : read_by(ops[op]))
      for_each_run(slice, [&](Run& run) {
        add(op, run.writer);
        readers_.push_back({op, run.readers});
        run.readers = static_cast<int>(readers_.size()) - 1;
      });
    const Slice slice = written_by(ops[op]);
    if (slice.count > 0) {
      int first = -1;
      int last = -1;
      for_each_run(slice, [&](Run& run) {
        add(op, run.writer);
        for (int at = run.readers; at >= 0; at = readers_[at].next) add(op, readers_[at].op);
        const int cell = static_cast<int>(&run - runs_.data());
        if (first < 0)
          first = cell;
        else
          unmark(cell);
        last = run.end;
      });
      runs_[first] = {last, op, -1};
    }
    finish(op);
  }
}

void Dependencies::add(int op, int other) {
  if (other < 0 || other == op || seen_[other] == op) return;
  seen_[other] = op;
  after_.push_back(other);
}

namespace {

// Radix sort, lowest digit first. Bounds are not negative; digits that are 0 in all bounds are left out.
void sort_by_digits(std::vector<std::int64_t>& bounds) {
  constexpr int digit_bits = 11;
  constexpr std::int64_t digits = std::int64_t{1} << digit_bits;
  const std::int64_t most = *std::max_element(bounds.begin(), bounds.end());
  std::vector<std::int64_t> sorted(bounds.size());
  for (int shift = 0; shift < 63 && most >> shift > 0; shift += digit_bits) {
    std::array<std::uint32_t, digits + 1> place{};
    for (const std::int64_t bound : bounds) ++place[(bound >> shift) % digits + 1];
    std::partial_sum(place.begin(), place.end(), place.begin());
    for (const std::int64_t bound : bounds) sorted[place[(bound >> shift) % digits]++] = bound;
    bounds.swap(sorted);
  }
}

// Bounds out of order mostly consist of a few ascending or descending runs, for example blocks that are used cyclically
// from the middle on, or backwards. Such runs are merged.
void sort_runs(std::vector<std::int64_t>& bounds) {
  constexpr int max_runs = 8;
  constexpr std::size_t many_bounds = 1024;  // from this number on a radix sort is quicker than comparisons
  std::size_t sorted = 0;                    // up to here in order
  for (int run = 0; run < max_runs && sorted < bounds.size(); ++run) {
    std::size_t end = sorted + 1;
    const bool falls = end < bounds.size() && bounds[end] < bounds[sorted];
    while (end < bounds.size() && (falls ? bounds[end] < bounds[end - 1] : bounds[end] >= bounds[end - 1])) ++end;
    const auto begin = bounds.begin(), first = begin + static_cast<std::ptrdiff_t>(sorted),
               last = begin + static_cast<std::ptrdiff_t>(end);
    if (falls) std::reverse(first, last);
    std::inplace_merge(begin, first, last);
    sorted = end;
  }
  if (sorted == bounds.size()) return;
  if (bounds.size() < many_bounds)
    std::sort(bounds.begin(), bounds.end());
  else
    sort_by_digits(bounds);
}

}  // namespace

// Most slices equal an earlier one or follow the last one. So new bounds mostly come in ascending order and known
// bounds can be skipped, and nothing has to be sorted. After the first bound out of order, known bounds are only looked
// for near the last one.
void Dependencies::make_cells(std::span<const Op> ops) {
  bool in_order[3] = {true, true, true};
  for (int buffer = 0; buffer < 3; ++buffer) {
    bounds_[buffer].clear();
    found_[buffer] = 0;
  }
  const auto add_bound = [&](int buffer, std::int64_t bound) {
    auto& bounds = bounds_[buffer];
    if (is_near_found(buffer, bound)) return;
    if (!bounds.empty() && bound <= bounds.back()) {
      if (in_order[buffer] && find(buffer, bound)) return;
      in_order[buffer] = false;
    }
    found_[buffer] = bounds.size();
    bounds.push_back(bound);
  };
  const auto cut = [&](const Slice& slice) {
    if (slice.count <= 0) return;
    add_bound(static_cast<int>(slice.buffer), slice.offset);
    add_bound(static_cast<int>(slice.buffer), slice.end());
  };
  for (const Op& op : ops) {
    for (const Slice& slice : read_by(op)) cut(slice);
    cut(written_by(op));
  }
  int cells = 0;
  for (int buffer = 0; buffer < 3; ++buffer) {
    auto& bounds = bounds_[buffer];
    if (!in_order[buffer]) {
      sort_runs(bounds);
      bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
    }
    found_[buffer] = 0;
    index_bounds(buffer);
    first_cell_[buffer] = cells;
    cells += static_cast<int>(bounds.size());
  }
  runs_.resize(cells);
  levels_ = 0;
  for (std::size_t bits = cells;; bits = (bits + 63) / 64) {
    marks_[levels_++].assign((bits + 63) / 64, 0);
    if (bits <= 64) break;
  }
  for (int buffer = 0; buffer < 3; ++buffer) {
    const auto count = static_cast<int>(bounds_[buffer].size());
    if (count == 0) continue;
    mark(first_cell_[buffer]);
    runs_[first_cell_[buffer]] = {first_cell_[buffer] + count, -1, -1};
  }
}

bool Dependencies::is_near_found(int buffer, std::int64_t bound) {
  const auto& bounds = bounds_[buffer];
  std::size_t& found = found_[buffer];
  const auto is_at = [&](std::size_t at) {  // the number below 0 is beyond the end too
    if (at >= bounds.size() || bounds[at] != bound) return false;
    found = at;
    return true;
  };
  return is_at(found + 1) || is_at(found) || is_at(found - 1);
}

bool Dependencies::find(int buffer, std::int64_t bound) {
  const auto& bounds = bounds_[buffer];
  const auto at = std::lower_bound(bounds.begin(), bounds.end(), bound);
  if (at == bounds.end() || *at != bound) return false;
  found_[buffer] = static_cast<std::size_t>(at - bounds.begin());
  return true;
}

// Bounds are mostly spread evenly. So the range is cut in about as many equal parts as there are bounds, and a search
// looks at those of one part.
void Dependencies::index_bounds(int buffer) {
  const auto& bounds = bounds_[buffer];
  Index& index = index_[buffer];
  if (bounds.empty()) return;
  const auto range = static_cast<std::uint64_t>(bounds.back() - bounds.front());
  index.shift = std::max(0, static_cast<int>(std::bit_width(range)) - static_cast<int>(std::bit_width(bounds.size())));
  index.first.assign((range >> index.shift) + 2, static_cast<std::uint32_t>(bounds.size()));
  for (std::size_t at = bounds.size(); at-- > 0;)
    index.first[static_cast<std::uint64_t>(bounds[at] - bounds.front()) >> index.shift] =
        static_cast<std::uint32_t>(at);
  for (std::size_t part = index.first.size() - 1; part-- > 0;)
    index.first[part] = std::min(index.first[part], index.first[part + 1]);
}

int Dependencies::cell_of(int buffer, std::int64_t bound) {
  if (!is_near_found(buffer, bound)) {
    const auto& bounds = bounds_[buffer];
    const Index& index = index_[buffer];
    const auto part = static_cast<std::uint64_t>(bound - bounds.front()) >> index.shift;
    const auto at = std::lower_bound(bounds.begin() + index.first[part], bounds.begin() + index.first[part + 1], bound);
    found_[buffer] = static_cast<std::size_t>(at - bounds.begin());
  }
  return first_cell_[buffer] + static_cast<int>(found_[buffer]);
}

void Dependencies::mark(int cell) {
  for (int level = 0; level < levels_; ++level) {
    std::uint64_t& word = marks_[level][cell / 64];
    const bool summarised = word != 0;
    word |= std::uint64_t{1} << (cell % 64);
    if (summarised) return;
    cell /= 64;
  }
}

void Dependencies::unmark(int cell) {
  for (int level = 0; level < levels_; ++level) {
    std::uint64_t& word = marks_[level][cell / 64];
    word &= ~(std::uint64_t{1} << (cell % 64));
    if (word != 0) return;
    cell /= 64;
  }
}

// The first cell of a buffer stays marked, so that every search finds one.
int Dependencies::marked_at_or_below(int cell) const {
  for (int level = 0; level < levels_; ++level) {
    if (cell < 0) break;
    const std::uint64_t word = marks_[level][cell / 64] & (~std::uint64_t{0} >> (63 - cell % 64));
    if (word == 0) {
      cell = cell / 64 - 1;
      continue;
    }
    cell = cell / 64 * 64 + 63 - std::countl_zero(word);
    while (level-- > 0) cell = cell * 64 + 63 - std::countl_zero(marks_[level][cell]);
    break;
  }
  return cell;
}

void Dependencies::split_at(int cell) {
  if (marks_[0][cell / 64] >> (cell % 64) & 1) return;
  const int run = marked_at_or_below(cell);
  if (runs_[run].end == cell) return;
  runs_[cell] = runs_[run];  // the list of readers so far is shared: lists only grow at their heads
  runs_[run].end = cell;
  mark(cell);
}

template <class Visit>
void Dependencies::for_each_run(const Slice& slice, Visit visit) {
  if (slice.count <= 0) return;
  const int first = cell_of(static_cast<int>(slice.buffer), slice.offset);
  const int last = cell_of(static_cast<int>(slice.buffer), slice.end());
  split_at(first);
  split_at(last);
  for (int cell = first; cell < last;) {
    const int end = runs_[cell].end;
    visit(runs_[cell]);
    cell = end;
  }
}

}  // namespace isthmus
