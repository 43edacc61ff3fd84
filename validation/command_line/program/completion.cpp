#include "validation/command_line/program/completion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "algorithms/catalog.hpp"
#include "algorithms/collective/algorithm.hpp"
#include "validation/command_line/options/choices.hpp"

namespace isthmus::command_line {
namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& program) { return program.get_subcommands({}); }

std::vector<const CLI::Option*> options_of(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) { return option->nonpositional(); });
}

/// With their dashes.
std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  return names;
}

std::string all_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : options_of(command)) std::ranges::copy(names_of(*option), std::back_inserter(names));
  return fmt::format("{}", fmt::join(names, " "));
}

/// Collectives, alone and with each of their algorithms.
std::string plan_words() {
  std::vector<std::string> words;
  for (const Collective collective : collectives()) {
    words.emplace_back(name(collective));
    for (const char* id : {"auto", "all", "mpi"}) words.push_back(fmt::format("{}/{}", name(collective), id));
    for (const Algorithm* algorithm : algorithms_of(collective))
      words.push_back(fmt::format("{}/{}", name(collective), algorithm->id));
  }
  return fmt::format("{}", fmt::join(words, " "));
}

bool takes_plans(const CLI::App& command) {
  const auto positionals = command.get_options([](const CLI::Option* option) { return option->get_positional(); });
  return std::ranges::any_of(positionals, [](const CLI::Option* option) {
    const std::string name = option->get_name(true, false);
    return name == "WHAT" || name == "COLLECTIVE" || name == "NAME";
  });
}

/// Within single quotes of a shell.
std::string single_quoted(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out;
}

/// A description in one phrase, without what zsh's _arguments gives a meaning.
std::string phrase(std::string_view text) {
  std::string out(text.substr(0, std::min(text.find(';'), text.find(':'))));
  std::erase_if(out, [](char c) { return c == '[' || c == ']' || c == '\n'; });
  return single_quoted(out);
}

}  // namespace

std::string bash_completion(const CLI::App& program) {
  std::vector<std::string_view> commands;
  std::string options, choices, plans;
  for (const CLI::App* command : commands_of(program)) {
    commands.push_back(command->get_name());
    options += fmt::format("    {}) options='{}' ;;\n", command->get_name(), all_names(*command));
    if (takes_plans(*command)) plans += fmt::format("{}{}", plans.empty() ? "" : "|", command->get_name());
    for (const CLI::Option* option : options_of(*command))
      if (const std::vector<std::string> words = choices_of(*option); !words.empty())
        for (const std::string& name : names_of(*option))
          choices += fmt::format("    {}:{}) COMPREPLY=($(compgen -W '{}' -- \"$word\")); return ;;\n",
                                 command->get_name(), name, fmt::join(words, " "));
  }
  return fmt::format(R"(# Completion of isthmus for bash, made by `isthmus completion bash`.
_isthmus() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command=${{COMP_WORDS[1]}} options=''
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '{} --help --version' -- "$word"))
    return
  fi
  case $command:$before in
{}  esac
  case $command in
{}  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
    return
  fi
  COMPREPLY=($(compgen -f -- "$word"))
  case $command in
    {}) COMPREPLY+=($(compgen -W '{}' -- "$word")) ;;
  esac
}}
complete -o filenames -o nospace -F _isthmus isthmus
)",
                     fmt::join(commands, " "), choices, options, plans, plan_words());
}

std::string zsh_completion(const CLI::App& program) {
  std::string commands, cases;
  for (const CLI::App* command : commands_of(program)) {
    commands += fmt::format("    '{}:{}'\n", command->get_name(), phrase(command->get_description()));
    cases += fmt::format("    {})\n      _arguments -s", command->get_name());
    for (const CLI::Option* option : options_of(*command)) {
      const std::vector<std::string> words = choices_of(*option);
      for (const std::string& name : names_of(*option)) {
        cases += fmt::format(" \\\n        '*{}[{}]", name, phrase(option->get_description()));
        if (!value_name(*option).empty())
          cases += words.empty() ? fmt::format(":{}:_files", value_name(*option))
                                 : fmt::format(":{}:({})", value_name(*option), fmt::join(words, " "));
        cases += "'";
      }
    }
    cases += takes_plans(*command) ? " \\\n        '*:what:_isthmus_what'\n      ;;\n"
                                   : " \\\n        '*:file:_files'\n      ;;\n";
  }
  return fmt::format(R"(#compdef isthmus
# Completion of isthmus for zsh, made by `isthmus completion zsh`.
_isthmus_what() {{
  local -a plans
  plans=({})
  _alternative 'files:file:_files' 'plans:plan:compadd -a plans'
}}
_isthmus() {{
  local -a commands
  commands=(
{}  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
{}  esac
}}
_isthmus "$@"
)",
                     plan_words(), commands, cases);
}

std::string fish_completion(const CLI::App& program) {
  std::string text = "# Completion of isthmus for fish, made by `isthmus completion fish`.\n";
  std::vector<std::string_view> with_plans;
  for (const CLI::App* command : commands_of(program)) {
    text += fmt::format("complete -c isthmus -n __fish_use_subcommand -f -a {} -d '{}'\n", command->get_name(),
                        phrase(command->get_description()));
    const std::string when = fmt::format("-n '__fish_seen_subcommand_from {}'", command->get_name());
    if (takes_plans(*command)) with_plans.push_back(command->get_name());
    for (const CLI::Option* option : options_of(*command)) {
      std::string names;
      for (const std::string& name : option->get_lnames()) names += " -l " + name;
      for (const std::string& name : option->get_snames()) names += " -s " + name;
      const std::vector<std::string> words = choices_of(*option);
      text += fmt::format("complete -c isthmus {}{}{} -d '{}'\n", when, names,
                          !words.empty() ? fmt::format(" -x -a '{}'", fmt::join(words, " "))
                                         : (value_name(*option).empty() ? "" : " -r"),
                          phrase(option->get_description()));
    }
  }
  return text + fmt::format("complete -c isthmus -n '__fish_seen_subcommand_from {}' -a '{}'\n",
                            fmt::join(with_plans, " "), plan_words());
}

}  // namespace isthmus::command_line
