#include "validation/text/wrapped.hpp"

#include <vector>

#include "algorithms/text/parts.hpp"
#include "validation/text/text_table.hpp"

namespace isthmus {

std::string wrapped(std::string_view head, std::span<const std::string> words, std::size_t width) {
  const std::string margin(text_width(head), ' ');
  std::string text, line(head);
  bool is_empty = true;
  for (const std::string& word : words) {
    if (!is_empty && width > 0 && text_width(line) + 1 + text_width(word) > width) {
      text += line + "\n";
      line = margin;
      is_empty = true;
    }
    line += (is_empty ? "" : " ") + word;
    is_empty = false;
  }
  return text + line + "\n";
}

std::string wrapped(std::string_view head, std::string_view text, std::size_t width) {
  std::vector<std::string> words;
  for (const std::string_view word : parts_of(text, ' ')) words.emplace_back(word);
  return wrapped(head, words, width);
}

}  // namespace isthmus
