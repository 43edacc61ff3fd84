// The clock that a rank reads, real or simulated.
#pragma once

#include <functional>

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

struct Clock {
  std::function<double()> now_s;
  /// Returns at that reading of the clock, or at once if it is past.
  std::function<void(double instant_s)> sleep_until;
};

/// The clock of the kernel (CLOCK_MONOTONIC), which all ranks on one machine share.
Clock kernel_clock();

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
