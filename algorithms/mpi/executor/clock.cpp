#include "algorithms/mpi/executor/clock.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <ctime>

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

Clock kernel_clock() {
  return {.now_s =
              [] {
                timespec now{};
                clock_gettime(CLOCK_MONOTONIC, &now);
                return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
              },
          .sleep_until =
              [](double instant_s) {
                timespec instant{};
                const double whole = std::floor(instant_s);
                instant.tv_sec = static_cast<time_t>(whole);
                instant.tv_nsec = std::min(999'999'999L, std::lround((instant_s - whole) * 1e9));
                while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &instant, nullptr) == EINTR) {
                }
              }};
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
