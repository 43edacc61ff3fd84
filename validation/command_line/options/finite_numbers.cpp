#include "validation/command_line/options/finite_numbers.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "algorithms/text/printable.hpp"
#include "validation/command_line/options/choices.hpp"

namespace isthmus::command_line {

void require_finite_numbers(CLI::App& program) {
  const auto fault = [](const std::string& text) {
    double number = 0;
    if (!CLI::detail::lexical_cast(text, number) || std::isfinite(number)) return std::string();
    return fmt::format("{} is no finite number; one like 0.5 would be right", excerpt(text));
  };
  for (CLI::App* command : program.get_subcommands({}))
    for (CLI::Option* option : command->get_options())
      if (value_name(*option) == "FLOAT") option->check(fault);
}

}  // namespace isthmus::command_line
