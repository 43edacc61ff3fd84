// The part of a stream's time in which its rate is measured: bytes that arrive from its start to its end.
#pragma once

namespace isthmus {

constexpr double stream_window_start = 0.25, stream_window_end = 0.9;

}  // namespace isthmus
