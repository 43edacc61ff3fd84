#include "emulator/weather.hpp"

#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <exception>

#include "algorithms/errors.hpp"
#include "emulator/clock.hpp"
#include "emulator/netem_seed.hpp"
#include "emulator/traffic.hpp"

namespace isthmus {
namespace {

/// A process that does `work` and ends with this one.
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

}  // namespace

Weather::Weather(const EmulationPlan& plan, const Network& network, const Conditions& conditions,
                 const std::vector<RunningContainer>& containers, HopTable& hops)
    : plan_(plan),
      conditions_(conditions),
      containers_(containers),
      hops_(hops),
      changes_(queue_changes(plan, network, conditions)),
      start_ns_(monotonic_ns()) {
  for (std::size_t i = 0; i < changes_.size() && changes_[i].at_s <= 0; ++i) apply(changes_[i], i);
  if (std::any_of(changes_.begin(), changes_.end(), [](const QueueChange& change) { return change.at_s > 0; })) {
    processes_.push_back(start_process([this] {
      for (std::size_t i = 0; i < changes_.size(); ++i) {
        if (changes_[i].at_s <= 0) continue;
        sleep_until_ns(start_ns_ + static_cast<std::int64_t>(changes_[i].at_s * 1e9));
        apply(changes_[i], i);
      }
    }));
  }
  for (std::size_t i = 0; i < conditions.traffic.size(); ++i) {
    const AmbientTraffic& traffic = conditions.traffic[i];
    const auto number = [&](const std::string& name) {
      const auto at = std::find_if(plan.containers.begin(), plan.containers.end(),
                                   [&](const Container& container) { return container.name == name; });
      return static_cast<std::size_t>(at - plan.containers.begin());
    };
    const std::size_t to = number(traffic.to);
    processes_.push_back(start_process([&] {
      send_traffic(traffic, containers[number(traffic.from)], plan.containers[to].address, containers[to],
                   conditions.seed * 1'000'003 + i);
    }));
  }
}

Weather::~Weather() {
  for (const pid_t process : processes_) {
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
  }
  try {
    for (QueueChange change : changes_) {
      if (change.hop >= 0) {
        change.queue = plan_.delayed[change.hop].queue;
      } else if (change.device == "lo") {
        change.queue = plan_.containers[change.container].loopback;
      } else {
        for (const Cable& cable : plan_.cables) {
          for (const Device* device : {&cable.a, &cable.b}) {
            if (device->container == change.container && device->name == change.device) change.queue = device->queue;
          }
        }
      }
      apply(change, 0);
    }
  } catch (const std::exception&) {
    // The network is on its way out as well; the probe will tell where it is not.
  }
}

void Weather::apply(const QueueChange& change, std::size_t number) const {
  if (change.hop >= 0) {
    hops_.set(change.hop, change.queue);
    return;
  }
  const RunningContainer& container = containers_[change.container];
  run_program({program_path("tc"), "-batch", "-"}, change_commands(change.device, change.queue), container.network());
  if (!change.queue.impairment.any()) return;
  container.inside_network([&] { seed_netem(change.device, conditions_.seed * 1'000'003 + number); });
}

std::string Weather::cut_now() const {
  return cut_links(conditions_, static_cast<double>(monotonic_ns() - start_ns_) * 1e-9);
}

}  // namespace isthmus
