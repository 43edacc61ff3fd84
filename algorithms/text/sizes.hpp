// Sizes in bytes as the command line, plans and files write them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace isthmus {

/// Half of the 64-bit range, so that sums and roundings of two such numbers of bytes still fit.
inline constexpr std::int64_t max_countable_bytes = std::int64_t{1} << 62;

/// `1`, `64Ki`, `4MiB`, and in powers of 1000 `1k`, `1KB`, `1M`. Throws BadInput.
std::int64_t parse_size(std::string_view text);
/// The inverse, in powers of 1024 as far as the size is a multiple of them: `64Ki`, `1000`.
std::string size_text(std::int64_t bytes);

}  // namespace isthmus
