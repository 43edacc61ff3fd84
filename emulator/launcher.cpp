#include "emulator/launcher.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "algorithms/errors.hpp"
#include "emulator/spawn.hpp"

namespace isthmus {
namespace {

constexpr int look_every_ms = 200;
constexpr std::size_t output_kept = 65536;

/// A request of isthmus-enter: which host, what, and its three standard descriptors.
struct Request {
  std::string host, command;
  std::vector<Descriptor> standard;
};

Request receive(int connection) {
  std::string text(spawn_request_bytes, '\0');
  alignas(cmsghdr) char control[CMSG_SPACE(3 * sizeof(int))];
  iovec data{text.data(), text.size()};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  const ssize_t count = checked(recvmsg(connection, &message, MSG_CMSG_CLOEXEC), "receive a command to start");
  Request request;
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr; header = CMSG_NXTHDR(&message, header)) {
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

class Launch {
 public:
  Launch(const EmulationPlan& plan, const std::vector<RunningContainer>& containers, const LaunchOptions& options)
      : plan_(plan), containers_(containers), options_(options) {}

  void run(const std::vector<std::string>& program) {
    listen_for_daemons();
    auto [output, end] = make_pipe();
    output_ = std::move(output);
    const Descriptor nothing = open_file("/dev/null", O_RDONLY);
    mpirun_ = containers_[plan_.container_of_rank.front()].start(command(program), nothing.get(), end.get(), end.get());
    end.close();
    while (mpirun_ > 0) {
      serve();
      collect();
      options_.watch();
    }
    listen_to_output();
    unlink(spawn_socket);
    if (status_ == 0) return;
    std::vector<std::string> host_of_rank;
    for (const int container : plan_.container_of_rank) host_of_rank.push_back(plan_.containers[container].name);
    throw Refused(reason_of_failure(said_, ending(status_), host_of_rank));
  }

 private:
  void listen_for_daemons() {
    listener_ = Descriptor(checked(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0), "socket"));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, spawn_socket, sizeof address.sun_path - 1);
    checked(bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), "bind");
    checked(listen(listener_.get(), 4096), "listen");
  }

  std::vector<std::string> command(const std::vector<std::string>& program) const {
    // One line a rank, in the order of the ranks.
    std::string hosts;
    for (const int container : plan_.container_of_rank) hosts += plan_.containers[container].name + "\n";
    const std::string file = fmt::format("{}/ranks", run_folder);
    write_text(file, hosts);
    std::vector<std::string> argv{options_.mpirun, "--allow-run-as-root",
                                  "-np",           std::to_string(plan_.container_of_rank.size()),
                                  "--hostfile",    file};
    for (const auto& [name, value] : options_.parameters) argv.insert(argv.end(), {"--mca", name, value});
    for (const auto& [name, value] : options_.environment) argv.insert(argv.end(), {"-x", name + "=" + value});
    argv.insert(argv.end(), program.begin(), program.end());
    return argv;
  }

  void serve() {
    pollfd sources[] = {{listener_.get(), POLLIN, 0}, {output_.get(), POLLIN, 0}};
    if (poll(sources, 2, look_every_ms) <= 0) return;
    if (sources[0].revents != 0) start_daemon();
    if (sources[1].revents != 0) listen_to_output();
  }

  void start_daemon() {
    Descriptor connection(checked(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC), "accept"));
    const Request request = receive(connection.get());
    const auto container = std::find_if(containers_.begin(), containers_.end(),
                                        [&](const RunningContainer& c) { return c.name() == request.host; });
    if (request.standard.size() != 3 || container == containers_.end()) return;  // closing says no
    // As ssh does: the command comes from mpirun and was written for a shell on the other machine.
    const pid_t child = container->start({"/bin/sh", "-c", request.command}, request.standard[0].get(),
                                         request.standard[1].get(), request.standard[2].get());
    daemons_.emplace(child, std::move(connection));
  }

  void listen_to_output() {
    char buffer[16384];
    const ssize_t count = read(output_.get(), buffer, sizeof buffer);
    if (count <= 0) {
      output_.close();
      return;
    }
    said_.append(buffer, static_cast<std::size_t>(count));
    if (said_.size() > output_kept) said_.erase(output_kept / 2, said_.size() - output_kept);
  }

  void collect() {
    int status = 0;
    for (pid_t child = 0; (child = waitpid(-1, &status, WNOHANG)) > 0;) {
      if (child == mpirun_) {
        mpirun_ = -1;
        status_ = status;
      }
      const auto daemon = daemons_.find(child);
      if (daemon == daemons_.end()) continue;
      const SpawnAnswer answer = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      send(daemon->second.get(), &answer, sizeof answer, MSG_NOSIGNAL);
      daemons_.erase(daemon);
    }
  }

  const EmulationPlan& plan_;
  const std::vector<RunningContainer>& containers_;
  const LaunchOptions& options_;
  Descriptor listener_, output_;
  std::map<pid_t, Descriptor> daemons_;  // whose asker waits for the answer
  std::string said_;
  pid_t mpirun_ = -1;
  int status_ = 0;
};

}  // namespace

void launch(const EmulationPlan& plan, const std::vector<RunningContainer>& containers,
            const std::vector<std::string>& program, const LaunchOptions& options) {
  Launch(plan, containers, options).run(program);
}

}  // namespace isthmus
