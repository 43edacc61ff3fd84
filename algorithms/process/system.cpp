#include "algorithms/process/system.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "algorithms/errors.hpp"
#include "algorithms/text/parts.hpp"

namespace isthmus {

void throw_errno(std::string_view what) {
  const int error = errno;
  throw Refused(fmt::format("{}: {}", what, std::strerror(error)));
}

bool only_later(ssize_t result) { return result < 0 && (errno == EAGAIN || errno == EINTR); }

Descriptor open_file(const std::string& path, int flags) {
  return Descriptor(checked(::open(path.c_str(), flags | O_CLOEXEC, 0644), "open " + path));
}

std::pair<Descriptor, Descriptor> make_pipe() {
  int ends[2];
  checked(pipe2(ends, O_CLOEXEC), "pipe");
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

namespace {

std::string read_all(int descriptor, const std::string& what) {
  std::string text;
  char buffer[16384];
  for (;;) {
    const ssize_t count = ::read(descriptor, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (checked(count, "read " + what) == 0) return text;
    text.append(buffer, static_cast<std::size_t>(count));
  }
}

void write_all(int descriptor, std::string_view text, const std::string& what) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    text.remove_prefix(static_cast<std::size_t>(checked(count, "write " + what)));
  }
}

}  // namespace

std::string read_text(const std::string& path) { return read_all(open_file(path, O_RDONLY).get(), path); }

std::string read_text(const Descriptor& file) { return read_all(file.get(), "a file"); }

void write_text(const std::string& path, std::string_view text) {
  write_all(open_file(path, O_WRONLY | O_CREAT | O_TRUNC).get(), text, path);
}

Descriptor text_in_memory(std::string_view text) {
  Descriptor file(checked(memfd_create("isthmus", MFD_CLOEXEC), "memfd_create"));
  write_all(file.get(), text, "a file in memory");
  checked(lseek(file.get(), 0, SEEK_SET), "lseek");
  return file;
}

std::string program_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  const std::string folders = fmt::format("{}:/usr/sbin:/usr/bin:/sbin:/bin", path ? path : "");
  for (const std::string_view folder : parts_of(folders, ':')) {
    const std::string candidate = fmt::format("{}/{}", folder, name);
    if (folder.starts_with('/') && ::access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return {};
}

void mount_file_system(const char* type, const std::string& target, const char* options) {
  checked(::mount(type, target.c_str(), type, 0, options), fmt::format("mount {} on {}", type, target));
}

void bind_mount(const std::string& source, const std::string& target) {
  checked(::mount(source.c_str(), target.c_str(), nullptr, MS_BIND, nullptr),
          fmt::format("bind {} to {}", source, target));
}

void make_folders(const std::string& path) {
  for (std::size_t end = path.find('/', 1); end != std::string::npos; end = path.find('/', end + 1)) {
    mkdir(path.substr(0, end).c_str(), 0777);
  }
  if (mkdir(path.c_str(), 0777) != 0 && errno != EEXIST) throw_errno("make " + path);
}

void copy_file(const std::string& source, const std::string& target) {
  const Descriptor from = open_file(source, O_RDONLY);
  struct stat what {};
  checked(fstat(from.get(), &what), "look at " + source);
  write_text(target, read_all(from.get(), source));
  checked(chmod(target.c_str(), what.st_mode & 0777), "copy " + source);
}

void execute(const std::vector<std::string>& argv) {
  std::vector<char*> pointers;
  for (const std::string& word : argv) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  execvp(pointers[0], pointers.data());
}

std::string ending(int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    return fmt::format("signal {} ({})", WTERMSIG(wait_status), strsignal(WTERMSIG(wait_status)));
  }
  return fmt::format("exit status {}", WEXITSTATUS(wait_status));
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw_errno("wait for a process");
  }
  return status;
}

bool succeeds_in_child(const std::function<void()>& trial) {
  const pid_t child = fork();
  if (child < 0) return false;
  if (child > 0) return wait_for(child) == 0;
  try {
    trial();
  } catch (const std::exception&) {
    _exit(1);
  }
  _exit(0);
}

void run_program(const std::vector<std::string>& argv, std::string_view input, int network_namespace) {
  const Descriptor in = text_in_memory(input);
  const Descriptor out = text_in_memory("");
  const pid_t child = checked(fork(), "fork");
  if (child == 0) {
    dup2(in.get(), STDIN_FILENO);
    dup2(out.get(), STDOUT_FILENO);
    dup2(out.get(), STDERR_FILENO);
    if (network_namespace < 0 || setns(network_namespace, CLONE_NEWNET) == 0) execute(argv);
    _exit(127);
  }
  const int status = wait_for(child);
  if (status == 0) return;
  lseek(out.get(), 0, SEEK_SET);
  const std::string said = read_all(out.get(), argv[0]);
  throw Refused(fmt::format("{} failed ({}): {}", argv[0], ending(status), said.substr(0, said.find('\n'))));
}

}  // namespace isthmus
