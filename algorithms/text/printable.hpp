// Text that came from outside, made fit to be shown to people: on a terminal it must do nothing but stand there.
#pragma once

#include <string>
#include <string_view>

namespace isthmus {

/// The text with what a terminal would obey, or could not show, written out: `\n`, `\t`, `\x1b`; bytes that are no
/// UTF-8 as `\xff`; controls beyond ASCII and changes of the direction of writing as `\u{202e}`. All else as it is.
std::string printable(std::string_view text);

/// How much of a value stands in a message.
inline constexpr std::size_t excerpt_characters = 60;

/// The beginning of a printable text, with ` ...` where more than `most` characters were there.
std::string excerpt(std::string_view text, std::size_t most = excerpt_characters);

}  // namespace isthmus
