// The contents of a buffer, in symbols: stretches of elements with one value each. A message of a thousand elements
// costs as much as a message of one.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace isthmus {

/// Neighbouring ranks rank, rank + 1 ... rank + ranks - 1 that contribute one after the other, each its element at
/// position + shift.
struct Contributors {
  int rank = 0;
  int ranks = 1;
  std::int64_t shift = 0;

  bool operator==(const Contributors&) const = default;
};

/// A value, up to a common shift: the first contributor's is 0.
constexpr int undefined = -1;

/// A value and a shift that is added to the shifts of all its contributors.
struct Symbol {
  int value = undefined;
  std::int64_t shift = 0;

  bool operator==(const Symbol&) const = default;
};

/// All values of one proof, each stored once, so that equal values have equal numbers. With a commutative operator the
/// order of contributors does not count: they are compared as multisets. With an operator that is idempotent as well
/// they are compared as sets.
class Values {
 public:
  /// An idempotent operator must be commutative.
  void reset(bool commutative, bool idempotent);

  /// The value of an ordered list of contributing ranks.
  Symbol of(const std::vector<int>& ranks);
  /// left (op) right, neither undefined.
  Symbol reduce(Symbol left, Symbol right);
  const std::vector<Contributors>& contributors(int value) const { return *lists_[value]; }

  /// A symbol at a position in words: `element 5 of rank 0`, `element 5 of ranks 0 + 1 + 3`, `nothing defined`.
  std::string describe(Symbol symbol, std::int64_t position) const;

 private:
  struct ListHash {
    std::size_t operator()(const std::vector<Contributors>& list) const;
  };
  struct Pair {
    int left;
    int right;
    std::int64_t shift;  ///< of the right one against the left one
    bool operator==(const Pair&) const = default;
  };
  struct PairHash {
    std::size_t operator()(const Pair& pair) const;
  };

  Symbol intern(std::vector<Contributors> list);

  bool commutative_ = true;
  bool idempotent_ = false;
  std::unordered_map<std::vector<Contributors>, int, ListHash> numbers_;
  std::vector<const std::vector<Contributors>*> lists_;  // keys of numbers_; their addresses do not change
  std::unordered_map<Pair, Symbol, PairHash> sums_;
};

/// From `begin` to the next stretch. Position x holds the symbol's contributors' elements at x + shift.
struct Stretch {
  std::int64_t begin = 0;
  Symbol symbol;
};

/// The contents of one buffer.
class Contents {
 public:
  /// `count` undefined elements.
  void reset(std::int64_t count);
  std::int64_t count() const { return count_; }

  /// The stretches of [offset, offset + count), the first beginning at `offset`; replaces what `out` held.
  void read(std::int64_t offset, std::int64_t count, std::vector<Stretch>& out) const;
  /// Overwrites [offset, offset + count) with stretches, the first of which begins at `offset`. Uses up `stretches`.
  void write(std::int64_t offset, std::int64_t count, std::vector<Stretch>& stretches);

 private:
  std::size_t at(std::int64_t position) const;  // the stretch that holds a position

  std::vector<Stretch> stretches_;  // ascending, neighbours with different symbols
  std::int64_t count_ = 0;
};

}  // namespace isthmus
