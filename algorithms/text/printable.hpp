// Makes text from outside safe to print on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace isthmus {

/// The text with control characters escaped: `\n`, `\t`, `\x1b`; bytes that are not UTF-8 as `\xff`; controls beyond
/// ASCII and changes of the writing direction as `\u{202e}`. Other characters are unchanged.
std::string printable(std::string_view text);

/// The number of characters of a value in a message.
inline constexpr std::size_t excerpt_characters = 60;

/// The beginning of a printable text, with ` ...` if it had more than `most` characters.
std::string excerpt(std::string_view text, std::size_t most = excerpt_characters);

}  // namespace isthmus
