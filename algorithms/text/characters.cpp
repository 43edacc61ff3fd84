#include "algorithms/text/characters.hpp"

#include <algorithm>
#include <array>

namespace isthmus {
namespace {

struct Range {
  std::uint32_t first, last;
};

bool is_in(std::uint32_t point, const auto& ranges) {
  return std::ranges::any_of(ranges, [&](const Range& range) { return point >= range.first && point <= range.last; });
}

// The blocks of Unicode's EastAsianWidth.txt whose characters are wide or full.
constexpr std::array<Range, 15> wide{{{0x1100, 0x115f},
                                      {0x2e80, 0x303e},
                                      {0x3041, 0x33ff},
                                      {0x3400, 0x4dbf},
                                      {0x4e00, 0xa4cf},
                                      {0xa960, 0xa97f},
                                      {0xac00, 0xd7a3},
                                      {0xf900, 0xfaff},
                                      {0xfe30, 0xfe6f},
                                      {0xff00, 0xff60},
                                      {0xffe0, 0xffe6},
                                      {0x1f300, 0x1f64f},
                                      {0x1f680, 0x1f6ff},
                                      {0x1f900, 0x1f9ff},
                                      {0x20000, 0x3fffd}}};

constexpr std::array<Range, 5> accents{
    {{0x0300, 0x036f}, {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x20d0, 0x20ff}, {0xfe20, 0xfe2f}}};

constexpr std::array<Range, 9> blanks{{{' ', ' '},
                                       {0xa0, 0xa0},
                                       {0xad, 0xad},
                                       {0x1680, 0x1680},
                                       {0x2000, 0x200f},
                                       {0x202f, 0x202f},
                                       {0x205f, 0x2065},
                                       {0x3000, 0x3000},
                                       {0xfeff, 0xfeff}}};

}  // namespace

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

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = first_character(text).bytes;
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

bool is_control(std::uint32_t point) {
  return point < 0x20 || (point >= 0x7f && point < 0xa0) || point == 0x2028 || point == 0x2029 ||
         (point >= 0x202a && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069);
}

bool is_blank(std::uint32_t point) { return is_in(point, blanks); }

std::size_t character_width(std::uint32_t point) { return is_in(point, wide) ? 2 : is_in(point, accents) ? 0 : 1; }

std::size_t text_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const Character character = first_character(text);
    width += character.bytes == 0 ? 1 : character_width(character.point);
    text.remove_prefix(std::max<std::size_t>(character.bytes, 1));
  }
  return width;
}

}  // namespace isthmus
