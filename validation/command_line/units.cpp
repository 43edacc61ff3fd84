#include "validation/command_line/units.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace isthmus::command_line {

std::string bandwidth(double Bps) {
  const std::array units{"B/s", "kB/s", "MB/s", "GB/s", "TB/s"};
  std::size_t unit = 0;
  while (unit + 1 < units.size() && Bps >= 1000) {
    Bps /= 1000;
    ++unit;
  }
  return fmt::format("{:.4g} {}", Bps, units[unit]);
}

std::string duration(double seconds) {
  if (seconds == 0) return "0 s";
  if (std::abs(seconds) < 1e-6) return fmt::format("{:.4g} ns", seconds * 1e9);
  if (std::abs(seconds) < 1e-3) return fmt::format("{:.4g} us", seconds * 1e6);
  if (std::abs(seconds) < 1) return fmt::format("{:.4g} ms", seconds * 1e3);
  return fmt::format("{:.4g} s", seconds);
}

std::string size(std::int64_t bytes) {
  if (bytes >= 1 << 20 && bytes % (1 << 20) == 0) return fmt::format("{} MiB", bytes >> 20);
  if (bytes >= 1 << 10 && bytes % (1 << 10) == 0) return fmt::format("{} KiB", bytes >> 10);
  return fmt::format("{} B", bytes);
}

}  // namespace isthmus::command_line
