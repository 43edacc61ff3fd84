#include "algorithms/text/sizes.hpp"

#include <array>
#include <charconv>
#include <limits>

#include "algorithms/errors.hpp"
#include "algorithms/text/printable.hpp"

namespace isthmus {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t bytes;
};
constexpr std::array<Unit, 9> units = {{{"", 1},
                                        {"k", 1'000},
                                        {"M", 1'000'000},
                                        {"G", 1'000'000'000},
                                        {"T", 1'000'000'000'000},
                                        {"Ki", std::int64_t{1} << 10},
                                        {"Mi", std::int64_t{1} << 20},
                                        {"Gi", std::int64_t{1} << 30},
                                        {"Ti", std::int64_t{1} << 40}}};

/// `Ki` is also written `KiB`, `k` also `kB` and `KB`, and a size without a prefix `B`.
bool names(const Unit& unit, std::string_view text) {
  if (unit.name == text) return true;
  if (!text.ends_with('B')) return false;
  text.remove_suffix(1);
  return unit.name == text || (unit.name == "k" && text == "K");
}

}  // namespace

std::int64_t parse_size(std::string_view text) {
  const auto wrong = [&](const std::string& what) {
    return BadInput("size `" + excerpt(text) + "` " + what +
                    "; like 1, 64Ki, 4MiB (powers of 1024) or 1k, 1MB (of 1000) would be right");
  };
  std::int64_t number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::result_out_of_range) throw wrong("is too large");
  if (error != std::errc{}) throw wrong("is no number");
  if (number < 0) throw wrong("is negative");
  const std::string_view unit_name = text.substr(rest - text.data());
  for (const Unit& unit : units) {
    if (!names(unit, unit_name)) continue;
    if (number > std::numeric_limits<std::int64_t>::max() / unit.bytes) throw wrong("is too large");
    return number * unit.bytes;
  }
  throw wrong("has the unknown unit `" + excerpt(unit_name) + "`");
}

std::string size_text(std::int64_t bytes) {
  for (auto unit = units.rbegin(); unit->name.ends_with('i'); ++unit)
    if (bytes != 0 && bytes % unit->bytes == 0) return std::to_string(bytes / unit->bytes) + std::string(unit->name);
  return std::to_string(bytes);
}

}  // namespace isthmus
