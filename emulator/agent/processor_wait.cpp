#include "emulator/agent/processor_wait.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "emulator/agent/processor.hpp"

namespace isthmus {
namespace {

using Clock = std::chrono::steady_clock;

// /proc uses the process ids of the namespace for which it was mounted, also in its lists of children.
std::vector<std::string> children_of(const std::string& thread) {
  std::ifstream file("/proc/" + thread + "/children");
  return {std::istream_iterator<std::string>(file), {}};
}

}  // namespace

void ProcessorWait::look() {
  if (Clock::now() < next_look_) return;
  const bool at_first = first_.empty() && last_.empty();
  for (const std::string& process : processes_()) {
    std::ifstream file("/proc/" + process + "/schedstat");
    Time time;
    if (!(file >> time.ran_ns >> time.waited_ns)) continue;
    if (at_first) first_[process] = time;
    last_[process] = time;
  }
  next_look_ = Clock::now() + std::chrono::milliseconds(250);
}

double ProcessorWait::share() const {
  Time all;
  for (const auto& [process, time] : last_) {
    const auto before = first_.find(process);
    const Time start = before != first_.end() ? before->second : Time{};
    all.ran_ns += time.ran_ns - start.ran_ns;
    all.waited_ns += time.waited_ns - start.waited_ns;
  }
  if (all.ran_ns <= 0) return -1;
  const double waited = static_cast<double>(all.waited_ns) / static_cast<double>(all.ran_ns + all.waited_ns);
  if (run_ == Run::on_one_processor) return waited;
  cpu_set_t allowed;
  const int processors = sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 1;
  const double passed_s = std::chrono::duration<double>(Clock::now() - start_).count();
  return waited * std::clamp(1 - (idle_s() - idle_at_first_) / (passed_s * processors), 0.0, 1.0);
}

double ProcessorWait::idle_s() {
  const double ticks_in_second = static_cast<double>(sysconf(_SC_CLK_TCK));
  const std::vector<long long> ticks = idle_ticks();
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 0;
  double idle = 0;
  for (int processor = 0; processor < CPU_SETSIZE; ++processor) {
    if (CPU_ISSET(processor, &allowed)) idle += static_cast<double>(ticks[processor]) / ticks_in_second;
  }
  return idle;
}

std::vector<std::string> all_processes() {
  const std::string own = std::to_string(getpid());
  std::vector<std::string> processes;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", none)) {
    std::string name = entry.path().filename().string();
    if (std::isdigit(static_cast<unsigned char>(name.front())) != 0 && name != own)
      processes.push_back(std::move(name));
  }
  return processes;
}

std::vector<std::string> processes_of_kernel() {
  std::vector<std::string> processes;
  for (const std::string& kernel : children_of("thread-self")) {
    processes.push_back(kernel);
    for (std::string& process : children_of(fmt::format("{0}/task/{0}", kernel))) {
      processes.push_back(std::move(process));
    }
  }
  return processes;
}

bool has_ended(const std::string& process) {
  std::ifstream file("/proc/" + process + "/stat");
  std::string text;
  std::getline(file, text);  // an iterator over the file would throw when the process goes away now
  const std::size_t name_end = text.rfind(')');
  return name_end != std::string::npos && text.compare(name_end, 3, ") Z") == 0;
}

}  // namespace isthmus
