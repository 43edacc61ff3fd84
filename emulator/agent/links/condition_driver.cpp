#include "emulator/agent/links/condition_driver.hpp"

#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <exception>
#include <new>

#include "algorithms/errors.hpp"
#include "emulator/agent/links/clock.hpp"
#include "emulator/agent/links/netem_seed.hpp"
#include "emulator/agent/links/traffic.hpp"

namespace isthmus {
namespace {

using SharedInstant = std::atomic<std::int64_t>;

/// Starts a process that does `work` and ends with this one.
template <typename Work>
pid_t start_process(const Work& work) {
  const pid_t child = checked(fork(), "fork");
  if (child != 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  try {
    work();
  } catch (const std::exception&) {
    _exit(1);
  }
  _exit(0);
}

SharedInstant* make_shared_instant() {
  void* const memory = mmap(nullptr, sizeof(SharedInstant), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw_errno("share memory with the driver of the conditions");
  return new (memory) SharedInstant(-1);
}

Descriptor listen_for_starts() {
  Descriptor listener(checked(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0), "socket"));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, condition_socket, sizeof address.sun_path - 1);
  unlink(condition_socket);
  checked(bind(listener.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), "bind");
  checked(chmod(condition_socket, 0666), "let anybody inside tell");
  checked(listen(listener.get(), 1), "listen");
  return listener;
}

double since(std::int64_t start_ns) { return static_cast<double>(monotonic_ns() - start_ns) * 1e-9; }

}  // namespace

ConditionDriver::ConditionDriver(const EmulationPlan& plan, const Network& network, const Conditions& conditions,
                                 Beginning beginning, const std::vector<RunningContainer>& containers, HopTable& hops)
    : plan_(plan),
      network_(network),
      conditions_(conditions),
      containers_(containers),
      hops_(hops),
      changes_(queue_changes(plan, network, conditions)),
      wants_starts_(beginning == Beginning::each_start && changes_with_time(network, conditions)),
      start_ns_(make_shared_instant()) {
  const std::size_t next = apply_due(0, wants_starts_ ? before_start_s : 0);
  if (wants_starts_) {
    const Descriptor listener = listen_for_starts();
    processes_.push_back(start_process([&] { follow_starts(listener); }));
  } else if (next < changes_.size()) {
    const std::int64_t start_ns = monotonic_ns();
    *start_ns_ = start_ns;
    processes_.push_back(start_process([&] { follow(start_ns); }));
  }
  for (std::size_t i = 0; i < conditions.traffic.size(); ++i) start_traffic(i);
}

ConditionDriver::~ConditionDriver() {
  for (const pid_t process : processes_) {
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
  }
  munmap(start_ns_, sizeof *start_ns_);
}

void ConditionDriver::start_traffic(std::size_t number) {
  const AmbientTraffic& traffic = conditions_.traffic[number];
  const auto container_of = [&](const std::string& name) {
    const auto at = std::find_if(plan_.containers.begin(), plan_.containers.end(),
                                 [&](const Container& container) { return container.name == name; });
    return static_cast<std::size_t>(at - plan_.containers.begin());
  };
  const std::size_t from = container_of(traffic.from), to = container_of(traffic.to);
  processes_.push_back(start_process([&] {
    send_traffic(AmbientTimes(traffic, conditions_.seed, number), containers_[from], plan_.containers[to].address,
                 containers_[to]);
  }));
}

void ConditionDriver::follow(std::int64_t start_ns) const {
  std::size_t next = 0;
  while (next < changes_.size() && changes_[next].at_s <= 0) ++next;
  while (next < changes_.size()) {
    sleep_until_ns(start_ns + static_cast<std::int64_t>(changes_[next].at_s * 1e9));
    next = apply_due(next, changes_[next].at_s);
  }
}

void ConditionDriver::follow_starts(const Descriptor& listener) const {
  const Descriptor ranks(checked(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC), "accept"));
  std::int64_t start_ns = 0;
  for (std::size_t next = changes_.size();;) {
    pollfd told{ranks.get(), POLLIN, 0};
    timespec patience{};
    const bool waits = next < changes_.size();
    if (waits) {
      const auto due_ns = start_ns + static_cast<std::int64_t>(changes_[next].at_s * 1e9);
      const std::int64_t left_ns = std::max<std::int64_t>(due_ns - monotonic_ns(), 0);
      patience = {left_ns / 1'000'000'000, left_ns % 1'000'000'000};
    }
    if (checked(ppoll(&told, 1, waits ? &patience : nullptr, nullptr), "wait for a start") == 0) {
      next = apply_due(next, changes_[next].at_s);
      continue;
    }
    if (recv(ranks.get(), &start_ns, sizeof start_ns, 0) != sizeof start_ns) return;  // the ranks have ended
    next = apply_due(0, before_start_s);
    *start_ns_ = start_ns;
    checked(send(ranks.get(), &start_ns, sizeof start_ns, MSG_NOSIGNAL), "answer a start");
  }
}

std::size_t ConditionDriver::apply_due(std::size_t next, double now_s) const {
  for (; next < changes_.size() && changes_[next].at_s <= now_s; ++next) apply(changes_[next], next);
  return next;
}

void ConditionDriver::apply(const QueueChange& change, std::size_t number) const {
  if (change.hop >= 0) {
    hops_.set(change.hop, change.queue);
    return;
  }
  const RunningContainer& container = containers_[change.container];
  run_program({program_path("tc"), "-batch", "-"}, change_commands(change.device, change.queue), container.network());
  if (!change.queue.impairment.any()) return;
  container.inside_network([&] { seed_netem(change.device, conditions_.seed * 1'000'003 + number); });
}

std::string ConditionDriver::cut_now() const {
  const std::int64_t start_ns = *start_ns_;
  return start_ns < 0 ? "" : cut_links(network_, conditions_, since(start_ns));
}

}  // namespace isthmus
