#include "emulator/agent/launcher.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wordexp.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>

#include "algorithms/errors.hpp"
#include "algorithms/process/control_message.hpp"
#include "emulator/agent/containers/spawn.hpp"
#include "emulator/agent/openmpi.hpp"

namespace isthmus {
namespace {

/// A request of isthmus-enter: the host, the command, and its three standard descriptors.
struct Request {
  std::string host, command;
  std::vector<Descriptor> standard;
};

Request receive(int connection) {
  std::string text(spawn_request_bytes, '\0');
  ControlMessage<3 * sizeof(int)> message(text.data(), text.size());
  const ssize_t count = checked(recvmsg(connection, message.get(), MSG_CMSG_CLOEXEC), "receive a command to start");
  Request request;
  for (cmsghdr* header = message.first(); header != nullptr; header = message.after(header)) {
    if (header->cmsg_type != SCM_RIGHTS) continue;
    int descriptors[3];
    const std::size_t bytes = std::min(sizeof descriptors, header->cmsg_len - CMSG_LEN(0));
    std::memcpy(descriptors, CMSG_DATA(header), bytes);
    for (std::size_t i = 0; i < bytes / sizeof(int); ++i) request.standard.emplace_back(descriptors[i]);
  }
  text.resize(static_cast<std::size_t>(count));
  const std::size_t end = text.find('\0');
  if (end != std::string::npos && request.standard.size() == 3) {
    request.host = text.substr(0, end);
    request.command = text.substr(end + 1);
  }
  return request;
}

/// The command comes from mpirun, written for a shell on the other machine; a simple command runs without a shell.
std::vector<std::string> argv_of(const std::string& command) {
  wordexp_t words{};
  std::vector<std::string> argv;
  if (wordexp(command.c_str(), &words, WRDE_NOCMD) == 0) {
    argv.assign(words.we_wordv, words.we_wordv + words.we_wordc);
    wordfree(&words);
  }
  const bool simple = !argv.empty() && argv.front().find('=') == std::string::npos;
  return simple ? argv : std::vector<std::string>{"/bin/sh", "-c", command};
}

class Launch {
 public:
  Launch(const std::vector<RunningContainer>& containers, const LaunchOptions& options)
      : containers_(containers), options_(options) {}

  int run(const RunningContainer& container, const std::vector<std::string>& argv) {
    listen_for_daemons();
    auto [output, output_end] = make_pipe();
    auto [errors, errors_end] = make_pipe();
    output_ = std::move(output);
    errors_ = std::move(errors);
    const Descriptor nothing = open_file("/dev/null", O_RDONLY);
    const int input = options_.input >= 0 ? options_.input : nothing.get();
    if (options_.terminal >= 0) {  // it serves as all three
      output_ = Descriptor(checked(fcntl(options_.terminal, F_DUPFD_CLOEXEC, 3), "share a terminal"));
      process_ = container.start(argv, input, input, input, options_.start);
    } else {
      process_ = container.start(argv, input, output_end.get(), errors_end.get(), options_.start);
    }
    for (const Descriptor* from : {&output_, &errors_}) {
      checked(fcntl(from->get(), F_SETFL, O_NONBLOCK), "make a pipe non-blocking");
    }
    output_end.close();
    errors_end.close();
    while (process_ > 0) {
      serve();
      collect();
      if (process_ > 0) options_.watch(process_);
    }
    while (take(output_, false) || take(errors_, true)) {
    }
    unlink(spawn_socket);
    return status_;
  }

 private:
  void listen_for_daemons() {
    listener_ = Descriptor(checked(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0), "socket"));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, spawn_socket, sizeof address.sun_path - 1);
    checked(bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), "bind");
    checked(chmod(spawn_socket, 0666), "let anybody inside ask");
    checked(listen(listener_.get(), 4096), "listen");
  }

  void serve() {
    pollfd sources[] = {{listener_.get(), POLLIN, 0}, {output_.get(), POLLIN, 0}, {errors_.get(), POLLIN, 0}};
    if (poll(sources, 3, options_.watch_every_ms) <= 0) return;
    if (sources[0].revents != 0) start_daemon();
    if (sources[1].revents != 0) take(output_, false);
    if (sources[2].revents != 0) take(errors_, true);
  }

  void start_daemon() {
    Descriptor connection(checked(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC), "accept"));
    const Request request = receive(connection.get());
    const auto container = std::find_if(containers_.begin(), containers_.end(),
                                        [&](const RunningContainer& c) { return c.name() == request.host; });
    if (request.standard.size() != 3 || container == containers_.end()) return;  // closing the connection refuses
    const pid_t child = container->start(argv_of(request.command), request.standard[0].get(), request.standard[1].get(),
                                         request.standard[2].get(), {.environment = options_.start.environment});
    daemons_.emplace(child, std::move(connection));
  }

  /// False when there is nothing to read.
  bool take(Descriptor& from, bool errors) {
    char buffer[65536];
    const ssize_t count = from.is_open() ? read(from.get(), buffer, sizeof buffer) : 0;
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return false;
    if (count <= 0) {
      from.close();
      return false;
    }
    options_.output(errors, {buffer, static_cast<std::size_t>(count)});
    return true;
  }

  /// Reaps ended children. Throws Refused when a process has failed that the network needs.
  void collect() {
    int status = 0;
    for (pid_t child = 0; (child = waitpid(-1, &status, WNOHANG)) > 0;) {
      if (child == process_) {
        process_ = -1;
        status_ = status;
        continue;
      }
      const auto daemon = daemons_.find(child);
      if (daemon == daemons_.end()) {
        if (status != 0)
          throw Refused(fmt::format("the emulation broke off: {} ended ({})", part(child), ending(status)));
        continue;
      }
      const SpawnAnswer answer = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      send(daemon->second.get(), &answer, sizeof answer, MSG_NOSIGNAL);
      daemons_.erase(daemon);
    }
  }

  /// Describes a child that does not belong to the MPI.
  std::string part(pid_t child) const {
    const auto container = std::find_if(containers_.begin(), containers_.end(),
                                        [&](const RunningContainer& c) { return c.process() == child; });
    return container != containers_.end() ? "container " + container->name()
                                          : "a process that changes or delays its links";
  }

  const std::vector<RunningContainer>& containers_;
  const LaunchOptions& options_;
  Descriptor listener_, output_, errors_;
  std::map<pid_t, Descriptor> daemons_;  // each with the connection that waits for its status
  pid_t process_ = -1;
  int status_ = 0;
};

std::vector<std::string> mpirun_command(const EmulationPlan& plan, const std::vector<std::string>& program,
                                        const LaunchOptions& options) {
  // One line a rank, in the order of the ranks.
  std::string hosts;
  for (const int container : plan.container_of_rank) hosts += plan.containers[container].name + "\n";
  const std::string file = fmt::format("{}/ranks", run_folder);
  write_text(file, hosts);
  const std::string ranks = std::to_string(plan.container_of_rank.size());
  std::vector<std::string> argv;
  if (options.mpi == MpiKind::mpich) {
    argv = {options.mpirun,
            "-launcher",
            "rsh",
            "-launcher-exec",
            fmt::format("{}/bin/enter", run_folder),
            "-iface",
            "eth0",
            "-f",
            file,
            "-n",
            ranks};
    for (const auto& [name, value] : options.environment) argv.insert(argv.end(), {"-genv", name, value});
  } else {
    // No prefix, as if mpirun had been called by name: its daemons are found the same way, and need no shell.
    argv = {options.mpirun, "--allow-run-as-root", "--noprefix", "-np", ranks, "--hostfile", file};
    for (const auto& [name, value] : options.parameters) argv.insert(argv.end(), {"--mca", name, value});
    for (const auto& [name, value] : options.environment) argv.insert(argv.end(), {"-x", name + "=" + value});
  }
  argv.insert(argv.end(), program.begin(), program.end());
  return argv;
}

}  // namespace

int launch(const EmulationPlan& plan, const std::vector<RunningContainer>& containers,
           const std::vector<std::string>& program, LaunchOptions options) {
  options.start.environment = daemon_environment();
  return Launch(containers, options)
      .run(containers[plan.container_of_rank.front()], mpirun_command(plan, program, options));
}

int launch_in(const RunningContainer& container, const std::vector<std::string>& program,
              const LaunchOptions& options) {
  return Launch({}, options).run(container, program);
}

}  // namespace isthmus
