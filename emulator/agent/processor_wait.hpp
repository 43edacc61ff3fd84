// How much the processes of an emulation wait for a processor.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace isthmus {

/// Counts from its construction on. The time of a process since the last look() is lost when the process ends: look()
/// is to be called often.
class ProcessorWait {
 public:
  /// `processes`: returns the ids of the processes to count, as in /proc.
  using Processes = std::vector<std::string> (*)();
  enum class Run : std::uint8_t { anywhere, on_one_processor };
  ProcessorWait(Processes processes, Run run) : processes_(processes), run_(run), idle_at_first_(idle_s()) { look(); }

  /// Reads the times of the processes, at most every 250 ms.
  void look();
  /// The share, 0 to 1, of the time in which the processes wanted a processor that they waited for one while none was
  /// idle: the product of the share of waiting and the share in which processors were busy. It is small if many
  /// processes wake up at once and a processor is free soon; from about 0.5 on, processors decide how long things take.
  /// Negative if the kernel does not report the times (/proc/PID/schedstat).
  double share() const;

 private:
  struct Time {
    std::int64_t ran_ns = 0, waited_ns = 0;
  };
  /// Idle seconds of all processors that this process may use, since the machine started.
  static double idle_s();

  Processes processes_;
  Run run_;
  double idle_at_first_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::map<std::string, Time> first_, last_;
  std::chrono::steady_clock::time_point next_look_ = std::chrono::steady_clock::now();
};

/// All processes except this one.
std::vector<std::string> all_processes();
/// The kernel that runs as a child of this process, and the processes that it keeps for its programs.
std::vector<std::string> processes_of_kernel();
/// Whether a process has ended and has not been reaped; not if it is gone, also while this looks.
bool has_ended(const std::string& process);

}  // namespace isthmus
