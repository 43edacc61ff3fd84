// Running helper programs: no shell, no orphans, no unbounded output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace isthmus {

/// The folder of isthmus's own helper programs: `$ISTHMUS_LIBEXEC` when that variable is set, else
/// `../libexec/isthmus` from the folder of the running program.
std::string helper_folder();

/// The path of one of them. Throws Missing when it is not there.
std::string helper_program(const std::string& name);

struct ChildOptions {
  std::string input;    ///< what the child reads on its standard input
  int input_from = -1;  ///< a descriptor: after `input` the child reads what arrives there; -1: none
  /// Signals that are only forwarded to the child when this process gets them; may include SIGINT and SIGTERM.
  std::vector<int> passed_signals;
  double timeout_s = 0;  ///< 0: none
  /// Time between SIGTERM and SIGKILL, when time is up or this process is asked to end.
  double grace_s = 0.5;
  /// Called with each line of the child's standard output, without the newline; an exception ends the child.
  std::function<void(const std::string&)> on_line;
  /// Called about ten times a second while the child runs; an exception ends the child as a signal would, and is passed
  /// on by run_child().
  std::function<void()> checkpoint;
  std::vector<std::pair<std::string, std::string>> environment;  ///< added to the caller's
  std::size_t error_bytes =
      65536;  ///< bytes of standard error that are kept: half from its beginning, half from its end
  std::int64_t address_space_bytes = 0;  ///< a limit for the child's memory; 0: none
};

struct ChildResult {
  int exit_status = -1;  ///< -1 unless the child ended by itself
  int signal = 0;        ///< the signal that ended the child, else 0
  bool timed_out = false;
  int interrupted = 0;  ///< SIGINT or SIGTERM when this process got one while the child ran, else 0
  std::string errors;   ///< the child's standard error

  /// `ended with status 3`, `was killed by signal 11 (Segmentation fault)`, `was still running after 60 s`.
  std::string how_it_ended(const ChildOptions& options) const;
  /// The last line of the standard error that is not empty.
  std::string last_error_line() const;
};

/// Runs `argv` (a path first: no search, no shell) in a process group of its own. The whole group is killed when the
/// child has ended, when time is up, when `on_line` throws, and when this process gets SIGINT or SIGTERM: that signal
/// is then raised again, so that it has its usual effect. The kernel kills the child when the calling thread dies.
/// Throws Missing when the program cannot be started.
ChildResult run_child(const std::vector<std::string>& argv, const ChildOptions& options = {});

}  // namespace isthmus
