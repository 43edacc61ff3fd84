// Options that take a number.
#pragma once

#include <CLI/CLI.hpp>

namespace isthmus::command_line {

/// Makes every option of the commands that takes a floating-point number refuse `nan` and `inf`: ranges let `nan` pass,
/// because every comparison with it is false.
void require_finite_numbers(CLI::App& program);

}  // namespace isthmus::command_line
