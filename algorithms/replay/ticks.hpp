// Time in ticks. Sums of the same durations are equal in whatever order they are added. So messages that reach a link
// together have equal times, and a rule decides which goes first, not rounding.
#pragma once

namespace isthmus {

/// 7 femtoseconds. Sums are exact up to 64 s.
inline constexpr double tick_s = 0x1p-47;

/// The nearest multiple of a tick; from 16 s on the nearest value that a double can represent.
inline double in_ticks(double seconds) {
  constexpr double whole = 0x1.8p52 * tick_s;  // its last bit is a tick
  return (seconds + whole) - whole;
}

}  // namespace isthmus
