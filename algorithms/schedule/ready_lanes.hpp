// Lanes that may advance: all at first, then those whose message has come. The executor and the replay of its work take
// them in the same order.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace isthmus {

/// A set of lanes, a bit each. A rank with hundreds of lanes need not look at each of them whenever one may advance.
class ReadyLanes {
 public:
  ReadyLanes() = default;
  explicit ReadyLanes(std::size_t lanes) { add_all(lanes); }

  /// All of so many, as at first.
  void add_all(std::size_t lanes) { words_.assign((lanes + bits - 1) / bits, ~std::uint64_t{0}); }
  void add(std::uint32_t lane) { words_[lane / bits] |= bit(lane); }
  void remove(std::uint32_t lane) { words_[lane / bits] &= ~bit(lane); }

  /// The first one of `from` .. `end` - 1, else of `begin` .. `from` - 1.
  std::optional<std::uint32_t> next(std::uint32_t begin, std::uint32_t from, std::uint32_t end) const {
    const std::uint32_t found = first_of(from, end);
    if (found < end) return found;
    const std::uint32_t before = first_of(begin, from);
    return before < from ? std::optional(before) : std::nullopt;
  }

 private:
  static constexpr std::uint32_t bits = 64;
  static std::uint64_t bit(std::uint32_t lane) { return std::uint64_t{1} << (lane % bits); }

  /// `end` or more if there is none.
  std::uint32_t first_of(std::uint32_t begin, std::uint32_t end) const {
    if (begin >= end) return end;
    std::uint32_t at = begin / bits;
    std::uint64_t word = words_[at] & ~(bit(begin) - 1);
    while (word == 0) {
      if (++at * bits >= end) return end;
      word = words_[at];
    }
    return at * bits + static_cast<std::uint32_t>(std::countr_zero(word));
  }

  std::vector<std::uint64_t> words_;
};

}  // namespace isthmus
