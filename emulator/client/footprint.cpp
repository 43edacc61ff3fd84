#include "emulator/client/footprint.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <optional>

#include "algorithms/errors.hpp"
#include "algorithms/text/parse_number.hpp"

namespace isthmus {
namespace {

/// Measured on das-4x4 and das-8x8, on two processors. Costs of a host are those of the MPI's daemon.
struct Costs {
  double memory_MiB, memory_of_container_MiB, memory_of_host_MiB, memory_of_rank_MiB;
  double start_s, start_of_container_s, start_of_host_s, start_of_rank_s;
};

Costs costs_on(const Substrate& substrate) {
  if (!substrate.own_kernel) return {30, 0.5, 10, 20, 0.3, 0.02, 0.05, 0.05};
  return {60, 0.5, 9, 16, 1, 0.06, 0.2, 0.2};
}

std::string word_in(const char* file) {
  std::ifstream in(file);
  std::string word;
  in >> word;
  return word;
}

/// The number in a file of the kernel; no limit when the file says `max` or is missing.
std::int64_t limit_in(const char* file) {
  const std::string word = word_in(file);
  const std::optional<std::int64_t> number = parse_number<std::int64_t>(word);
  return number && *number > 0 ? *number : std::numeric_limits<std::int64_t>::max();
}

std::int64_t available_MiB() {
  std::ifstream in("/proc/meminfo");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("MemAvailable:")) return std::stoll(line.substr(13)) >> 10;
  }
  return std::numeric_limits<std::int64_t>::max();
}

std::int64_t threads_here() {
  std::ifstream in("/proc/loadavg");
  std::string word;
  for (int i = 0; i < 4; ++i) in >> word;
  const std::size_t slash = word.find('/');
  return slash == std::string::npos ? 0 : std::stoll(word.substr(slash + 1));
}

}  // namespace

Footprint footprint(const EmulationPlan& plan, const Substrate& substrate, std::int64_t data_MiB) {
  const auto containers = static_cast<double>(plan.containers.size());
  const auto hosts = static_cast<double>(
      std::count_if(plan.containers.begin(), plan.containers.end(), [](const Container& c) { return c.host >= 0; }));
  const auto ranks = static_cast<double>(plan.container_of_rank.size());
  const Costs c = costs_on(substrate);
  // A container: its holder. A host: the MPI's daemon, and what starts and watches it. A rank: it and its threads.
  constexpr int of_host = 5;
  constexpr int of_rank = 4;
  return {data_MiB + std::llround(c.memory_MiB + containers * c.memory_of_container_MiB + hosts * c.memory_of_host_MiB +
                                  ranks * c.memory_of_rank_MiB),
          static_cast<int>(10 + containers + of_host * hosts + of_rank * ranks),
          c.start_s + containers * c.start_of_container_s + hosts * c.start_of_host_s + ranks * c.start_of_rank_s};
}

Room room_here() {
  Room room{available_MiB(),
            std::min(limit_in("/proc/sys/kernel/pid_max"), limit_in("/proc/sys/kernel/threads-max")) - threads_here()};
  const std::int64_t limit = limit_in("/sys/fs/cgroup/memory.max");
  if (limit != std::numeric_limits<std::int64_t>::max()) {
    room.memory_MiB =
        std::min(room.memory_MiB, std::max<std::int64_t>(0, limit - limit_in("/sys/fs/cgroup/memory.current")) >> 20);
  }
  room.processes = std::min(room.processes, limit_in("/sys/fs/cgroup/pids.max"));
  rlimit own{};
  if (geteuid() != 0 && getrlimit(RLIMIT_NPROC, &own) == 0 && own.rlim_cur != RLIM_INFINITY) {
    room.processes = std::min(room.processes, static_cast<std::int64_t>(own.rlim_cur));
  }
  return room;
}

void check_room(const Footprint& footprint, const Room& room, double timeout_s) {
  const auto estimate = fmt::format("the emulation would take about {} MiB, {} processes and {:.0f} s to start",
                                    footprint.memory_MiB, footprint.processes, std::ceil(footprint.start_up_s));
  const char* const way_out = "fewer ranks, or --force, would be right";
  if (footprint.memory_MiB > room.memory_MiB) {
    throw Refused(fmt::format("{}; this machine has {} MiB left; {}", estimate, room.memory_MiB, way_out));
  }
  if (footprint.processes > room.processes) {
    throw Refused(fmt::format("{}; this machine has room for {} processes; {}", estimate, room.processes, way_out));
  }
  if (timeout_s > 0 && footprint.start_up_s > timeout_s) {
    throw Refused(
        fmt::format("{}; all is to be done after {:g} s; a longer --timeout, {}", estimate, timeout_s, way_out));
  }
}

}  // namespace isthmus
