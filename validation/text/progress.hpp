// Progress of a long run for the person who waits.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

namespace isthmus {

/// On a terminal one line that is overwritten, and cleared by the destructor; else a plain line after each tenth of the
/// steps and whenever something new begins. Prints nothing for a run without steps.
class Progress {
 public:
  /// `total` steps of which `done` are done already. Writes to `out`, stderr as a rule.
  Progress(std::FILE* out, bool terminal, std::size_t total, std::size_t done);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// What runs now, e.g. `smpi, das-4x4`.
  void begin(const std::string& what);
  /// What that is doing at the moment, until the next step.
  void now(const std::string& detail);
  void step();

 private:
  void show(bool important);

  std::FILE* out_;
  bool terminal_;
  std::size_t total_, done_, shown_;
  std::string what_, detail_;
  std::chrono::steady_clock::time_point started_;
};

}  // namespace isthmus
