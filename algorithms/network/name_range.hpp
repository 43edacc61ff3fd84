// Names of many hosts or links that differ in a number alone: `c0-[0-65535]`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace isthmus {

/// The names `before` + number + `after`, for the numbers from `first` to `last`, without leading zeros.
struct NameRange {
  std::string before, after;
  std::int64_t first = 0, last = 0;

  std::int64_t count() const { return last - first + 1; }
  std::string name(std::int64_t number) const;
  /// Whether this is name(number).
  bool is_name(std::string_view text, std::int64_t number) const;
  /// `before[first-last]after`.
  std::string text() const;
};

/// The largest number in a name.
inline constexpr std::int64_t max_number_of_name = 2147483647;

/// None if the text has no range, or its numbers descend, have leading zeros, or are above the largest.
std::optional<NameRange> parse_name_range(std::string_view text);

/// The range of these two, of which the second has a number that is higher by one, and all else alike. None if they
/// are not such names, or if the text of the range could be mistaken for another one.
std::optional<NameRange> range_of_names(std::string_view one, std::string_view next);

}  // namespace isthmus
