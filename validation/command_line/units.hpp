// Quantities as people read them.
#pragma once

#include <cstdint>
#include <string>

namespace isthmus::command_line {

/// `1 MB/s`, `50 MB/s`, `1.25 GB/s` (powers of 1000).
std::string bandwidth(double Bps);
/// `20 us`, `10 ms`, `1.2 s`: three significant digits.
std::string duration(double seconds);
/// `64 KiB`, `4 MiB`, `1000 B`.
std::string size(std::int64_t bytes);

}  // namespace isthmus::command_line
