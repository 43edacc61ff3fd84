// What the program writes to its terminal, or to wherever it was sent.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "algorithms/text/note.hpp"

namespace isthmus::command_line {

/// Opens those of the standard files that are closed, so that no other file gets their numbers.
void open_standard_files();

/// A line on the standard error.
void print_error_line(const std::string& text);

/// Whether what follows `--` is a program that this command runs.
bool runs_a_program(std::string_view command);

/// Throws BadInput for a file of a picture whose ending is that of another format than SVG.
void require_svg(std::string_view option, const std::string& file);

/// Prints notes on the standard error, a line each; flushes the standard output first.
void print_notes(std::span<const Note> notes);

/// The exit status of a command that would return `status`: 3, with an error, if not all of its output could be
/// written, as on a full disk.
int with_output_written(int status);

}  // namespace isthmus::command_line
