// What the program writes to its terminal, or to wherever it was sent.
#pragma once

#include <string>

namespace isthmus::command_line {

/// A line on the standard error.
void say(const std::string& text);

/// The exit status of a command that would end with `status`: 3, with a line that says so, where not all that it
/// printed could be written, as on a full disk.
int with_output_written(int status);

}  // namespace isthmus::command_line
