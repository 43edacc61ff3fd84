#include "algorithms/process/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <exception>
#include <string_view>

#include "algorithms/errors.hpp"
#include "algorithms/process/descriptor.hpp"
#include "algorithms/process/system.hpp"

namespace isthmus {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void cannot(const std::string& program, const char* what) {
  throw Missing(fmt::format("{}: cannot be started: {}: {}", program, what, std::strerror(errno)));
}

struct Pipe {
  Descriptor read, write;
};

Pipe make_output(const std::string& program) {
  try {
    auto [read, write] = make_pipe();
    return {std::move(read), std::move(write)};
  } catch (const Refused& error) {
    throw Missing(fmt::format("{}: cannot be started: {}", program, error.what()));
  }
}

// The child's standard input is a socket and not a pipe, because a write to a socket whose reader is gone can be asked
// not to raise SIGPIPE.
Pipe make_input(const std::string& program) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) cannot(program, "socketpair");
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

// A descriptor to poll for SIGINT, SIGTERM and the signals to forward, except those that the caller ignores.
class Requests {
 public:
  Requests(const std::string& program, const std::vector<int>& passed) : passed_(passed) {
    sigset_t set;
    sigemptyset(&set);
    std::vector<int> wanted = passed;
    wanted.insert(wanted.end(), {SIGINT, SIGTERM});
    for (int number : wanted) {
      struct sigaction action {};
      if (sigaction(number, nullptr, &action) == 0 && action.sa_handler != SIG_IGN) sigaddset(&set, number);
    }
    descriptor_ = Descriptor(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
    if (!descriptor_.is_open()) cannot(program, "signalfd");
    pthread_sigmask(SIG_BLOCK, &set, &before_);
  }
  Requests(const Requests&) = delete;
  Requests& operator=(const Requests&) = delete;
  ~Requests() {
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    if (taken_ != 0) raise(taken_);
  }

  int number() const { return descriptor_.get(); }
  const sigset_t& mask_before() const { return before_; }
  /// Forwards a signal to `child` if it is one to forward; returns a signal that asks this process to end, else 0.
  int take(pid_t child) {
    signalfd_siginfo info{};
    if (read(descriptor_.get(), &info, sizeof info) != sizeof info) return 0;
    const int number = static_cast<int>(info.ssi_signo);
    if (std::find(passed_.begin(), passed_.end(), number) != passed_.end()) {
      kill(child, number);
      return 0;
    }
    return taken_ = number;
  }

 private:
  const std::vector<int>& passed_;
  Descriptor descriptor_;
  sigset_t before_{};
  int taken_ = 0;
};

// Everything that the child needs between fork and exec, prepared before: only async-signal-safe calls are allowed
// there.
struct Start {
  std::vector<char*> argv;
  std::vector<char*> environment;
  std::vector<std::string> added;
  int input, output, errors, failure;
  sigset_t mask;
  std::int64_t address_space_bytes;
  pid_t parent;
};

[[noreturn]] void become_child(const Start& start) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != start.parent) _exit(127);  // the parent died before the line above
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  if (start.address_space_bytes > 0) {
    const rlimit limit{static_cast<rlim_t>(start.address_space_bytes), static_cast<rlim_t>(start.address_space_bytes)};
    setrlimit(RLIMIT_AS, &limit);
  }
  // First moved above 0..2, so that no dup2 below overwrites a descriptor that a later one needs.
  const int input = fcntl(start.input, F_DUPFD_CLOEXEC, 3);
  const int output = fcntl(start.output, F_DUPFD_CLOEXEC, 3);
  const int errors = fcntl(start.errors, F_DUPFD_CLOEXEC, 3);
  const int failure = fcntl(start.failure, F_DUPFD_CLOEXEC, 3);
  if (dup2(input, 0) >= 0 && dup2(output, 1) >= 0 && dup2(errors, 2) >= 0) {
    pthread_sigmask(SIG_SETMASK, &start.mask, nullptr);
    execve(start.argv.front(), start.argv.data(), start.environment.data());
  }
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(failure, &error, sizeof error);
  _exit(127);
}

std::vector<char*> environment_with(std::vector<std::string>& added) {
  std::vector<char*> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::string_view key = text.substr(0, text.find('=') + 1);
    const bool replaced =
        std::any_of(added.begin(), added.end(), [&](const std::string& a) { return a.starts_with(key); });
    if (!replaced) environment.push_back(*entry);
  }
  for (std::string& entry : added) environment.push_back(entry.data());
  environment.push_back(nullptr);
  return environment;
}

// Cuts a stream into lines.
class Lines {
 public:
  explicit Lines(const std::function<void(const std::string&)>& on_line) : on_line_(on_line) {}
  void add(std::string_view text) {
    if (!on_line_) return;
    for (std::size_t end; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1)) {
      partial_.append(text.substr(0, end));
      on_line_(std::exchange(partial_, {}));
    }
    partial_.append(text);
  }
  void finish() {
    if (!partial_.empty()) on_line_(std::exchange(partial_, {}));
  }

 private:
  const std::function<void(const std::string&)>& on_line_;
  std::string partial_;
};

// The beginning and the end of a stream.
class Ends {
 public:
  explicit Ends(std::size_t bytes) : half_(bytes / 2) {}
  void add(std::string_view text) {
    const std::size_t fits = std::min(half_ - head_.size(), text.size());
    head_.append(text.substr(0, fits));
    tail_.append(text.substr(fits));
    if (tail_.size() > 2 * half_) drop();
  }
  std::string text() {
    if (tail_.size() > half_) drop();
    return dropped_ ? head_ + "\n[...]\n" + tail_ : head_ + tail_;
  }

 private:
  void drop() {
    tail_.erase(0, tail_.size() - half_);
    dropped_ = true;
  }

  std::size_t half_;
  std::string head_, tail_;
  bool dropped_ = false;
};

class Child {
 public:
  Child(const std::vector<std::string>& argv, const ChildOptions& options)
      : program_(argv.front()),
        options_(options),
        requests_(program_, options.passed_signals),
        pending_(options.input),
        lines_(options.on_line),
        ends_(options.error_bytes) {
    Pipe input = make_input(program_);
    Pipe output = make_output(program_);
    Pipe errors = make_output(program_);
    Pipe failure = make_output(program_);
    std::vector<std::string> words = argv;
    Start start{{},
                {},
                {},
                input.read.get(),
                output.write.get(),
                errors.write.get(),
                failure.write.get(),
                requests_.mask_before(),
                options.address_space_bytes,
                getpid()};
    for (std::string& word : words) start.argv.push_back(word.data());
    start.argv.push_back(nullptr);
    for (const auto& [key, value] : options.environment) start.added.push_back(key + '=' + value);
    start.environment = environment_with(start.added);

    pid_ = fork();
    if (pid_ < 0) cannot(program_, "fork");
    if (pid_ == 0) become_child(start);
    setpgid(pid_, pid_);  // the child does the same; the first of the two wins
    failure.write.close();
    int error = 0;
    if (::read(failure.read.get(), &error, sizeof error) == sizeof error) {
      end();
      errno = error;
      cannot(program_, "exec");
    }
    handle_ = Descriptor(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
    if (!handle_.is_open()) {
      const int why = errno;
      end();
      errno = why;
      cannot(program_, "pidfd_open");
    }
    input_ = std::move(input.write);
    output_ = std::move(output.read);
    errors_ = std::move(errors.read);
    for (const Descriptor* end : {&input_, &output_, &errors_}) fcntl(end->get(), F_SETFL, O_NONBLOCK);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { end(); }

  ChildResult wait() {
    const Clock::time_point begin = Clock::now();
    Clock::time_point deadline = options_.timeout_s > 0 ? after(begin, options_.timeout_s) : Clock::time_point::max();
    ChildResult result;
    bool ending = false;
    std::exception_ptr refused;
    for (;;) {
      feed();
      const bool hungry = input_.is_open() && fed_ == pending_.size();
      std::array<pollfd, 6> polled{{{handle_.get(), POLLIN, 0},
                                    {requests_.number(), POLLIN, 0},
                                    {output_.get(), POLLIN, 0},
                                    {errors_.get(), POLLIN, 0},
                                    {hungry ? -1 : input_.get(), POLLOUT, 0},
                                    {hungry ? options_.input_from : -1, POLLIN, 0}}};
      if (poll(polled.data(), polled.size(), pause_ms(deadline)) < 0 && errno != EINTR) {
        cannot(program_, "poll");
      }
      drain();
      if (polled[0].revents != 0) break;
      if (polled[1].revents != 0 && result.interrupted == 0) result.interrupted = requests_.take(pid_);
      if (polled[5].revents != 0) fetch();
      if (!refused && options_.checkpoint) {
        try {
          options_.checkpoint();
        } catch (...) {
          refused = std::current_exception();
        }
      }
      const bool late = Clock::now() >= deadline;
      if (late && ending) {
        kill(-pid_, SIGKILL);
        deadline = Clock::time_point::max();
      } else if (!ending && (late || refused || result.interrupted != 0)) {
        ending = true;
        result.timed_out = late && !refused;
        kill(-pid_, SIGTERM);
        deadline = after(Clock::now(), options_.grace_s);
      }
    }
    const int status = end();
    // Output written before the end is still in the pipes.
    read_all(output_, lines_);
    read_all(errors_, ends_);
    lines_.finish();
    if (WIFEXITED(status)) result.exit_status = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
    result.errors = ends_.text();
    if (refused) std::rethrow_exception(refused);
    return result;
  }

 private:
  int pause_ms(Clock::time_point deadline) const {
    const int left_ms = milliseconds_until(deadline);
    constexpr int between_checkpoints_ms = 100;
    if (!options_.checkpoint) return left_ms;
    return left_ms < 0 ? between_checkpoints_ms : std::min(left_ms, between_checkpoints_ms);
  }

  static Clock::time_point after(Clock::time_point instant, double seconds) {
    return instant + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::min(seconds, 1e9)));
  }

  static int milliseconds_until(Clock::time_point deadline) {
    if (deadline == Clock::time_point::max()) return -1;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    return static_cast<int>(std::clamp<std::int64_t>(left, 0, 1000000000));
  }

  void feed() {
    while (input_.is_open() && fed_ < pending_.size()) {
      const ssize_t sent =
          send(input_.get(), pending_.data() + fed_, pending_.size() - fed_, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent < 0 && (errno == EAGAIN || errno == EINTR)) return;
      if (sent < 0) input_.close();  // the child does not want the rest
      if (sent > 0) fed_ += static_cast<std::size_t>(sent);
    }
    if (options_.input_from < 0) input_.close();
  }

  /// Forwards input that is ready to the child; at its end, closes the child's input.
  void fetch() {
    pending_.resize(65536);
    fed_ = 0;
    const ssize_t got = ::read(options_.input_from, pending_.data(), pending_.size());
    if (got <= 0 && !(got < 0 && (errno == EAGAIN || errno == EINTR))) input_.close();
    pending_.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  }

  /// Reads a part of what has come: a child may never stop printing, and the clock and signals are looked at in
  /// between.
  void drain() {
    read_some(output_, lines_);
    read_some(errors_, ends_);
  }

  template <class Sink>
  static void read_all(Descriptor& from, Sink& sink) {
    while (read_some(from, sink)) {
    }
  }

  /// False when there is nothing more to read for now, or at all.
  template <class Sink>
  static bool read_some(Descriptor& from, Sink& sink) {
    if (!from.is_open()) return false;
    std::array<char, 65536> buffer;
    const ssize_t got = ::read(from.get(), buffer.data(), buffer.size());
    if (got > 0) {
      sink.add({buffer.data(), static_cast<std::size_t>(got)});
    } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
      from.close();
      return false;
    }
    return got > 0 || errno == EINTR;
  }

  // Kills the process group before the child is reaped, so that its number cannot be reused, then reaps the child.
  int end() {
    if (pid_ <= 0) return 0;
    kill(-pid_, SIGKILL);
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    return status;
  }

  const std::string& program_;
  const ChildOptions& options_;
  Requests requests_;
  std::string pending_;  // of the input
  std::size_t fed_ = 0;
  Lines lines_;
  Ends ends_;
  pid_t pid_ = -1;
  Descriptor handle_, input_, output_, errors_;
};

}  // namespace

std::string ChildResult::how_it_ended(const ChildOptions& options) const {
  if (timed_out) return fmt::format("was still running after {:g} s", options.timeout_s);
  if (interrupted != 0) return "was interrupted";
  if (signal != 0) return fmt::format("was killed by signal {} ({})", signal, strsignal(signal));
  return fmt::format("ended with status {}", exit_status);
}

std::string ChildResult::last_error_line() const {
  const std::size_t last = errors.find_last_not_of(" \t\r\n");
  if (last == std::string::npos) return {};
  const std::size_t before = errors.find_last_of('\n', last);
  const std::size_t first = before == std::string::npos ? 0 : before + 1;
  return errors.substr(first, last + 1 - first);
}

ChildResult run_child(const std::vector<std::string>& argv, const ChildOptions& options) {
  return Child(argv, options).wait();
}

}  // namespace isthmus
