// What the program writes to its terminal, or to wherever it was sent.
#pragma once

#include <span>
#include <string>

#include "algorithms/text/note.hpp"

namespace isthmus::command_line {

/// A line on the standard error.
void say(const std::string& text);

/// Prints notes on the standard error, a line each; flushes the standard output first.
void print_notes(std::span<const Note> notes);

/// The exit status of a command that would end with `status`: 3, with a line that says so, where not all that it
/// printed could be written, as on a full disk.
int with_output_written(int status);

}  // namespace isthmus::command_line
