#include "algorithms/network/name_range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

#include "algorithms/text/parse_number.hpp"

namespace isthmus {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The whole text as a number; none for leading zeros and for numbers above the largest.
std::optional<std::int64_t> number_of(std::string_view text) {
  if (text.empty() || !std::ranges::all_of(text, is_digit) || (text.size() > 1 && text.front() == '0')) return {};
  const std::optional<std::int64_t> number = parse_number<std::int64_t>(text);
  return number && *number <= max_number_of_name ? number : std::nullopt;
}

}  // namespace

std::string NameRange::name(std::int64_t number) const {
  char digits[20];
  const auto written = std::to_chars(std::begin(digits), std::end(digits), number);
  std::string name;
  name.reserve(before.size() + static_cast<std::size_t>(written.ptr - digits) + after.size());
  return name.append(before).append(std::begin(digits), written.ptr).append(after);
}

bool NameRange::is_name(std::string_view text, std::int64_t number) const {
  char digits[20];
  const auto written = std::to_chars(std::begin(digits), std::end(digits), number);
  const std::string_view middle(digits, static_cast<std::size_t>(written.ptr - digits));
  return text.size() == before.size() + middle.size() + after.size() && text.ends_with(after) &&
         text.substr(before.size()).starts_with(middle) && text.starts_with(before);
}

std::string NameRange::text() const { return fmt::format("{}[{}-{}]{}", before, first, last, after); }

std::optional<NameRange> parse_name_range(std::string_view text) {
  const std::size_t open = text.find('['), close = text.find(']');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return {};
  const std::string_view numbers = text.substr(open + 1, close - open - 1);
  const std::size_t dash = numbers.find('-');
  if (dash == std::string_view::npos) return {};
  const auto first = number_of(numbers.substr(0, dash)), last = number_of(numbers.substr(dash + 1));
  if (!first || !last || *last < *first) return {};
  return NameRange{std::string(text.substr(0, open)), std::string(text.substr(close + 1)), *first, *last};
}

std::optional<NameRange> range_of_names(std::string_view one, std::string_view next) {
  const auto differ = std::ranges::mismatch(one, next);
  auto begin = static_cast<std::size_t>(differ.in1 - one.begin());
  while (begin > 0 && is_digit(one[begin - 1])) --begin;
  const auto number_at = [&](std::string_view name) {
    return name.substr(begin, std::min(name.find_first_not_of("0123456789", begin), name.size()) - begin);
  };
  const std::string_view digits = number_at(one);
  const auto first = number_of(digits), second = number_of(number_at(next));
  if (!first || !second || *second != *first + 1) return {};
  NameRange range{std::string(one.substr(0, begin)), std::string(one.substr(begin + digits.size())), *first, *second};
  if (!range.is_name(next, *second) || range.text().find_first_of("[]") != begin ||
      std::ranges::count_if(range.text(), [](char c) { return c == '[' || c == ']'; }) != 2)
    return {};
  return range;
}

}  // namespace isthmus
