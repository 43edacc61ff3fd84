#include "emulator/agent/processor.hpp"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace isthmus {

std::vector<long long> idle_ticks() {
  std::vector<long long> ticks(CPU_SETSIZE, 0);
  std::ifstream file("/proc/stat");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("cpu") || line.starts_with("cpu ")) continue;
    std::istringstream words(line.substr(3));
    int processor = 0;
    long long user = 0, nice = 0, system = 0, idle = 0, waiting = 0;
    if (words >> processor >> user >> nice >> system >> idle >> waiting && processor >= 0 && processor < CPU_SETSIZE) {
      ticks[processor] = idle + waiting;
    }
  }
  return ticks;
}

void keep_to_one_processor() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 || CPU_COUNT(&allowed) < 2) return;
  const std::vector<long long> before = idle_ticks();
  constexpr timespec moment{0, 100'000'000};
  nanosleep(&moment, nullptr);
  const std::vector<long long> after = idle_ticks();
  std::vector<int> idlest;
  long long most = 0;
  for (int processor = 0; processor < CPU_SETSIZE; ++processor) {
    if (!CPU_ISSET(processor, &allowed)) continue;
    const long long idle = after[processor] - before[processor];
    if (idlest.empty() || idle > most) {
      idlest = {processor};
      most = idle;
    } else if (idle == most) {
      idlest.push_back(processor);
    }
  }
  // The choice among equals varies, so that emulations that start together take different processors.
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(idlest[static_cast<std::size_t>(now.tv_nsec) % idlest.size()], &one);
  sched_setaffinity(0, sizeof one, &one);  // if not allowed, the emulation only takes longer
}

void go_before_others() {
  sched_param priority{};
  priority.sched_priority = sched_get_priority_min(SCHED_FIFO);
  sched_setscheduler(0, SCHED_FIFO, &priority);
}

Descriptor keep_processors_awake() {
  Descriptor request(open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC));
  constexpr std::int32_t bearable_us = 0;
  if (request.is_open() && write(request.get(), &bearable_us, sizeof bearable_us) != sizeof bearable_us)
    request.close();
  return request;
}

}  // namespace isthmus
