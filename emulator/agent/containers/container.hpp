// A running container: namespaces of its own for network, mounts, processes, host name and IPC, held by one process.
#pragma once

#include <fcntl.h>
#include <sched.h>
#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/process/system.hpp"
#include "emulator/plan/plan.hpp"
#include "emulator/protocol/bundle.hpp"
#include "emulator/protocol/host_files.hpp"

namespace isthmus {

/// Where the emulation keeps its files, the same in every substrate: a file system of its own.
inline constexpr const char* run_folder = "/run/isthmus";

struct StartOptions {
  std::string folder = run_folder;  ///< to start in
  bool terminal = false;            ///< the standard input is a terminal, to be the program's own
  std::vector<std::pair<std::string, std::string>> environment = {};  ///< beside the emulation's
};

class RunningContainer {
 public:
  /// Makes the namespaces. A host gets all of them, its own /proc, /sys, /dev/shm and host name, `files`, and
  /// `hosts_file` as /etc/hosts; a router only a network.
  RunningContainer(const Container& container, const HostFiles& files, const std::string& hosts_file);

  const std::string& name() const { return name_; }
  /// The holder. It ends with the process that made the container, and everything in the container with it.
  pid_t process() const { return process_; }
  int network() const { return network_.get(); }

  /// Starts a program inside, with the three descriptors as its standard input, output and errors. The process returned
  /// ends as the program does, and passes on the signals that ask a program to do something.
  pid_t start(const std::vector<std::string>& argv, int in, int out, int errors,
              const StartOptions& options = {}) const;

  /// Calls `work` while the calling thread is in the container's network.
  template <typename Work>
  void inside_network(const Work& work) const {
    const Descriptor own = open_file("/proc/self/ns/net", O_RDONLY);
    checked(setns(network(), CLONE_NEWNET), "enter container " + name_);
    work();
    checked(setns(own.get(), CLONE_NEWNET), "leave container " + name_);
  }

  /// An IPv4 socket of the container's network, for use from anywhere: one process can hold both ends of a connection.
  Descriptor open_socket(int type) const;

  /// Writes kernel settings (`net/ipv4/ip_forward`) of the container's network.
  void set(const std::vector<std::pair<std::string, std::string>>& settings) const;

 private:
  std::string name_;
  std::optional<Privileges> privileges_;  ///< of a bundle
  int niceness_ = 0;
  pid_t process_ = -1;
  Descriptor network_, mounts_, processes_, host_name_, ipc_;
};

}  // namespace isthmus
