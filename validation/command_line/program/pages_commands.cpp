// isthmus completion, man: scripts for shells and manual pages, made from the description of the commands.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include "algorithms/errors.hpp"
#include "algorithms/process/whole_file.hpp"
#include "validation/command_line/commands.hpp"
#include "validation/command_line/options/choices.hpp"
#include "validation/command_line/program/completion.hpp"
#include "validation/command_line/program/man_pages.hpp"

namespace isthmus::command_line {
namespace {

std::string page_of(const CLI::App& program, const std::string& command) {
  if (command.empty()) return man_page(program);
  return man_page(program, *program.get_subcommand(command));
}

void write_pages(const CLI::App& program, const std::filesystem::path& folder) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem) throw BadInput(fmt::format("--output {}: cannot be made: {}", folder.string(), problem.message()));
  write_whole_file(folder / "isthmus.bash", bash_completion(program));
  write_whole_file(folder / "_isthmus", zsh_completion(program));
  write_whole_file(folder / "isthmus.fish", fish_completion(program));
  for (const CLI::App* command : program.get_subcommands({}))
    write_whole_file(folder / fmt::format("isthmus-{}.1", command->get_name()), man_page(program, *command));
  write_whole_file(folder / "isthmus.1", man_page(program));
}

}  // namespace

void add_completion(CLI::App& program) {
  CLI::App* command = program.add_subcommand("completion", "a script that completes commands and options in a shell");
  auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash, zsh or fish, e.g. source <(isthmus completion bash)")
      ->required()
      ->check(one_of({"bash", "zsh", "fish"}));
  command->callback([&program, shell] {
    fmt::print("{}", *shell == "bash"  ? bash_completion(program)
                     : *shell == "zsh" ? zsh_completion(program)
                                       : fish_completion(program));
  });
}

void add_man(CLI::App& program) {
  CLI::App* command = program.add_subcommand("man", "the manual page of the program or of a command, for man -l");
  auto of = std::make_shared<std::string>();
  auto folder = std::make_shared<std::string>();
  std::vector<std::string> names;
  for (const CLI::App* one : program.get_subcommands({})) names.push_back(one->get_name());
  command->add_option("COMMAND", *of, "e.g. predict; default: the program")->check(one_of(names));
  command->add_option("-o,--output", *folder, "a folder for all pages and the completion of all shells");
  command->callback([&program, of, folder] {
    if (folder->empty())
      fmt::print("{}", page_of(program, *of));
    else
      write_pages(program, *folder);
  });
}

}  // namespace isthmus::command_line
