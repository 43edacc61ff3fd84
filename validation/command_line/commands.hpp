// The commands of the program `isthmus`. Each function adds one command, with its options and help, to the program.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace isthmus::command_line {

/// Each returns through exceptions of algorithms/errors.hpp; the exit status of a command that ends normally is 0.
void add_platform(CLI::App& program);
void add_channels(CLI::App& program);
void add_list(CLI::App& program);
void add_verify(CLI::App& program);
void add_predict(CLI::App& program);
void add_simulate(CLI::App& program);
void add_emulate(CLI::App& program);
/// `words`: what follows `--`, a program and its arguments; they end with the program's exit status.
void add_run(CLI::App& program, const std::vector<std::string>& words);
void add_capture(CLI::App& program, const std::vector<std::string>& words);
void add_shell(CLI::App& program, const std::vector<std::string>& words);
void add_bound(CLI::App& program);
void add_compare(CLI::App& program);
void add_sensitivity(CLI::App& program);
void add_explain(CLI::App& program);
void add_calibrate(CLI::App& program);
/// `words`: what starts the ranks, with --here.
void add_discover(CLI::App& program, const std::vector<std::string>& words);
void add_tune(CLI::App& program);
void add_trace(CLI::App& program);
/// `typed`: the whole command, for the report.
void add_validate(CLI::App& program, const std::string& typed);

void add_doctor(CLI::App& program);
void add_completion(CLI::App& program);
/// The last of all: it knows the commands that were added before it.
void add_man(CLI::App& program);

/// `isthmus 0.1.0 (2b6f373)`
std::string version_line();
/// The same, then SimGrid, the MPIs and the substrates of this machine, a line each.
std::string version_text();

}  // namespace isthmus::command_line
