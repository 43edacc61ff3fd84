// Text broken into lines.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace isthmus {

/// The words after `head`, broken into lines of at most `width` columns where a word does not exceed that; further
/// lines begin below the first word. Ends with a newline.
std::string wrapped(std::string_view head, std::span<const std::string> words, std::size_t width);
/// The same for the words of a text. Width 0: one line.
std::string wrapped(std::string_view head, std::string_view text, std::size_t width);

}  // namespace isthmus
