// A running container: its own namespaces for network, mounts, processes, host name and IPC, kept alive by one process.
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

/// The folder of the emulation's files, a separate file system; the same in every substrate.
inline constexpr const char* run_folder = "/run/isthmus";

struct StartOptions {
  std::string folder = run_folder;  ///< working directory
  bool terminal = false;            ///< the standard input becomes the controlling terminal
  std::vector<std::pair<std::string, std::string>> environment = {};  ///< added to the emulation's
};

class RunningContainer {
 public:
  /// Makes the namespaces. A host gets all of them, its own /proc, /sys, /dev/shm and host name, `files`, and
  /// `hosts_file` as /etc/hosts; a router gets only a network.
  RunningContainer(const Container& container, const HostFiles& files, const std::string& hosts_file);

  const std::string& name() const { return name_; }
  /// Keeps the container alive. Ends with the process that made the container; all in the container ends with it.
  pid_t process() const { return process_; }
  int network() const { return network_.get(); }

  /// Starts a program inside, with the three descriptors as its standard input, output and errors. The returned process
  /// ends with the program's exit status or signal, and passes on signals (see passed_signals) to the program.
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

  /// An IPv4 socket in the container's network, also usable outside: one process can hold both ends of a connection.
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
