#include "validation/command_line/program/help.hpp"

#include <fmt/format.h>

#include "validation/command_line/options/choices.hpp"
#include "validation/text/text_table.hpp"
#include "validation/text/wrapped.hpp"

namespace isthmus::command_line {
namespace {

constexpr std::size_t text_column = 26;

/// The head, then the text from a column on; beneath the head if that is longer.
std::string entry(const std::string& head, const std::string& text) {
  std::string begin = "  " + head, before;
  if (text_width(begin) + 2 > text_column) {
    before = begin + "\n";
    begin.clear();
  }
  begin.resize(text_column, ' ');
  return before + (text.empty() ? "" : wrapped(begin, text, help_columns));
}

}  // namespace

std::string option_head(const CLI::Option& option, bool is_positional) {
  std::string head = option.get_name(is_positional, !is_positional);
  if (is_positional) return option.get_expected_max() > 1 ? head + "..." : head;
  for (std::size_t comma = head.find(','); comma != std::string::npos; comma = head.find(',', comma + 2))
    head.insert(comma + 1, " ");
  const std::string value = value_name(option);
  return value.empty() ? head : head + " " + value;
}

std::string option_text(const CLI::Option& option) {
  std::string text = option.get_description();
  std::string value = option.get_default_str();
  if (value.starts_with('[') && value.ends_with(']')) value = value.substr(1, value.size() - 2);  // of a list
  if (!value.empty() && option.get_type_size() != 0)
    text += fmt::format("{}[default: {}]", text.empty() ? "" : " ", value);
  return text;
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  return entry(option_head(*option, is_positional), option_text(*option));
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
  return entry(command->get_display_name(true), command->get_description());
}

std::string HelpFormatter::make_description(const CLI::App* app) const {
  return wrapped("", app->get_description(), help_columns);
}

std::string HelpFormatter::make_usage(const CLI::App* app, std::string name) const {
  std::string usage = CLI::Formatter::make_usage(app, std::move(name));
  while (!usage.empty() && usage.back() == '\n') usage.pop_back();
  return "\n" + wrapped("", usage, help_columns);
}

std::string HelpFormatter::make_footer(const CLI::App* app) const {
  const std::string footer = app->get_footer();
  return footer.empty() ? std::string() : wrapped("", footer, help_columns);
}

}  // namespace isthmus::command_line
