// Options with a fixed set of words.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace isthmus::command_line {

/// Accepts these words alone; an error has the near matches. The words stand in the option's type, `TEXT:{a,b}`, from
/// which the completion of shells is made.
CLI::Validator one_of(const std::vector<std::string>& words);

/// How a help text lists them: `native, virtual or uml`.
std::string alternatives(const std::vector<std::string>& words);

/// The words of such an option; empty for others.
std::vector<std::string> choices_of(const CLI::Option& option);

/// What the help calls the value of an option: `TEXT`, `INT`, `FLOAT`, or a name of its own. Empty for a flag.
std::string value_name(const CLI::Option& option);

}  // namespace isthmus::command_line
