#include "emulator/agent/session_program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <optional>
#include <tuple>

#include "algorithms/errors.hpp"
#include "emulator/agent/gateways.hpp"
#include "emulator/agent/launcher.hpp"
#include "emulator/agent/links/capture.hpp"
#include "emulator/agent/links/clock.hpp"
#include "emulator/agent/mpich.hpp"
#include "emulator/agent/openmpi.hpp"
#include "emulator/protocol/agent_report.hpp"

namespace isthmus {
namespace {

/// The program's input: it arrives as messages, and is written without blocking to the program's pipe or terminal.
class Input {
 public:
  explicit Input(bool terminal) {
    if (terminal) {
      const int near = checked(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), "make a terminal");
      near_ = Descriptor(near);
      checked(grantpt(near), "make a terminal");
      checked(unlockpt(near), "make a terminal");
      far_ = open_file(ptsname(near), O_RDWR | O_NOCTTY);
    } else {
      std::tie(far_, near_) = make_pipe();
    }
    checked(fcntl(near_.get(), F_SETFL, O_NONBLOCK), "make a pipe non-blocking");
  }

  int near() const { return near_.get(); }
  int far() const { return far_.get(); }

  void pass_on() {
    while (near_.is_open()) {
      while (!pending_.empty()) {
        const ssize_t count = write(near_.get(), pending_.data(), pending_.size());
        if (count < 0 && errno == EPIPE) pending_.clear();
        if (count < 0) return;
        pending_.erase(0, static_cast<std::size_t>(count));
      }
      const auto message = messages_.receive();
      if (!message) return;
      if (message->contains("end")) {
        near_.close();
      } else {
        pending_ = bytes_of_text(message->at("bytes").get_ref<const std::string&>());
      }
    }
  }

 private:
  MessageReceiver messages_{input_folder};
  Descriptor near_, far_;
  std::string pending_;
};

// Whether messages between some ranks have to be forwarded.
bool lacks_routes(const EmulationPlan& plan, const Network& network) {
  for (const Container& from : plan.containers)
    for (const Container& to : plan.containers)
      if (from.host >= 0 && to.host >= 0 && from.host != to.host && !network.has_route(from.host, to.host)) return true;
  return false;
}

std::vector<std::pair<std::string, std::string>> environment_of(const SessionProgram& program,
                                                                const Transport& transport, int streams) {
  std::vector<std::pair<std::string, std::string>> environment =
      rank_environment(program.mpi == MpiKind::openmpi ? streams : 1);
  if (program.mpi == MpiKind::mpich) {
    const std::vector<std::pair<std::string, std::string>> network = mpich_environment(transport);
    environment.insert(environment.end(), network.begin(), network.end());
  }
  for (auto& [name, value] : environment) {
    if (name != "LD_PRELOAD") continue;
    if (!program.drop_in.empty())
      value = program.drop_in + ":" + value;
    else if (program.mpi == MpiKind::mpich)  // the drop-in has it as well
      value = fmt::format("{}/bin/mpich-end.so:{}", run_folder, value);
    if (!program.preload.empty()) value += ":" + program.preload;
  }
  return environment;
}

/// The frames of a link, for the one who watches.
class CapturedFrames {
 public:
  /// `link` empty: none.
  CapturedFrames(const std::string& link, const AgentContext& context) : events_(context.events) {
    if (!link.empty()) capture_.emplace(link, context.plan, context.network, context.containers);
  }

  void pass_on() {
    if (!capture_) return;
    const std::string frames = capture_->take();
    constexpr std::size_t piece = 65536;
    for (std::size_t at = 0; at < frames.size(); at += piece)
      events_.send({{"capture", text_of_bytes(std::string_view(frames).substr(at, piece))}});
    lost_ += capture_->missed();
  }

  std::int64_t lost() const { return lost_; }

 private:
  MessageSender& events_;
  std::optional<Capture> capture_;
  std::int64_t lost_ = 0;
};

LaunchOptions launch_options(const SessionProgram& program, const AgentContext& context, const Input& input) {
  LaunchOptions options;
  options.mpi = program.mpi;
  options.mpirun = context.settings.mpirun;
  options.parameters = openmpi_parameters(context.network.transport);
  options.environment = environment_of(program, context.network.transport, context.plan.streams);
  if (!program.drop_in.empty() && lacks_routes(context.plan, context.network))
    add_forwarding(context, options.environment);
  else if (!program.drop_in.empty())
    options.environment.emplace_back("ISTHMUS_NETWORK", network_file);
  options.start = {.folder = program.folder, .terminal = program.terminal};
  options.input = input.far();
  options.watch_every_ms = 50;
  if (program.terminal) {
    options.terminal = input.near();
    const winsize window{static_cast<unsigned short>(program.rows), static_cast<unsigned short>(program.columns), 0, 0};
    ioctl(input.near(), TIOCSWINSZ, &window);
  }
  options.output = [&context](bool errors, std::string_view bytes) {
    context.events.send({{errors ? "errors" : "output", text_of_bytes(bytes)}});
  };
  return options;
}

/// What the one who started the program asks: signals for it, or its end.
void obey(const nlohmann::json& command, pid_t process, const SessionProgram& program, const AgentContext& context,
          const ConditionDriver& driver) {
  if (command.contains("stop")) {
    throw Refused(
        with_cut_links(fmt::format("not done after {:g} s: {}", context.settings.options.timeout_s,
                                   program.host.empty() ? states_of_ranks(context.plan) : "the program still runs"),
                       driver));
  }
  kill(process, command.at("signal").get<int>());
}

/// The status that wait() gives of the program's end.
int status_at_end(const SessionProgram& program, const AgentContext& context, const LaunchOptions& options) {
  if (program.host.empty()) return launch(context.plan, context.containers, program.argv, options);
  const auto host = std::find_if(context.containers.begin(), context.containers.end(),
                                 [&](const RunningContainer& c) { return c.name() == program.host; });
  if (host == context.containers.end()) throw BadInput(fmt::format("host `{}`: carries no rank", program.host));
  return launch_in(*host, program.argv, options);
}

}  // namespace

void run_session_program(const SessionProgram& program, const AgentContext& context, const ConditionDriver& driver) {
  context.events.send({{"progress", "starting the program"}});
  MessageReceiver commands(commands_folder);
  Input input(program.terminal);
  CapturedFrames captured(program.capture, context);

  LaunchOptions options = launch_options(program, context, input);
  options.watch = [&](pid_t process) {
    input.pass_on();
    captured.pass_on();
    while (const auto command = commands.receive()) obey(*command, process, program, context, driver);
  };
  const std::int64_t start_ns = monotonic_ns();
  const int status = status_at_end(program, context, options);
  const int exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  captured.pass_on();

  const auto note = [&](Note::Kind kind, const std::string& text) {
    context.events.send(report_event({.notes = {{kind, text, ""}}}));
  };
  if (captured.lost() > 0)
    note(Note::Kind::lost_frames, fmt::format("{} frames came too quickly to be captured", captured.lost()));
  if (exit_status != 0 && !driver.cut_now().empty()) note(Note::Kind::cut_links, driver.cut_now());
  context.events.send({{"ended", exit_status}, {"seconds", static_cast<double>(monotonic_ns() - start_ns) * 1e-9}});
}

}  // namespace isthmus
