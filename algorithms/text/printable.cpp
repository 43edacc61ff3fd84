#include "algorithms/text/printable.hpp"

#include <array>
#include <cstdint>

namespace isthmus {
namespace {

/// One character of UTF-8: its bytes and its code point; no bytes if the text does not begin with a valid one.
struct Character {
  std::size_t bytes = 0;
  std::uint32_t point = 0;
};

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {1, lead};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {};
  std::uint32_t point = lead & (0xffU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return {};
    point = point << 6 | (byte(i) & 0x3fU);
  }
  constexpr std::array<std::uint32_t, 5> least = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = point >= 0xd800 && point <= 0xdfff;
  if (point < least[bytes] || surrogate || point > 0x10ffff) return {};
  return {bytes, point};
}

bool is_control(std::uint32_t point) {
  return point < 0x20 || (point >= 0x7f && point < 0xa0) || point == 0x2028 || point == 0x2029 ||
         (point >= 0x202a && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069);
}

std::string hexadecimal(std::uint32_t value, std::size_t digits) {
  constexpr std::string_view symbols = "0123456789abcdef";
  std::string text;
  for (std::size_t i = digits; i-- > 0;) text += symbols[value >> (4 * i) & 0xfU];
  return text;
}

/// Removes the first character of the text and returns it in printable form.
std::string take_shown(std::string_view& text) {
  const auto [bytes, point] = first_character(text);
  const std::string_view as_it_is = text.substr(0, bytes > 0 ? bytes : 1);
  const auto byte = static_cast<unsigned char>(text.front());
  text.remove_prefix(as_it_is.size());
  if (bytes == 0) return "\\x" + hexadecimal(byte, 2);
  if (!is_control(point)) return std::string(as_it_is);
  if (point == '\n') return "\\n";
  if (point == '\t') return "\\t";
  if (point == '\r') return "\\r";
  return point < 0x80 ? "\\x" + hexadecimal(point, 2) : "\\u{" + hexadecimal(point, 4) + "}";
}

}  // namespace

std::string printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) shown += take_shown(text);
  return shown;
}

std::string excerpt(std::string_view text, std::size_t most) {
  std::string shown;
  for (std::size_t i = 0; i < most && !text.empty(); ++i) shown += take_shown(text);
  return text.empty() ? shown : shown + " ...";
}

}  // namespace isthmus
