#include "algorithms/text/lines.hpp"

#include "algorithms/text/parts.hpp"

namespace isthmus {

std::vector<std::string_view> lines_of(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  std::vector<std::string_view> lines = parts_of(text, '\n');
  if (lines.back().empty()) lines.pop_back();
  for (std::string_view& line : lines)
    if (line.ends_with('\r')) line.remove_suffix(1);
  return lines;
}

}  // namespace isthmus
