// Completion for shells, made from the description of the commands.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace isthmus::command_line {

/// A script for bash, zsh or fish that completes commands, options, the words of options, collectives with their
/// algorithms, and files elsewhere.
std::string bash_completion(const CLI::App& program);
std::string zsh_completion(const CLI::App& program);
std::string fish_completion(const CLI::App& program);

}  // namespace isthmus::command_line
