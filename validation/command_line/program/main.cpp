// The program `isthmus`: reads the arguments, runs one command, turns errors into one line and an exit status.
#include <fmt/format.h>

#include <cstdio>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/errors.hpp"
#include "algorithms/text/near_matches.hpp"
#include "algorithms/text/printable.hpp"
#include "validation/command_line/commands.hpp"
#include "validation/command_line/options/finite_numbers.hpp"
#include "validation/command_line/options/output.hpp"
#include "validation/command_line/program/help.hpp"

namespace {

/// Errors of libraries may have several lines, and values of any length.
std::string one_line(std::string text) {
  constexpr std::size_t max_characters = 1000;
  while (!text.empty() && text.back() == '\n') text.pop_back();
  for (char& c : text)
    if (c == '\n') c = ' ';
  return isthmus::excerpt(text, max_characters);
}

/// Where an option has no upper bound, CLI11 prints the largest double, in 309 digits: this removes it.
std::string without_largest_number(std::string text) {
  const std::string range = fmt::format(" not in range 0.000000 to {:f}", std::numeric_limits<double>::max());
  if (const std::size_t at = text.find(range); at != std::string::npos)
    text.replace(at, range.size(), " is no number above 0");
  return text;
}

/// The commands whose names are near the first word, if that is no command; else empty.
std::string unknown_command(const CLI::App& program, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return {};
  std::vector<std::string_view> names = {"help"};
  for (const CLI::App* command : program.get_subcommands({})) {
    if (command->get_name() == argv[1]) return {};
    names.push_back(command->get_name());
  }
  return isthmus::near_matches(argv[1], names);
}

/// What to do about arguments that the command does not know.
std::string unexpected(const CLI::App& program, const std::string& error) {
  const std::vector<CLI::App*> commands = program.get_subcommands();
  if (commands.empty()) return error;
  const CLI::App& command = *commands.front();
  const std::vector<std::string> left = command.remaining(true);
  if (left.empty()) return error;
  const std::string& word = left.front();
  const std::string shown = isthmus::excerpt(word);
  if (!word.starts_with('-')) {
    if (isthmus::command_line::runs_a_program(command.get_name()))
      return fmt::format("{0}: `{1}` is no argument of {0} itself: put -- before it, as in `isthmus {0} ... -- {1}`",
                         command.get_name(), shown);
    return error;
  }
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  const std::vector<std::string_view> known(names.begin(), names.end());
  const std::string plain = word.substr(0, word.find('='));
  return fmt::format("{}: no option `{}`{}", command.get_name(), shown, isthmus::near_matches(plain, known));
}

/// The command as it was typed, for the provenance in a report.
std::string typed(int argc, char** argv) {
  std::string command = "isthmus";
  for (int i = 1; i < argc; ++i) command += std::string(" ") + argv[i];
  return command;
}

/// Takes what follows `--` off the end of the arguments of a command that runs a program: none of it is an option here.
std::vector<std::string> take_program(int& argc, char** argv) {
  if (argc < 2 || !isthmus::command_line::runs_a_program(argv[1])) return {};
  for (int i = 2; i < argc; ++i) {
    if (std::string_view(argv[i]) != "--") continue;
    std::vector<std::string> words(argv + i + 1, argv + argc);
    argc = i;
    return words;
  }
  return {};
}

/// Makes `help` and `help help` into `--help`, and `help COMMAND` into `COMMAND --help`.
void take_help_as_option(int argc, char** argv) {
  static char option[] = "--help";
  if (argc < 2 || std::string_view(argv[1]) != "help") return;
  const bool of_a_command = argc > 2 && std::string_view(argv[2]) != "help";
  if (of_a_command) argv[1] = argv[2];
  argv[of_a_command ? 2 : 1] = option;
}

/// The exit status.
int parse_and_run(CLI::App& program, int argc, char** argv) {
  using isthmus::command_line::print_error_line;
  if (argc < 2) {
    print_error_line("a command is missing; isthmus --help lists all");
    return 2;
  }
  if (const std::string near = unknown_command(program, argc, argv); !near.empty()) {
    print_error_line(fmt::format("no command `{}`{}", isthmus::excerpt(argv[1]), near));
    return 2;
  }
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    return program.exit(asked);
  } catch (const CLI::ExtrasError& error) {
    print_error_line(unexpected(program, one_line(error.what())));
    return 2;
  } catch (const CLI::ParseError& error) {
    print_error_line(
        fmt::format("{} (isthmus {}--help says what is understood)", without_largest_number(one_line(error.what())),
                    program.get_subcommands().empty() ? "" : program.get_subcommands().front()->get_name() + " "));
    return 2;
  } catch (const isthmus::Error& error) {
    std::fflush(stdout);
    print_error_line(error.what());
    return error.exit_status();
  } catch (const std::bad_alloc&) {
    print_error_line(
        "there is not enough memory for this; fewer ranks, larger segments or a smaller file would be right");
    return 3;
  } catch (const std::exception& error) {
    if (std::ferror(stdout) != 0) return 0;  // said by with_output_written()
    std::fflush(stdout);
    print_error_line("unexpected failure: " + one_line(error.what()));
    return 1;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace isthmus::command_line;
  open_standard_files();
  const std::string command_typed = typed(argc, argv);
  take_help_as_option(argc, argv);
  const std::vector<std::string> words = take_program(argc, argv);
  CLI::App program{"Collective operations for clusters of clusters: proved, predicted, simulated and measured.",
                   "isthmus"};
  program.require_subcommand(1);
  program.formatter(std::make_shared<HelpFormatter>());
  program.set_version_flag("--version", version_text, "the version with its commit, SimGrid, the MPIs, the substrates");
  program.footer("Exit status: 0 done, 1 the answer is no, 2 bad request or input, 3 the environment lacks something.");
  add_platform(program);
  add_channels(program);
  add_list(program);
  add_verify(program);
  add_predict(program);
  add_simulate(program);
  add_emulate(program);
  add_compare(program);
  add_run(program, words);
  add_capture(program, words);
  add_shell(program, words);
  add_explain(program);
  add_bound(program);
  add_sensitivity(program);
  add_calibrate(program);
  add_discover(program, words);
  add_tune(program);
  add_trace(program);
  add_validate(program, command_typed);
  add_doctor(program);
  add_completion(program);
  add_man(program);
  require_finite_numbers(program);
  return with_output_written(parse_and_run(program, argc, argv));
}
