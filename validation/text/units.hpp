// Numbers as people read them: sizes with binary prefixes, times, rates, percentages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace isthmus {

/// `1 B`, `64 KiB`, `4 MiB`; sizes that are no multiple of a KiB stay in bytes: `1500 B`.
std::string format_bytes(std::int64_t bytes);
/// Three significant digits at most, with the binary prefix that suits: `512 B`, `33.7 MiB`.
std::string format_amount(double bytes);
/// Three significant digits at most, with the unit that suits: `20 us`, `10.3 ms`, `1.41 s`.
std::string format_seconds(double seconds);
/// In the unit of a table's column, with digits enough to show 0.1 %: `0.3281`, `10.26`, `13270`.
std::string format_milliseconds(double seconds);
/// Half of a confidence interval beside its median, both in seconds, in milliseconds with two digits: `0.12`, `3.1`;
/// `0` where it is too small to matter.
std::string format_half_interval(double half_s, double median_s);
/// `1 MB/s`, `8.37 MB/s`, `1.25 GB/s` (powers of 1000); `unlimited` for the infinite rate of a route without links.
std::string format_rate(double bytes_per_second);
/// A relative difference as a signed percentage without its sign of unit: 0.031 is `+3.1`, -0.0004 is `-0.04`.
std::string format_percent(double relative);
/// How much something is off, in percent without a sign: two digits, whole numbers from 100 on.
std::string format_off(double relative);

/// A ratio of two times: `1.04`, `12.3`, `123`.
std::string format_factor(double factor);

/// Sizes as the command line takes them: `1,64Ki,4Mi`, `1..4Mi` (the first, then doubling up to the last) or both
/// mixed. Ascending, each once. Throws BadInput naming the part that is wrong.
std::vector<std::int64_t> parse_sizes(std::string_view text);

/// `64Ki..4Mi` or a single size: the least and the greatest. Throws BadInput.
struct SizeRange {
  std::int64_t least = 0, greatest = 0;

  bool contains(std::int64_t bytes) const { return least <= bytes && bytes <= greatest; }
};
SizeRange parse_size_range(std::string_view text);

}  // namespace isthmus
