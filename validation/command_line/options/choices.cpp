#include "validation/command_line/options/choices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "algorithms/text/near_matches.hpp"
#include "algorithms/text/parts.hpp"
#include "algorithms/text/printable.hpp"

namespace isthmus::command_line {

CLI::Validator one_of(const std::vector<std::string>& words) {
  const auto check = [words](const std::string& word) {
    if (std::ranges::find(words, word) != words.end()) return std::string();
    const std::vector<std::string_view> known(words.begin(), words.end());
    return fmt::format("`{}` is unknown{}", excerpt(word), near_matches(word, known));
  };
  return CLI::Validator(check, fmt::format("{{{}}}", fmt::join(words, ",")));
}

std::string alternatives(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 < words.size() ? ", " : " or ") + words[i];
  return text;
}

std::vector<std::string> choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t begin = type.find('{'), end = type.find('}');
  if (begin == std::string::npos || end == std::string::npos) return {};
  std::vector<std::string> words;
  for (const std::string_view word : parts_of(std::string_view(type).substr(begin + 1, end - begin - 1), ','))
    words.emplace_back(word);
  return words;
}

std::string value_name(const CLI::Option& option) {
  if (option.get_type_size() == 0) return {};
  const std::string type = option.get_type_name();
  return type.substr(0, type.find(':'));
}

}  // namespace isthmus::command_line
