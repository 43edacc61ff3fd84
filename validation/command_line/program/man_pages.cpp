#include "validation/command_line/program/man_pages.hpp"

#include <fmt/format.h>

#include <string_view>

#include "validation/command_line/program/help.hpp"

namespace isthmus::command_line {
namespace {

/// Text for roff: backslashes and dashes escaped, no line that begins with a dot or an apostrophe.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

std::string head(const std::string& title, const std::string& what) {
  std::string upper = title;
  for (char& c : upper)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return fmt::format(".TH {} 1 \"\" \"isthmus {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n", roff(upper),
                     ISTHMUS_VERSION, roff(title), roff(what));
}

std::string options(const CLI::App& app, bool positionals) {
  std::string text;
  const auto wanted = app.get_options(
      [&](const CLI::Option* option) { return positionals ? option->get_positional() : option->nonpositional(); });
  for (const CLI::Option* option : wanted)
    text += fmt::format(".TP\n.B {}\n{}\n", roff(option_head(*option, positionals)), roff(option_text(*option)));
  return text;
}

std::string end() {
  return ".SH \"EXIT STATUS\"\n0 done, 1 the answer is no, 2 bad request or input, 3 the environment lacks "
         "something.\n";
}

}  // namespace

std::string man_page(const CLI::App& program) {
  std::string text = head("isthmus", program.get_description());
  text += ".SH SYNOPSIS\n.B isthmus\n.I COMMAND\n[\\fIOPTIONS\\fR]\n.SH COMMANDS\n";
  for (const CLI::App* command : program.get_subcommands({}))
    text += fmt::format(".TP\n.BR isthmus\\-{} (1)\n{}\n", roff(command->get_name()), roff(command->get_description()));
  return text + ".SH OPTIONS\n" + options(program, false) + end();
}

std::string man_page(const CLI::App& program, const CLI::App& command) {
  std::string text = head(program.get_name() + "-" + command.get_name(), command.get_description());
  text += fmt::format(".SH SYNOPSIS\n.B isthmus {}\n[\\fIOPTIONS\\fR]", roff(command.get_name()));
  for (const CLI::Option* option : command.get_options([](const CLI::Option* one) { return one->get_positional(); }))
    text += fmt::format("\n.I {}", roff(option_head(*option, true)));
  text += "\n";
  if (const std::string arguments = options(command, true); !arguments.empty()) text += ".SH ARGUMENTS\n" + arguments;
  return text + ".SH OPTIONS\n" + options(command, false) + end() + ".SH \"SEE ALSO\"\n.BR isthmus (1)\n";
}

}  // namespace isthmus::command_line
