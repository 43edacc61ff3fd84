// How much the processes of an emulation wait for a processor.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace isthmus {

/// Counts from its making on. What the processes did since they were last looked at is lost when they end, so they are
/// looked at often.
class ProcessorWait {
 public:
  /// `processes`: gives the numbers of those that count, as /proc knows them.
  using Processes = std::vector<std::string> (*)();
  enum class Run : std::uint8_t { anywhere, on_one_processor };
  ProcessorWait(Processes processes, Run run) : processes_(processes), run_(run), idle_at_first_(idle_s()) { look(); }

  /// Takes in what the processes have done, unless that has just been done.
  void look();
  /// Of the time in which the processes wanted a processor, the part in which they waited for one while none was idle,
  /// 0 to 1: the part in which they waited, times that in which processors were busy. Where they are woken many at once
  /// and a processor is free soon, that is little; from about half on the processors decide how long things take.
  /// Negative where the kernel does not tell (/proc/PID/schedstat).
  double share() const;

 private:
  struct Time {
    std::int64_t ran_ns = 0, waited_ns = 0;
  };
  /// Of all processors that this process may use, since the machine started.
  static double idle_s();

  Processes processes_;
  Run run_;
  double idle_at_first_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::map<std::string, Time> first_, last_;
  std::chrono::steady_clock::time_point next_look_ = std::chrono::steady_clock::now();
};

/// All that there are, but for this one.
std::vector<std::string> all_processes();
/// A kernel that runs as a child of this process, and the processes that it keeps for its programs.
std::vector<std::string> processes_of_kernel();

}  // namespace isthmus
