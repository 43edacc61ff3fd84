#include "algorithms/text/printable.hpp"

#include <cstdint>

#include "algorithms/text/characters.hpp"

namespace isthmus {
namespace {

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
