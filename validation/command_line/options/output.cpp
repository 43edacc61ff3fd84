#include "validation/command_line/options/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iterator>

#include "algorithms/errors.hpp"
#include "algorithms/process/whole_file.hpp"
#include "algorithms/text/printable.hpp"

namespace isthmus::command_line {

void print_error_line(const std::string& text) {
  std::fputs(fmt::format("isthmus: {}\n", printable(text)).c_str(), stderr);  // fmt::print() throws on a full disk
}

void open_standard_files() {
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(file, F_GETFD) != -1) continue;
    // The least number that is free is the one that is closed. Writing to the standard output then fails.
    [[maybe_unused]] const int opened = open("/dev/null", file == STDOUT_FILENO ? O_RDONLY : O_RDWR);
  }
}

bool runs_a_program(std::string_view command) {
  constexpr std::string_view commands[] = {"run", "capture", "shell", "discover"};
  return std::ranges::find(commands, command) != std::end(commands);
}

void require_svg(std::string_view option, const std::string& file) {
  const std::filesystem::path path(file);
  if (path.has_extension() && path.extension() != ".svg")
    throw BadInput(fmt::format("{} {}: pictures are SVG; {} would be right", option, excerpt(file),
                               excerpt(path.stem().string() + ".svg")));
}

void check_outputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs) {
  for (const std::string& output : outputs) {
    for (const std::string& input : inputs) {
      std::error_code absent;
      if (std::filesystem::equivalent(output, input, absent))
        throw BadInput(fmt::format("{}: would be replaced, and is what this command reads; another file would be right",
                                   excerpt(output)));
    }
    check_output_file(output);
  }
}

void check_network_outputs(const std::vector<std::string>& outputs, const std::string& platform) {
  check_outputs(outputs, {platform.ends_with(".json") ? std::string() : platform});
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
