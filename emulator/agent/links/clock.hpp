// The clock by which an emulation runs.
#pragma once

#include <cerrno>
#include <cstdint>
#include <ctime>

namespace isthmus {

/// Nanoseconds since the kernel started.
inline std::int64_t monotonic_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

inline void sleep_until_ns(std::int64_t instant) {
  const timespec end{instant / 1'000'000'000, instant % 1'000'000'000};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, nullptr) == EINTR) {
  }
}

}  // namespace isthmus
