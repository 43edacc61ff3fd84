// The characters of a text in UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace isthmus {

/// One character: its bytes and its code point; no bytes if the text does not begin with a valid one.
struct Character {
  std::size_t bytes = 0;
  std::uint32_t point = 0;
};

/// The first character of a text that is not empty.
Character first_character(std::string_view text);

/// Whether all of the text is valid characters.
bool is_utf8(std::string_view text);

/// Controls of ASCII and beyond, ends of lines and changes of the writing direction.
bool is_control(std::uint32_t point);

/// Blanks, and characters that are not seen at all, beyond controls.
bool is_blank(std::uint32_t point);

/// The columns that a terminal gives a text: 2 for characters of East Asia and pictures, 0 for accents that stand on
/// the character before; 1 for a byte that is not UTF-8.
std::size_t text_width(std::string_view text);

/// The same of one character.
std::size_t character_width(std::uint32_t point);

}  // namespace isthmus
