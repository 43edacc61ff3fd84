// Checked system calls: an error says what was tried.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/process/descriptor.hpp"

namespace isthmus {

/// Throws Refused: `what: reason of errno`.
[[noreturn]] void throw_errno(std::string_view what);

/// Returns `result`, or throws when it is negative.
template <typename Result>
Result checked(Result result, std::string_view what) {
  if (result < 0) throw_errno(what);
  return result;
}

/// Whether a call that has just returned `result` failed only for now, and is to be tried again later.
bool only_later(ssize_t result);

Descriptor open_file(const std::string& path, int flags);
/// The two ends of a pipe, closed on exec: first to read, second to write.
std::pair<Descriptor, Descriptor> make_pipe();

std::string read_text(const std::string& path);
/// The rest of an open file.
std::string read_text(const Descriptor& file);
void write_text(const std::string& path, std::string_view text);
/// A file without a name that holds `text`, positioned at its start.
Descriptor text_in_memory(std::string_view text);

/// The full path of a program, looked for in PATH and the system's folders; empty when there is none.
std::string program_path(const std::string& name);

void mount_file_system(const char* type, const std::string& target, const char* options = "");
void bind_mount(const std::string& source, const std::string& target);
/// Makes a folder and its parents, with mode 0777 less the umask.
void make_folders(const std::string& path);

/// Copies a file with its mode.
void copy_file(const std::string& source, const std::string& target);

/// Replaces this process. Returns only when that fails.
void execute(const std::vector<std::string>& argv);

/// How a process ended, in words: `exit status 3`, `signal 9 (Killed)`.
std::string ending(int wait_status);

/// Waits for the end of a child; returns its wait status.
int wait_for(pid_t child);

/// Whether `trial` ends without an exception, in a process that ends with it: for what would change this one.
bool succeeds_in_child(const std::function<void()>& trial);

/// Runs a program to its end with `input` on its standard input; throws Refused with the first line of its output.
void run_program(const std::vector<std::string>& argv, std::string_view input, int network_namespace = -1);

}  // namespace isthmus
