#include "emulator/supervisor.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <thread>

#include "emulator/container.hpp"
#include "emulator/events.hpp"
#include "emulator/namespaces.hpp"
#include "emulator/settings.hpp"
#include "emulator/system.hpp"

namespace isthmus {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto look_every = std::chrono::milliseconds(20);
// How long the inside may take to say what it was doing when time is up.
constexpr auto grace = std::chrono::seconds(10);

constexpr const char* console_file = "/run/isthmus/console";

void say(const std::string& line) {
  std::fwrite(line.data(), 1, line.size(), stdout);
  std::fflush(stdout);
}

void say(const nlohmann::json& event) { say(event.dump() + "\n"); }

/// Passes on whole lines of the events as they appear.
class Relay {
 public:
  void pass_on() {
    const int file = open(events_file, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    const Descriptor closing(file);
    char buffer[65536];
    for (ssize_t count = 0; (count = pread(file, buffer, sizeof buffer, offset_)) > 0; offset_ += count) {
      pending_.append(buffer, static_cast<std::size_t>(count));
    }
    const std::size_t end = pending_.rfind('\n');
    if (end == std::string::npos) return;
    if (pending_.find("{\"end\":true}\n") != std::string::npos) ended_ = true;
    say(pending_.substr(0, end + 1));
    pending_.erase(0, end + 1);
  }
  bool ended() const { return ended_; }

 private:
  std::string pending_;
  off_t offset_ = 0;
  bool ended_ = false;
};

std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of("\r\n ");
  if (end == std::string::npos) return "it said nothing";
  const std::size_t start = text.find_last_of("\r\n", end);
  return text.substr(start + 1, end - start);
}

pid_t start(const std::vector<std::string>& argv) {
  const Descriptor console = open_file(console_file, O_WRONLY | O_CREAT);
  const Descriptor nothing = open_file("/dev/null", O_RDONLY);
  const pid_t child = checked(fork(), "fork");
  if (child != 0) return child;
  dup2(nothing.get(), STDIN_FILENO);
  dup2(console.get(), STDOUT_FILENO);
  dup2(console.get(), STDERR_FILENO);
  setenv("HOME", run_folder, 1);
  setenv("TMPDIR", run_folder, 1);
  execute(argv);
  dprintf(STDERR_FILENO, "%s cannot be started", argv.front().c_str());
  _exit(127);
}

/// The first process of the namespaces. All others end with it.
void contain(const nlohmann::json& request, bool native) {
  checked(::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr), "make mounts private");
  mount_file_system("tmpfs", "/run");
  checked(mkdir(run_folder, 0755), "make a folder");
  checked(mkdir(job_folder, 0755), "make a folder");
  if (native) mount_file_system("proc", "/proc");
  write_text(job_file, request.at("job").dump());
  write_text(settings_file, request.at("settings").dump());
  const std::string program = request.at("program");
  checked(symlink(program.c_str(), "/run/isthmus/init"), "link a helper program");

  const auto settings = request.at("settings").get<EmulationSettings>();
  const auto deadline =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(settings.timeout_s));
  const pid_t child = start(request.at("argv"));
  Relay relay;
  for (bool asked = false;;) {
    int status = 0;
    const pid_t ended = waitpid(child, &status, WNOHANG);
    relay.pass_on();
    if (relay.ended()) return;
    if (ended == child) {
      say({{"error",
            fmt::format("the emulation broke off ({}): {}", ending(status), last_line(read_text(console_file)))},
           {"status", 1}});
      return;
    }
    const auto now = Clock::now();
    if (!asked && now >= deadline) {
      write_text(stop_file, "");
      asked = true;
    }
    if (now >= deadline + grace) {
      say({{"error", fmt::format("not done after {:g} s, and no answer: a process keeps its processor for ever",
                                 settings.timeout_s)},
           {"status", 1}});
      return;
    }
    std::this_thread::sleep_for(look_every);
  }
}

void become_root_inside(uid_t user, gid_t group) {
  write_text("/proc/self/setgroups", "deny");
  write_text("/proc/self/uid_map", fmt::format("0 {} 1", user));
  write_text("/proc/self/gid_map", fmt::format("0 {} 1", group));
}

}  // namespace

int supervise() {
  const nlohmann::json request =
      nlohmann::json::parse(std::string(std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()));
  const bool native = !request.at("own_kernel").get<bool>();
  const uid_t user = geteuid();
  const gid_t group = getegid();
  checked(unshare(containing_namespaces(native)), "make namespaces");
  if (user != 0) become_root_inside(user, group);
  // Entering a user namespace forgets an earlier wish.
  checked(prctl(PR_SET_PDEATHSIG, SIGKILL), "prctl");
  if (getppid() != request.at("parent").get<pid_t>()) return 1;

  auto [watched, held] = make_pipe();
  const pid_t child = checked(fork(), "fork");
  if (child == 0) {
    held.close();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    pollfd parent{watched.get(), POLLIN, 0};
    if (poll(&parent, 1, 0) != 0) _exit(1);  // it ended before the line above
    try {
      contain(request, native);
    } catch (const std::exception& error) {
      say({{"error", error.what()}, {"status", 1}});
    }
    _exit(0);
  }
  watched.close();
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status == 0 ? 0 : 1;
}

}  // namespace isthmus
