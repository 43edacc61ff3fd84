// Manual pages, made from the description of the commands.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace isthmus::command_line {

/// isthmus(1): the program with its commands.
std::string man_page(const CLI::App& program);
/// isthmus-COMMAND(1)
std::string man_page(const CLI::App& program, const CLI::App& command);

}  // namespace isthmus::command_line
