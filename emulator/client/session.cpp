#include "emulator/client/session.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <utility>

#include "algorithms/errors.hpp"
#include "algorithms/network/link_names.hpp"
#include "algorithms/network/network_json.hpp"
#include "algorithms/process/child.hpp"
#include "algorithms/process/system.hpp"
#include "algorithms/text/near_matches.hpp"
#include "algorithms/text/parts.hpp"
#include "emulator/client/agent_client.hpp"
#include "emulator/plan/host_names.hpp"
#include "emulator/protocol/messages.hpp"
#include "emulator/protocol/session_program.hpp"

namespace isthmus {
namespace {

namespace fs = std::filesystem;

constexpr int passed_signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};

/// Whether a variable is of this machine's session, or of an MPI that started this process: programs do not get it.
bool stays_here(std::string_view name) {
  constexpr std::string_view names[] = {"TMPDIR",  "HOSTNAME", "PWD",        "OLDPWD",         "LD_PRELOAD",
                                        "DISPLAY", "_",        "XAUTHORITY", "WAYLAND_DISPLAY"};
  constexpr std::string_view beginnings[] = {"OMPI_", "PMIX_", "PMI_", "PRTE_", "ORTE_", "HYDRA_",      "SLURM_",
                                             "PBS_",  "LSB_",  "SGE_", "SSH_",  "DBUS_", "XDG_RUNTIME_"};
  if (name.starts_with("OMPI_MCA_") && !name.starts_with("OMPI_MCA_ess_") && !name.starts_with("OMPI_MCA_orte_")) {
    return false;
  }
  return std::find(std::begin(names), std::end(names), name) != std::end(names) ||
         std::any_of(std::begin(beginnings), std::end(beginnings),
                     [&](std::string_view beginning) { return name.starts_with(beginning); });
}

std::vector<std::pair<std::string, std::string>> environment_to_take() {
  std::vector<std::pair<std::string, std::string>> taken;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::size_t end = text.find('=');
    if (end == std::string_view::npos || stays_here(text.substr(0, end))) continue;
    taken.emplace_back(text.substr(0, end), text.substr(end + 1));
  }
  return taken;
}

/// The file that a command names, found as a shell would.
fs::path file_of_command(const std::string& command) {
  const std::string file = command.find('/') != std::string::npos ? command : program_path(command);
  std::error_code none;
  if (file.empty() || !fs::is_regular_file(file, none) || access(file.c_str(), X_OK) != 0) {
    throw BadInput(
        fmt::format("`{}`: no program of this name can be started here; a path, or a name found in PATH, "
                    "would be right",
                    command));
  }
  return fs::canonical(file);
}

std::vector<std::string> folders_of(std::string_view list) {
  std::vector<std::string> folders;
  for (const std::string_view part : parts_of(list, ':')) {
    std::error_code none;
    const fs::path folder = fs::canonical(fs::path(part), none);
    if (!none && fs::is_directory(folder, none)) folders.push_back(folder.string());
  }
  return folders;
}

/// The known names and those near to `name`; nothing when more than 40 are known.
std::string suggestion(const std::string& name, const std::vector<std::string_view>& known) {
  return known.size() <= 40 ? near_matches(name, known) : "";
}

void check_names(const Session& session) {
  if (!session.host.empty()) {
    std::vector<std::string_view> names;
    for (const int host : session.placement.host_of_rank) names.push_back(session.network.hosts[host].name);
    if (std::find(names.begin(), names.end(), session.host) == names.end()) {
      throw BadInput(fmt::format("host `{}`: none of this name carries a rank of {}{}", session.host,
                                 session.network.name, suggestion(session.host, names)));
    }
  }
  if (!session.capture.empty()) links_named(session.network, session.capture);
}

std::string existing_folder(const std::string& path) {
  std::error_code problem;
  const fs::path folder = fs::canonical(path, problem);
  if (problem || !fs::is_directory(folder, problem)) {
    throw BadInput(fmt::format("folder `{}`: cannot be used: {}", path, problem ? problem.message() : "not a folder"));
  }
  return folder.string();
}

/// Whether this process can read the standard input without being stopped.
bool may_read_input() { return isatty(STDIN_FILENO) == 0 || tcgetpgrp(STDIN_FILENO) == getpgrp(); }

/// Keeps this process's terminal in raw mode, every key at once, as long as this object lives.
class RawTerminal {
 public:
  explicit RawTerminal(bool wanted) : raw_(wanted && tcgetattr(STDIN_FILENO, &before_) == 0) {
    if (!raw_) return;
    termios raw = before_;
    cfmakeraw(&raw);
    tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
  }
  RawTerminal(const RawTerminal&) = delete;
  RawTerminal& operator=(const RawTerminal&) = delete;
  ~RawTerminal() {
    if (raw_) tcsetattr(STDIN_FILENO, TCSADRAIN, &before_);
  }

 private:
  termios before_{};
  bool raw_;
};

/// What the program sees of this machine besides the files of the system. `file`: its own; empty: in another root.
void show_files(const fs::path& file, const std::string& folder, const SessionOptions& options, HostFiles& files) {
  if (folder != "/") files.writable.push_back(folder);
  for (const std::string& path : options.writable) files.writable.push_back(existing_folder(path));
  // The program's whole folder, unless that is a temporary folder of everybody.
  const fs::path beside = file.parent_path();
  if (!file.empty()) files.shown.push_back((beside == "/tmp" || beside == "/var/tmp" ? file : beside).string());
}

void show_search_paths(HostFiles& files) {
  for (const char* variable : {"LD_LIBRARY_PATH", "PATH"}) {
    if (const char* list = std::getenv(variable); list != nullptr) {
      const std::vector<std::string> folders = folders_of(list);
      files.shown.insert(files.shown.end(), folders.begin(), folders.end());
    }
  }
}

/// The most that a kernel of its own may need; it takes only what it uses.
int memory_for_MiB(int ranks) {
  const double pages = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  return std::min(1024 + 512 * ranks, static_cast<int>(pages * 0.45 / (1 << 20)));
}

SessionProgram program_of(const Session& session, const std::string& folder, const std::string& drop_in) {
  const bool terminal = !session.host.empty() && isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0;
  winsize window{};
  if (terminal) ioctl(STDIN_FILENO, TIOCGWINSZ, &window);
  const char* own_preload = std::getenv("LD_PRELOAD");
  return {.network = to_json(session.network),
          .argv = session.argv,
          .folder = folder,
          .host = session.host,
          .drop_in = drop_in,
          .preload = own_preload != nullptr ? own_preload : "",
          .capture = session.capture,
          .mpi = session.mpich ? MpiKind::mpich : MpiKind::openmpi,
          .terminal = terminal,
          .rows = window.ws_row,
          .columns = window.ws_col};
}

/// Gives what the program wrote to those who want it, and keeps how it ended.
void take(const nlohmann::json& event, const SessionOptions& options, SessionResult& result) {
  for (const auto& [name, sink] :
       {std::pair{"output", &options.output}, {"errors", &options.errors}, {"capture", &options.capture}}) {
    if (event.contains(name) && *sink) (*sink)(bytes_of_text(event.at(name).get_ref<const std::string&>()));
  }
  if (event.contains("ended")) {
    result.exit_status = event.at("ended");
    result.seconds = event.at("seconds");
  }
}

}  // namespace

bool needs_mpich(const std::string& command) {
  const std::string path = command.find('/') != std::string::npos ? command : program_path(command);
  std::error_code none;
  if (!fs::is_regular_file(path, none)) return false;
  bool found = false;
  ChildOptions listening;
  listening.on_line = [&](const std::string& line) { found = found || line.find("libmpich.so") != std::string::npos; };
  if (const std::string ldd = program_path("ldd"); !ldd.empty()) run_child({ldd, path}, listening);  // none for scripts
  return found;
}

SessionResult run_session(const Session& asked, const SessionOptions& options) {
  check_names(asked);
  Session session = asked;
  session.network = with_emulated_names(std::move(session.network));
  session.host = emulated_name(asked.host, asked.network);
  EmulationOptions emulation = options.emulation;
  emulation.conditions = with_emulated_names(std::move(emulation.conditions), asked.network);
  const bool own_root = !options.emulation.rootfs.empty();  // then the program is in it, or in a writable folder
  const fs::path file = own_root ? fs::path() : file_of_command(session.argv.front());

  AgentLaunch launch = prepare_agent(session.network, session.placement, emulation, 0);
  EmulationSettings& settings = launch.settings;
  settings.environment = environment_to_take();
  if (session.mpich) {
    settings.mpirun = program_path("mpiexec.mpich");
    if (settings.mpirun.empty()) throw Missing("no mpiexec.mpich; `apt-get install mpich` brings it");
  }
  const std::string folder = existing_folder(".");
  show_files(file, folder, options, settings.files);
  std::string drop_in;
  if (session.drop_in)
    drop_in = show_drop_in(settings, session.mpich ? "libisthmus-mpi-mpich.so" : "libisthmus-mpi.so");
  show_search_paths(settings.files);
  launch.memory_MiB = memory_for_MiB(session.placement.size());

  const SessionProgram program = program_of(session, folder, drop_in);
  ChildOptions supervision;
  if (may_read_input()) supervision.input_from = STDIN_FILENO;
  if (options.pass_signals) supervision.passed_signals.assign(std::begin(passed_signals), std::end(passed_signals));
  SessionResult result;
  const auto on_event = [&](const nlohmann::json& event, const AgentReport&) { take(event, options, result); };
  const RawTerminal raw(program.terminal);
  static_cast<AgentReport&>(result) =
      run_agent(launch, {{"session", program}}, {options.progress, on_event}, supervision);
  return result;
}

}  // namespace isthmus
