// Numbers in base -2, which define Bine trees: De Sensi et al. 2025 (SC), section 3.
#pragma once

#include <cstdint>

namespace isthmus {

/// The code of `bits` bits whose value is `number` modulo 2^bits.
constexpr std::uint32_t to_negabinary(int number, int bits) {
  constexpr std::uint32_t odd = 0xAAAAAAAA;  // the bits that count negatively
  return ((static_cast<std::uint32_t>(number) + odd) ^ odd) & ((std::uint32_t{1} << bits) - 1);
}

/// The value of a code modulo 2^bits, 0 ... 2^bits - 1.
constexpr int from_negabinary(std::uint32_t code, int bits) {
  constexpr std::uint32_t odd = 0xAAAAAAAA;
  return static_cast<int>(((code ^ odd) - odd) & ((std::uint32_t{1} << bits) - 1));
}

}  // namespace isthmus
