// How much of the time something on this machine waits for a processor.
#pragma once

#include <chrono>

namespace isthmus {

/// Counts from its making on.
class ProcessorWait {
 public:
  ProcessorWait();

  /// The part of the time so far during which at least one task was ready to run and had no processor, 0 to 1;
  /// negative where the kernel does not tell (/proc/pressure/cpu).
  double share() const;

 private:
  std::chrono::steady_clock::time_point start_;
  double waited_s_;
};

}  // namespace isthmus
