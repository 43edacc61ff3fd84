#include "algorithms/schedule/conflicts.hpp"

#include <algorithm>

#include "algorithms/schedule/access.hpp"

namespace isthmus {
namespace {

// Up to this many operations all pairs are compared: a set of operations fits in a word.
constexpr std::size_t few = 24;

Slice common(const Slice& a, const Slice& b) {
  const std::int64_t begin = std::max(a.offset, b.offset);
  return {a.buffer, begin, std::min(a.end(), b.end()) - begin};
}

// An element that both operations use and one of them writes; empty when there is none.
Slice contended(const Op& a, const Op& b) {
  const Slice to_a = written_by(a);
  const Slice to_b = written_by(b);
  if (overlap(to_a, to_b)) return common(to_a, to_b);
  for (const Slice& read : read_by(b))
    if (overlap(to_a, read)) return common(to_a, read);
  for (const Slice& read : read_by(a))
    if (overlap(to_b, read)) return common(to_b, read);
  return {};
}

}  // namespace

std::optional<Conflict> ConflictSearch::find(const Program& program, const Dependencies& dependencies) {
  if (program.ops().size() <= few) return among_few(program, dependencies);
  return by_sweep(program, dependencies);
}

std::optional<Conflict> ConflictSearch::among_few(const Program& program, const Dependencies& dependencies) {
  const std::span<const Op> ops = program.ops();
  std::uint32_t completed[few];  // bit i: operation i has completed when this one is issued
  lane_completed_.assign(program.lanes().size(), 0);
  for (int later = 0; later < static_cast<int>(ops.size()); ++later) {
    const Op& op = ops[later];
    std::uint32_t set = lane_completed_[op.lane];
    for (const int other : dependencies.after(later)) set |= completed[other] | std::uint32_t{1} << other;
    completed[later] = lane_completed_[op.lane] = set;
    for (int earlier = 0; earlier < later; ++earlier) {
      if (set >> earlier & 1) continue;
      const Slice slice = contended(ops[earlier], op);
      if (!slice.empty()) return Conflict{earlier, later, slice};
    }
  }
  return std::nullopt;
}

std::optional<Conflict> ConflictSearch::by_sweep(const Program& program, const Dependencies& dependencies) {
  program_ = &program;
  dependencies_ = &dependencies;
  previous_in_lane_.clear();
  for (auto& accesses : accesses_) accesses.clear();
  const auto note = [&](const Slice& slice, int op, bool write) {
    if (slice.count > 0) accesses_[static_cast<int>(slice.buffer)].push_back({slice.offset, slice.end(), op, write});
  };
  for (int op = 0; op < static_cast<int>(program.ops().size()); ++op) {
    for (const Slice& slice : read_by(program.ops()[op])) note(slice, op, false);
    note(written_by(program.ops()[op]), op, true);
  }
  for (const Buffer buffer : {Buffer::input, Buffer::output, Buffer::scratch})
    if (auto conflict = sweep(buffer, accesses_[static_cast<int>(buffer)])) return conflict;
  return std::nullopt;
}

// The set of operations at the current element changes where an access begins or ends. In program order they are a
// sequence of reads and writes. It is enough to check neighbours: each write against the next write and against the
// reads between the two; the order of all other pairs follows. A change creates new neighbours only next to itself.
std::optional<Conflict> ConflictSearch::sweep(Buffer buffer, std::vector<Access>& accesses) {
  if (std::none_of(accesses.begin(), accesses.end(), [](const Access& access) { return access.write; }))
    return std::nullopt;
  const auto earlier_begin = [](const Access& a, const Access& b) { return a.begin < b.begin; };
  if (!std::is_sorted(accesses.begin(), accesses.end(), earlier_begin))
    std::stable_sort(accesses.begin(), accesses.end(), earlier_begin);
  by_end_.resize(accesses.size());
  for (std::size_t i = 0; i < accesses.size(); ++i) by_end_[i] = static_cast<int>(i);
  const auto earlier_end = [&](int a, int b) { return accesses[a].end < accesses[b].end; };
  if (!std::is_sorted(by_end_.begin(), by_end_.end(), earlier_end))
    std::sort(by_end_.begin(), by_end_.end(), earlier_end);
  readers_.clear();
  writers_.clear();

  std::optional<Conflict> found;
  std::size_t next_end = 0;
  for (std::size_t next = 0; next < accesses.size();) {
    const std::int64_t at = accesses[next].begin;
    gone_.clear();
    while (accesses[by_end_[next_end]].end <= at) {
      const Access& access = accesses[by_end_[next_end++]];
      auto& list = access.write ? writers_ : readers_;
      list.erase(std::lower_bound(list.begin(), list.end(), access.op));
      if (access.write) gone_.push_back(access.op);
    }
    const std::size_t first = next;
    for (; next < accesses.size() && accesses[next].begin == at; ++next) {
      auto& list = accesses[next].write ? writers_ : readers_;
      list.insert(std::upper_bound(list.begin(), list.end(), accesses[next].op), accesses[next].op);
    }
    bool fine = true;
    for (std::size_t i = first; i < next && fine; ++i) fine = neighbours_ordered(accesses[i].op, found);
    for (std::size_t i = 0; i < gone_.size() && fine; ++i) fine = neighbours_ordered(gone_[i], found);
    if (!fine) {
      found->slice = {buffer, at, 1};
      return found;
    }
  }
  return std::nullopt;
}

// Checks the pairs next to where `op` stands, or stood, among those at the current element.
bool ConflictSearch::neighbours_ordered(int op, std::optional<Conflict>& found) {
  const auto [self, next] = std::equal_range(writers_.begin(), writers_.end(), op);
  const int before = self == writers_.begin() ? -1 : *(self - 1);
  const int after = next == writers_.end() ? -1 : *next;
  if (self == next) return gap_ordered(before, after, op, found);
  return gap_ordered(before, op, -1, found) && gap_ordered(op, after, -1, found);
}

// Checks a write, the next write, and the reads between the two; either write may be missing (-1). With `reader` >= 0
// only that read is new and only it is checked.
bool ConflictSearch::gap_ordered(int before, int after, int reader, std::optional<Conflict>& found) {
  const auto check = [&](int earlier, int later) {
    if (earlier < 0 || later < 0 || ordered(earlier, later)) return true;
    found = Conflict{earlier, later, {}};
    return false;
  };
  if (before < 0 && after < 0) return true;
  if (reader >= 0 && std::binary_search(readers_.begin(), readers_.end(), reader) &&
      std::find(gone_.begin(), gone_.end(), reader) == gone_.end())
    return check(before, reader) && check(reader, after);
  if (!check(before, after)) return false;
  auto read = std::upper_bound(readers_.begin(), readers_.end(), before);
  for (; read != readers_.end() && (after < 0 || *read < after); ++read)
    if (!check(before, *read) || !check(*read, after)) return false;
  return true;
}

bool ConflictSearch::ordered(int earlier, int later) {
  const auto direct = dependencies_->after(later);
  if (std::binary_search(direct.begin(), direct.end(), earlier)) return true;
  // Finds everything that has been issued before `later`, by going back through lanes and dependencies.
  const std::span<const Op> ops = program_->ops();
  if (previous_in_lane_.empty()) {
    issued_up_to_.assign(program_->lanes().size(), -1);
    for (int op = 0; op < static_cast<int>(ops.size()); ++op) {
      previous_in_lane_.push_back(issued_up_to_[ops[op].lane]);
      issued_up_to_[ops[op].lane] = op;
    }
  }
  issued_up_to_.assign(program_->lanes().size(), -1);  // the lane has been searched up to this operation
  std::vector<int> open{later};
  while (!open.empty()) {
    int op = open.back();
    open.pop_back();
    int& looked_at = issued_up_to_[ops[op].lane];
    const int stop = looked_at;
    looked_at = std::max(looked_at, op);
    for (; op > stop; op = previous_in_lane_[op])
      for (const int other : dependencies_->after(op)) {
        if (other == earlier) return true;
        if (other > earlier) open.push_back(other);  // what comes before `earlier` cannot come after it
      }
  }
  return false;
}

}  // namespace isthmus
