#include "emulator/agent/supervisor.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <map>
#include <optional>

#include "algorithms/process/namespaces.hpp"
#include "algorithms/process/system.hpp"
#include "emulator/agent/containers/container.hpp"
#include "emulator/agent/processor.hpp"
#include "emulator/agent/processor_wait.hpp"
#include "emulator/protocol/agent_report.hpp"
#include "emulator/protocol/messages.hpp"
#include "emulator/protocol/settings.hpp"

namespace isthmus {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto look_every = std::chrono::milliseconds(20);
// How long the agent may take, after time is up, to report what it was doing.
constexpr auto grace = std::chrono::seconds(10);

constexpr const char* console_file = "/run/isthmus/console";

void write_line(const std::string& line) {
  std::fwrite(line.data(), 1, line.size(), stdout);
  std::fflush(stdout);
}

void send_event(const nlohmann::json& event) { write_line(event.dump() + "\n"); }

/// Passes on the events as they appear, and adds how much the ranks waited for a processor.
class EventForwarder {
 public:
  explicit EventForwarder(bool native) : native_(native) { start_waiting(); }

  /// True if there were events.
  bool forward() {
    constexpr int at_once = 64;  // then look at the clock
    int passed = 0;
    for (; passed < at_once; ++passed) {
      auto event = events_.receive();
      if (!event) break;
      if (event->contains("reached")) watch_processors(event->at("reached"));
      if (event->contains("end")) ended_ = true;
      if (time_is_up_ && event->contains("error")) {
        event->at("error") = event->at("error").get<std::string>() + starvation();
      }
      send_event(*event);
    }
    if (waiting_) waiting_->look();
    return passed > 0;
  }
  bool ended() const { return ended_; }
  void mark_time_up() { time_is_up_ = true; }

  /// Text to append to a timeout error if the processes waited for a processor half of the time or more; else empty.
  std::string starvation() const {
    constexpr double much = 0.5;
    const double share = waiting_ ? waiting_->share() : 0;
    if (share < much) return "";
    return fmt::format(
        "; its processes waited for a processor {:.0f} % of the time in which they wanted one: a quieter "
        "machine or a longer --timeout would be right",
        share * 100);
  }

 private:
  void watch_processors(const std::string& stage) {
    if (stage == "end" && waiting_) send_event(report_event({.processor_waited = waiting_->share()}));
    // Each stage restarts the count, to leave out the start of a job's ranks, when all want a processor at once.
    start_waiting();
  }

  void start_waiting() {
    if (native_) {
      waiting_.emplace(all_processes, ProcessorWait::Run::anywhere);
    } else {
      waiting_.emplace(processes_of_kernel, ProcessorWait::Run::on_one_processor);
    }
  }

  const bool native_;
  std::optional<ProcessorWait> waiting_;
  MessageReceiver events_{events_folder};
  bool ended_ = false;
  bool time_is_up_ = false;
};

/// Passes on to the program inside: the standard input, and the signals `passed`.
class Inward {
 public:
  explicit Inward(const sigset_t& passed) : signals_(signalfd(-1, &passed, SFD_CLOEXEC | SFD_NONBLOCK)) {
    fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK);
  }

  /// Waits for input or a signal to pass on, at most for `patience`.
  void forward(std::chrono::milliseconds patience) {
    pollfd sources[] = {{signals_.get(), POLLIN, 0}, {open_ && input_.has_room() ? STDIN_FILENO : -1, POLLIN, 0}};
    if (poll(sources, 2, static_cast<int>(patience.count())) <= 0) return;
    if (sources[0].revents != 0) take_signal();
    if (sources[1].revents != 0) take_input();
  }
  void stop() { commands_.send({{"stop", true}}); }
  /// The first signal that asked the program to end; 0: none.
  int asked_to_end() const { return asked_to_end_; }

 private:
  void take_signal() {
    signalfd_siginfo info{};
    if (read(signals_.get(), &info, sizeof info) != sizeof info) return;
    const int number = static_cast<int>(info.ssi_signo);
    commands_.send({{"signal", number}});
    const bool ends = number == SIGHUP || number == SIGINT || number == SIGQUIT || number == SIGTERM;
    if (ends && asked_to_end_ == 0) asked_to_end_ = number;
  }

  void take_input() {
    char buffer[65536];
    const ssize_t count = read(STDIN_FILENO, buffer, sizeof buffer);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count > 0) {
      input_.send({{"bytes", text_of_bytes({buffer, static_cast<std::size_t>(count)})}});
    } else {
      open_ = false;
      input_.send({{"end", true}});
    }
  }

  Descriptor signals_;
  MessageSender commands_{commands_folder}, input_{input_folder};
  bool open_ = true;
  int asked_to_end_ = 0;
};

std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of("\r\n ");
  if (end == std::string::npos) return "it said nothing";
  const std::size_t start = text.find_last_of("\r\n", end);
  return text.substr(start + 1, end - start);
}

// Preloaded into a kernel that runs as a process, the second one in virtual time only: see registers.c and chance.c.
constexpr const char* registers_library = "/run/isthmus/registers.so";
constexpr const char* chance_library = "/run/isthmus/chance.so";

pid_t start(const std::vector<std::string>& argv, bool own_kernel, bool real_time) {
  const Descriptor console = open_file(console_file, O_WRONLY | O_CREAT);
  const Descriptor nothing = open_file("/dev/null", O_RDONLY);
  const pid_t child = checked(fork(), "fork");
  if (child != 0) return child;
  dup2(nothing.get(), STDIN_FILENO);
  dup2(console.get(), STDOUT_FILENO);
  dup2(console.get(), STDERR_FILENO);
  setenv("HOME", run_folder, 1);
  setenv("TMPDIR", run_folder, 1);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  if (own_kernel) keep_to_one_processor();
  if (own_kernel && real_time) go_before_others();
  const std::string preloaded = real_time ? registers_library : fmt::format("{}:{}", registers_library, chance_library);
  if (own_kernel) setenv("LD_PRELOAD", preloaded.c_str(), 1);
  execute(argv);
  dprintf(STDERR_FILENO, "%s cannot be started", argv.front().c_str());
  _exit(127);
}

void prepare_folders(const AgentRequest& request, bool native) {
  checked(::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr), "make mounts private");
  mount_file_system("tmpfs", "/run");
  for (const char* folder : {run_folder, job_folder, events_folder, commands_folder, input_folder})
    make_folders(folder);
  if (native) mount_file_system("proc", "/proc");
  const nlohmann::json& work = request.work;
  write_text(work_file, work.dump());
  write_text(settings_file, nlohmann::json(request.settings).dump());
  if (work.contains("session")) write_text(network_file, work.at("session").at("network").dump());
  if (work.contains("drop_in")) write_text(network_file, work.at("job").at("network").dump());
  checked(symlink(request.program.c_str(), "/run/isthmus/init"), "link a helper program");
  for (const auto& [name, link] : {std::pair{"registers", registers_library}, std::pair{"chance", chance_library}}) {
    const std::string library = fmt::format("{}/libisthmus-{}.so", request.settings.helpers, name);
    checked(symlink(library.c_str(), link), "link a helper library");
  }
}

/// A kernel that runs as a process keeps a child process for each of its programs. It does not notice when such a child
/// is killed while its program sleeps: whatever waits for that program waits for ever. Children that the kernel ends
/// itself are reaped at once.
class KernelProcesses {
 public:
  /// Whether a child was found ended but not reaped three times in a row, at least 500 ms apart.
  bool one_was_killed() {
    const Clock::time_point now = Clock::now();
    if (now < next_look_) return false;
    next_look_ = now + std::chrono::milliseconds(500);
    std::map<std::string, int> ended;
    for (const std::string& process : processes_of_kernel()) {
      if (has_ended(process)) ended[process] = seen_[process] + 1;
    }
    seen_ = std::move(ended);
    return std::any_of(seen_.begin(), seen_.end(), [](const auto& process) { return process.second >= 3; });
  }

 private:
  Clock::time_point next_look_ = Clock::now();
  std::map<std::string, int> seen_;
};

/// The first process of the namespaces. All others end with it.
void contain(const AgentRequest& request, bool native, const sigset_t& passed) {
  prepare_folders(request, native);
  const double timeout_s = request.settings.options.timeout_s;
  const auto never = Clock::time_point::max();
  const auto deadline = timeout_s > 0 ? Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                           std::chrono::duration<double>(std::min(timeout_s, 1e9)))
                                      : never;
  EventForwarder forwarder(native);
  Inward inward(passed);
  inward.forward(std::chrono::milliseconds(0));  // passes on the input that has already arrived
  const bool real_time = request.settings.substrate.real_time;
  Descriptor awake;
  if (real_time) {
    awake = keep_processors_awake();
    send_event(
        provenance_event("idle_processors", awake.is_open() ? "kept awake" : "may sleep (/dev/cpu_dma_latency)"));
  }
  const pid_t child = start(request.argv, !native, real_time);
  auto last = deadline == never ? never : deadline + grace;
  KernelProcesses kernel;
  for (bool asked = false, interrupted = false;;) {
    int status = 0;
    const pid_t ended = waitpid(child, &status, WNOHANG);
    const bool more = forwarder.forward();
    if (forwarder.ended()) return;
    if (ended == child && !more) {
      send_event({{"error",
                   fmt::format("the emulation broke off ({}): {}", ending(status), last_line(read_text(console_file)))},
                  {"status", 1}});
      return;
    }
    if (!native && kernel.one_was_killed()) {
      send_event({{"error", "the emulation broke off: a process of its kernel was killed"}, {"status", 1}});
      return;
    }
    const auto now = Clock::now();
    if (!asked && now >= deadline) {
      inward.stop();
      forwarder.mark_time_up();
      asked = true;
    }
    if (inward.asked_to_end() != 0 && !interrupted) {
      last = std::min(last, now + grace);
      interrupted = true;
    }
    if (now >= last) {
      const std::string starvation = forwarder.starvation();
      send_event({{"error", interrupted ? fmt::format("still there {:g} s after signal {} ({})",
                                                      std::chrono::duration<double>(grace).count(),
                                                      inward.asked_to_end(), strsignal(inward.asked_to_end()))
                                        : fmt::format("not done after {:g} s, and no answer{}", timeout_s,
                                                      starvation.empty() ? ": a process keeps its processor for ever"
                                                                         : starvation)},
                  {"status", 1}});
      return;
    }
    inward.forward(more ? std::chrono::milliseconds(0) : look_every);
  }
}

/// The request is the first line of the standard input, a socket; the rest is input of the program.
std::string read_request() {
  std::string line;
  char buffer[65536];
  for (bool whole = false; !whole;) {
    const ssize_t there = recv(STDIN_FILENO, buffer, sizeof buffer, MSG_PEEK);
    if (there <= 0) return line;
    const void* const end = std::memchr(buffer, '\n', static_cast<std::size_t>(there));
    whole = end != nullptr;
    const auto length = whole ? static_cast<const char*>(end) - buffer + 1 : there;
    line.append(buffer, static_cast<std::size_t>(checked(recv(STDIN_FILENO, buffer, length, 0), "read a request")));
  }
  return line;
}

}  // namespace

int supervise() {
  const auto request = nlohmann::json::parse(read_request()).get<AgentRequest>();
  const bool native = !request.settings.substrate.own_kernel;
  const bool session = request.work.contains("session");
  enter_namespaces(native);
  // Entering a user namespace clears an earlier PR_SET_PDEATHSIG.
  checked(prctl(PR_SET_PDEATHSIG, SIGKILL), "prctl");
  if (getppid() != request.parent) return 1;

  // Signals for a program inside are blocked here and passed on.
  sigset_t passed;
  sigemptyset(&passed);
  if (session) {
    for (const int number : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2}) sigaddset(&passed, number);
  }
  sigset_t waited_for = passed;
  sigaddset(&waited_for, SIGCHLD);
  sigprocmask(SIG_BLOCK, &waited_for, nullptr);

  auto [watched, held] = make_pipe();
  const pid_t child = checked(fork(), "fork");
  if (child == 0) {
    held.close();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    pollfd parent{watched.get(), POLLIN, 0};
    if (poll(&parent, 1, 0) != 0) _exit(1);  // the parent ended before prctl
    try {
      contain(request, native, passed);
    } catch (const std::exception& error) {
      send_event({{"error", error.what()}, {"status", 1}});
    }
    _exit(0);
  }
  watched.close();
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    const int number = sigwaitinfo(&waited_for, nullptr);
    if (number > 0 && number != SIGCHLD) kill(child, number);
  }
  if (WIFSIGNALED(status)) {
    send_event({{"error", fmt::format("the emulation broke off: its first process ended ({})", ending(status))},
                {"status", 1}});
  }
  return status == 0 ? 0 : 1;
}

}  // namespace isthmus
