// Bytes that depend on their position, so that a misplaced block is detected.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace isthmus {

/// A seed that depends on the repetition and on the source rank, so that old bytes and bytes of another rank are
/// detected.
inline std::uint64_t pattern_seed(std::uint64_t repetition, int rank) {
  return repetition * 0x9e3779b97f4a7c15u + (static_cast<std::uint64_t>(rank) + 1) * 0xd1b54a32d192ed03u;
}

/// Eight bytes of the pattern: SplitMix64 (Steele, Lea, Flood 2014), at position 8 * word.
inline std::uint64_t pattern_word(std::uint64_t seed, std::uint64_t word) {
  std::uint64_t z = seed + word * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// The bytes of the pattern from position `first` on.
inline void write_pattern(std::span<std::byte> bytes, std::uint64_t seed, std::uint64_t first = 0) {
  static_assert(std::endian::native == std::endian::little);
  std::size_t at = 0;
  if (first % 8 != 0 && !bytes.empty()) {
    const std::uint64_t word = pattern_word(seed, first / 8) >> 8 * (first % 8);
    at = std::min<std::size_t>(8 - first % 8, bytes.size());
    std::memcpy(bytes.data(), &word, at);
  }
  for (; at < bytes.size(); at += 8) {
    const std::uint64_t word = pattern_word(seed, (first + at) / 8);
    std::memcpy(bytes.data() + at, &word, std::min<std::size_t>(8, bytes.size() - at));
  }
}

inline bool has_pattern(std::span<const std::byte> bytes, std::uint64_t seed) {
  for (std::size_t at = 0; at < bytes.size(); at += 8) {
    const std::uint64_t word = pattern_word(seed, at / 8);
    if (std::memcmp(bytes.data() + at, &word, std::min<std::size_t>(8, bytes.size() - at)) != 0) return false;
  }
  return true;
}

}  // namespace isthmus
