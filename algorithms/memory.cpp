#include "algorithms/memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "algorithms/errors.hpp"

namespace isthmus {
namespace {

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

std::int64_t spare_of_the_machine() {
  std::ifstream in("/proc/meminfo");
  std::string key;
  for (std::int64_t kibibytes = 0; in >> key >> kibibytes; in.ignore(unlimited, '\n'))
    if (key == "MemAvailable:") return kibibytes * 1024;
  return unlimited;
}

std::int64_t spare_of_the_address_space() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
  std::ifstream in("/proc/self/statm");
  std::int64_t pages = 0;
  in >> pages;
  return std::max<std::int64_t>(0, static_cast<std::int64_t>(limit.rlim_cur) - pages * sysconf(_SC_PAGESIZE));
}

std::int64_t spare_of_the_control_group() {
  std::int64_t most = 0, used = 0;
  std::ifstream limit("/sys/fs/cgroup/memory.max"), current("/sys/fs/cgroup/memory.current");
  if (!(limit >> most) || !(current >> used)) return unlimited;  // `max` is no number
  return std::max<std::int64_t>(0, most - used);
}

}  // namespace

std::int64_t available_memory_bytes() {
  return std::min({spare_of_the_machine(), spare_of_the_address_space(), spare_of_the_control_group()});
}

void require_memory(double estimated_bytes, const std::string& what, const std::string& remedy) {
  constexpr double unnoticed = 0x1p26;  // smaller amounts are not checked
  if (estimated_bytes < unnoticed) return;
  const auto available = static_cast<double>(available_memory_bytes());
  if (estimated_bytes <= available) return;
  throw BadInput(fmt::format("{} would take some {:.2g} GB of memory, and {:.2g} GB are to be had; {}", what,
                             estimated_bytes * 1e-9, available * 1e-9, remedy));
}

}  // namespace isthmus
