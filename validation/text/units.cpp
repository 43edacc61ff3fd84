#include "validation/text/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "algorithms/collective/algorithm.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/text/parts.hpp"
#include "algorithms/text/printable.hpp"
#include "algorithms/text/sizes.hpp"

namespace isthmus {
namespace {

/// `digits` significant digits without an exponent, for any magnitude that a table may hold.
std::string significant(double value, int digits) {
  if (value == 0) return "0";
  // The magnitude after rounding: 9.996 with three digits is 10.0.
  const std::string scientific = fmt::format("{:.{}e}", value, digits - 1);
  const int magnitude = std::stoi(scientific.substr(scientific.find('e') + 1));
  return fmt::format("{:.{}f}", value, std::clamp(digits - 1 - magnitude, 0, 9));
}

std::string without_trailing_zeros(std::string number) {
  if (number.find('.') == std::string::npos) return number;
  number.erase(number.find_last_not_of('0') + 1);
  if (number.back() == '.') number.pop_back();
  return number;
}

/// A value with three digits and the prefix that keeps it below 1000, a prefix a factor of `step`.
std::string with_prefix(double value, double step, std::initializer_list<const char*> prefixes) {
  const auto* prefix = prefixes.begin();
  while (value >= 999.5 && prefix + 1 != prefixes.end()) {
    value /= step;
    ++prefix;
  }
  return fmt::format("{} {}", without_trailing_zeros(significant(value, 3)), *prefix);
}

}  // namespace

std::string format_bytes(std::int64_t bytes) {
  constexpr const char* prefixes[] = {"", "Ki", "Mi", "Gi", "Ti"};
  int prefix = 0;
  while (bytes != 0 && bytes % 1024 == 0 && prefix < 4) {
    bytes /= 1024;
    ++prefix;
  }
  return fmt::format("{} {}B", bytes, prefixes[prefix]);
}

std::string format_amount(double bytes) { return with_prefix(bytes, 1024, {"", "Ki", "Mi", "Gi", "Ti"}) + "B"; }

std::string format_seconds(double seconds) {
  const double size = std::abs(seconds);
  if (size == 0) return "0 s";
  if (size < 0.9995e-3) return without_trailing_zeros(significant(seconds * 1e6, 3)) + " us";
  if (size < 0.9995) return without_trailing_zeros(significant(seconds * 1e3, 3)) + " ms";
  return without_trailing_zeros(significant(seconds, 3)) + " s";
}

std::string format_milliseconds(double seconds) { return significant(seconds * 1e3, 4); }

std::string format_half_interval(double half_s, double median_s) {
  constexpr double negligible = 1e-5;
  return half_s <= negligible * median_s ? "0" : significant(half_s * 1e3, 2);
}

std::string format_rate(double bytes_per_second) {
  if (std::isinf(bytes_per_second)) return "unlimited";
  return with_prefix(bytes_per_second, 1000, {"", "k", "M", "G", "T"}) + "B/s";
}

std::string format_percent(double relative) {
  const double percent = relative * 100;
  const int digits = std::abs(percent) < 0.0995 ? 2 : std::abs(percent) < 99.95 ? 1 : 0;
  const std::string text = fmt::format("{:+.{}f}", percent, digits);
  return text == "-0.00" || text == "+0.00" ? "0.00" : text;
}

std::string format_off(double relative) {
  const double percent = std::abs(relative) * 100;
  return percent < 99.5 ? fmt::format("{:.2g}", percent) : fmt::format("{:.0f}", percent);
}

std::string format_factor(double factor) {
  return fmt::format("{:.{}f}", factor, factor < 9.995 ? 2 : factor < 99.95 ? 1 : 0);
}

std::vector<std::int64_t> parse_sizes(std::string_view text) {
  std::vector<std::int64_t> sizes;
  for (const std::string_view part : parts_of(text, ',')) {
    const SizeRange range = parse_size_range(part);
    if (range.least == 0 && range.greatest > 0)
      throw BadInput(
          fmt::format("sizes `{}`: a range doubles from its first size; 1 or more would be right", excerpt(text)));
    for (std::int64_t size = range.least; size < range.greatest; size *= 2) {
      sizes.push_back(size);
      if (size > range.greatest / 2) break;  // twice that may be more than can be counted
    }
    sizes.push_back(range.greatest);
  }
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

SizeRange parse_size_range(std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) {
    const std::int64_t size = parse_size(text);
    return {size, size};
  }
  const SizeRange range = {parse_size(text.substr(0, dots)), parse_size(text.substr(dots + 2))};
  if (range.least > range.greatest)
    throw BadInput(
        fmt::format("sizes `{}`: the first is greater than the last; the smaller first would be right", excerpt(text)));
  return range;
}

}  // namespace isthmus
