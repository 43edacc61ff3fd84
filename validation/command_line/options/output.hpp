// What the program writes to its terminal, or to wherever it was sent.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

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

/// Throws as check_output_file() of each output, and BadInput for one that is a file that the command reads. Names may
/// be empty.
void check_outputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs);

/// The same for networks in JSON, which may take the place of the network in JSON that was read.
void check_network_outputs(const std::vector<std::string>& outputs, const std::string& platform);

/// Prints notes on the standard error, a line each; flushes the standard output first.
void print_notes(std::span<const Note> notes);

/// The exit status of a command that would return `status`: 3, with an error, if not all of its output could be
/// written, as on a full disk.
int with_output_written(int status);

}  // namespace isthmus::command_line
