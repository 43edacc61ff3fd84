// Time in ticks: sums of the same durations are the same number, in whatever order they are made. So messages that
// reach a link together are seen to do so, and which of them goes first is a rule and no matter of rounding.
#pragma once

namespace isthmus {

/// 7 femtoseconds. Sums are exact up to 64 s.
inline constexpr double tick_s = 0x1p-47;

/// The nearest number of ticks; from 16 s on of as many as a double tells apart.
inline double in_ticks(double seconds) {
  constexpr double whole = 0x1.8p52 * tick_s;  // its last binary digit is a tick
  return (seconds + whole) - whole;
}

}  // namespace isthmus
