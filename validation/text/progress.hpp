// Progress of a long run for the person who waits.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>

namespace isthmus {

/// On a terminal one line that is overwritten twice a second, and cleared by the destructor; else a plain line after
/// each tenth of the steps and whenever something new begins. Prints nothing for a run without steps. From the second
/// step on the line has the time that is left, as if all steps took equally long.
class Progress {
 public:
  /// `total` steps of which `done` are done already. Writes to `out`, stderr as a rule; nothing in the first `after_s`
  /// seconds.
  Progress(std::FILE* out, bool terminal, std::size_t total, std::size_t done, double after_s = 0);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// What runs now, e.g. `smpi, das-4x4`.
  void begin(const std::string& what);
  /// What that is doing at the moment, until the next step.
  void now(const std::string& detail);
  void step();
  /// Takes the line off the terminal, before a line of the answer is printed there.
  void clear();

 private:
  void show(bool important);
  void keep_shown(const std::stop_token& stop);

  std::FILE* out_;
  bool terminal_;
  std::size_t total_, done_, before_, shown_;
  double after_s_;
  bool visible_ = false;
  std::string what_, detail_;
  std::chrono::steady_clock::time_point started_;
  std::mutex mutex_;
  std::condition_variable_any ends_;
  std::jthread clock_;  // last: it uses the others
};

}  // namespace isthmus
