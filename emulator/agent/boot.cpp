// Process 1 of a User-Mode Linux whose root is the file system of the machine it runs on, read-only.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <sstream>

#include "algorithms/process/system.hpp"
#include "emulator/agent/agent.hpp"
#include "emulator/agent/containers/container.hpp"
#include "emulator/protocol/messages.hpp"
#include "emulator/protocol/settings.hpp"

namespace isthmus {
namespace {

void make_device(const char* path, unsigned major_number, unsigned minor_number) {
  checked(mknod(path, S_IFCHR | 0666, makedev(major_number, minor_number)), std::string("make ") + path);
}

void mount_system() {
  umask(0);
  mount_file_system("proc", "/proc");
  mount_file_system("sysfs", "/sys");
  mount_file_system("tmpfs", "/dev");
  make_device("/dev/null", 1, 3);
  make_device("/dev/zero", 1, 5);
  make_device("/dev/full", 1, 7);
  make_device("/dev/random", 1, 8);
  make_device("/dev/urandom", 1, 9);
  make_device("/dev/tty", 5, 0);
  make_device("/dev/ptmx", 5, 2);
  checked(symlink("/proc/self/fd", "/dev/fd"), "link /dev/fd");
  mkdir("/dev/shm", 0777);
  mkdir("/dev/pts", 0755);
  mount_file_system("tmpfs", "/dev/shm");
  mount_file_system("devpts", "/dev/pts");
  mount_file_system("tmpfs", "/run");
  mkdir(run_folder, 0755);
  mkdir(job_folder, 0755);
  mount_file_system("hostfs", job_folder, job_folder);
  umask(022);
}

/// Lets TCP use half of the memory, for the data of a job. At the kernel's default limit, a tenth, senders wait and
/// receivers drop frames, which costs retransmission timeouts even on links without loss.
void give_memory_to_tcp() {
  const auto pages = sysconf(_SC_PHYS_PAGES) / 2;
  write_text("/proc/sys/net/ipv4/tcp_mem", fmt::format("{0} {0} {0}", pages));
}

/// Mounts the folders of the machine outside that may be written to, besides the job's folder.
void mount_writable(const std::vector<std::string>& folders) {
  for (const std::string& folder : folders) mount_file_system("hostfs", folder, folder.c_str());
}

/// Loads the modules and their dependencies; there are none for a kernel with everything built in.
void load_modules(const std::vector<std::string>& modules) {
  utsname kernel{};
  uname(&kernel);
  for (const std::string& wanted : modules) {
    const std::string folder = fmt::format("/usr/lib/uml/modules/{}/", kernel.release);
    std::istringstream lines(read_text(folder + "modules.dep"));
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with(wanted + ".ko:")) continue;
      // `module: dependency ...`; the last dependency has to be loaded first.
      std::vector<std::string> files{wanted + ".ko"};
      std::istringstream needed(line.substr(line.find(':') + 1));
      for (std::string file; needed >> file;) files.push_back(file);
      for (auto file = files.rbegin(); file != files.rend(); ++file) {
        const Descriptor module = open_file(folder + *file, O_RDONLY);
        if (syscall(SYS_finit_module, module.get(), "", 0) != 0 && errno != EEXIST) throw_errno("load " + *file);
      }
    }
  }
}

}  // namespace

void boot() {
  try {
    mount_system();
    give_memory_to_tcp();
    const auto settings = nlohmann::json::parse(read_text(settings_file)).get<EmulationSettings>();
    mount_writable(settings.files.writable);
    load_modules(settings.substrate.modules);
    run_agent_work();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "isthmus-emulator: %s\n", error.what());
  }
  reboot(RB_POWER_OFF);
  _exit(1);
}

}  // namespace isthmus
