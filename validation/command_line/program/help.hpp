// The help of the program and its commands, in lines of at most 80 columns.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace isthmus::command_line {

inline constexpr std::size_t help_columns = 80;

class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_description(const CLI::App* app) const override;
  std::string make_usage(const CLI::App* app, std::string name) const override;
  std::string make_footer(const CLI::App* app) const override;
};

/// The names of an option with its value, `--source,--model TEXT`; for a positional `WHAT...`.
std::string option_head(const CLI::Option& option, bool is_positional);
/// Its description, with its default.
std::string option_text(const CLI::Option& option);

}  // namespace isthmus::command_line
