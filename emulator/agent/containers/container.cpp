#include "emulator/agent/containers/container.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/sched.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "algorithms/errors.hpp"
#include "emulator/agent/containers/apply_privileges.hpp"
#include "emulator/agent/containers/container_init.hpp"
#include "emulator/agent/containers/furnish_files.hpp"
#include "emulator/agent/containers/start_bundle.hpp"

namespace isthmus {
namespace {

void furnish(const std::string& name, const HostFiles& files, const std::string& hosts_file) {
  checked(::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr), "make mounts private");
  furnish_files(files);
  mount_file_system("proc", "/proc");
  mount_file_system("sysfs", "/sys");
  mount_file_system("tmpfs", "/dev/shm");
  bind_mount(hosts_file, "/etc/hosts");
  checked(sethostname(name.data(), name.size()), "sethostname " + name);
}

/// The signals that are passed on to a program, and SIGCHLD.
sigset_t passed_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGCONT, SIGTSTP, SIGCHLD}) {
    sigaddset(&set, number);
  }
  return set;
}

/// Passes on the blocked signals `passed` to a child, and ends with the child's exit status or signal.
[[noreturn]] void end_as_child(pid_t child, const sigset_t& passed) {
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    const int number = sigwaitinfo(&passed, nullptr);
    if (number > 0 && number != SIGCHLD) kill(child, number);
  }
  if (WIFSIGNALED(status)) {
    sigset_t all;
    sigfillset(&all);
    signal(WTERMSIG(status), SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &all, nullptr);
    raise(WTERMSIG(status));
  }
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128);
}

Descriptor name_space(pid_t process, const char* kind) {
  return open_file(fmt::format("/proc/{}/ns/{}", process, kind), O_RDONLY);
}

}  // namespace

RunningContainer::RunningContainer(const Container& container, const HostFiles& files, const std::string& hosts_file)
    : name_(container.name), niceness_(container.niceness) {
  const bool host = container.host >= 0;
  auto [ready, said] = make_pipe();
  sigset_t children;
  sigset_t before;
  sigemptyset(&children);
  sigaddset(&children, SIGCHLD);
  sigprocmask(SIG_BLOCK, &children, &before);
  const bool by_crun = host && !files.bundle.empty();
  const unsigned long flags =
      CLONE_NEWNET | (host && !by_crun ? CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWUTS | CLONE_NEWIPC : 0UL);
  process_ = static_cast<pid_t>(
      checked(syscall(SYS_clone, flags | SIGCHLD, nullptr, nullptr, nullptr, nullptr), "make container " + name_));
  if (process_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    std::string problem = "+";
    try {
      if (host && !by_crun) furnish(name_, files, hosts_file);
    } catch (const std::exception& error) {
      problem = error.what();
    }
    if (write(said.get(), problem.data(), problem.size()) < 0 || problem != "+") _exit(1);
    said.close();
    hold_container();
  }
  sigprocmask(SIG_SETMASK, &before, nullptr);
  said.close();
  char answer[512];
  const ssize_t count = read(ready.get(), answer, sizeof answer);
  if (count != 1 || answer[0] != '+') {
    throw Refused(fmt::format("container {}: {}", name_,
                              count > 0 ? std::string(answer, static_cast<std::size_t>(count)) : "ended at once"));
  }
  network_ = name_space(process_, "net");
  if (by_crun) privileges_ = read_bundle(files.bundle).privileges;
  if (by_crun) process_ = start_bundle(files, name_, fmt::format("/proc/{}/ns/net", process_), hosts_file);
  if (!host) return;
  mounts_ = name_space(process_, "mnt");
  processes_ = name_space(process_, "pid");
  host_name_ = name_space(process_, "uts");
  ipc_ = name_space(process_, "ipc");
}

pid_t RunningContainer::start(const std::vector<std::string>& argv, int in, int out, int errors,
                              const StartOptions& options) const {
  const pid_t events = checked(fork(), "fork");
  if (events != 0) return events;
  const sigset_t passed = passed_signals();
  sigprocmask(SIG_SETMASK, &passed, nullptr);
  const int standard[] = {fcntl(in, F_DUPFD, 10), fcntl(out, F_DUPFD, 10), fcntl(errors, F_DUPFD, 10)};
  for (int i = 0; i < 3; ++i) {
    dup2(standard[i], i);
    close(standard[i]);
  }
  for (const Descriptor* space : {&network_, &host_name_, &ipc_, &processes_, &mounts_}) {
    if (setns(space->get(), 0) != 0) _exit(126);
  }
  // Only the next child enters the process namespace; this process waits for it and ends with its exit status or
  // signal.
  const pid_t inside = fork();
  if (inside == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    if (options.terminal && (setsid() < 0 || ioctl(STDIN_FILENO, TIOCSCTTY, 0) != 0)) _exit(126);
    if (niceness_ > 0 && setpriority(PRIO_PROCESS, 0, niceness_) != 0) _exit(126);
    if (privileges_) {
      try {
        apply_privileges(*privileges_);
      } catch (const std::exception& error) {
        dprintf(STDERR_FILENO, "isthmus: %s\n", error.what());
        _exit(126);
      }
    }
    for (const auto& [name, value] : options.environment) setenv(name.c_str(), value.c_str(), 1);
    if (chdir(options.folder.c_str()) == 0) execute(argv);
    _exit(127);
  }
  close_range(0, ~0U, 0);  // so that readers of the program's output see its end
  end_as_child(inside, passed);
}

Descriptor RunningContainer::open_socket(int type) const {
  Descriptor made;
  inside_network(
      [&] { made = Descriptor(checked(::socket(AF_INET, type | SOCK_CLOEXEC, 0), "socket in container " + name_)); });
  return made;
}

void RunningContainer::set(const std::vector<std::pair<std::string, std::string>>& settings) const {
  inside_network([&] {
    for (const auto& [name, value] : settings) write_text("/proc/sys/" + name, value);
  });
}

}  // namespace isthmus
