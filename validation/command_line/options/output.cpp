#include "validation/command_line/options/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>

#include "algorithms/text/printable.hpp"

namespace isthmus::command_line {

void print_error_line(const std::string& text) { fmt::print(stderr, "isthmus: {}\n", printable(text)); }

bool runs_a_program(std::string_view command) {
  constexpr std::string_view commands[] = {"run", "capture", "shell", "discover"};
  return std::ranges::find(commands, command) != std::end(commands);
}

void print_notes(std::span<const Note> notes) {
  if (!notes.empty()) std::fflush(stdout);
  for (const Note& note : notes) print_error_line(labelled_sentence(note));
}

int with_output_written(int status) {
  constexpr int environment_lacks_something = 3;
  const bool had_failed = std::ferror(stdout) != 0;
  if (std::fflush(stdout) == 0 && !had_failed) return status;
  print_error_line(had_failed ? "the standard output could not be written"
                              : fmt::format("the standard output could not be written: {}", std::strerror(errno)));
  return environment_lacks_something;
}

}  // namespace isthmus::command_line
