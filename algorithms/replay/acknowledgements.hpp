// Acknowledgements: what the receiver of a message sends back while its frames arrive. They go the way that the
// receiver's own messages to the sender go, and take time on links that also carry data there. They cross a link that
// the message itself crosses without taking time: where both directions share one rate, that is the rate of the data.
#pragma once

#include "algorithms/network/network.hpp"
#include "algorithms/replay/frame_interleaver.hpp"
#include "algorithms/replay/ticks.hpp"

namespace isthmus {

/// The acknowledgements of one message, one for every two of its frames, as a stream of small frames.
struct Acknowledgements {
  double bytes = 0;  ///< of all of them
  int frames = 0;    ///< 0: none
  double head_s = 0, tail_s = 0;

  /// Those of a message of `size` bytes (with header) whose head and tail reach the receiver at these times. One frame
  /// alone is acknowledged together with later ones, or by data.
  static Acknowledgements of(const Transport& transport, double size, double head_s, double tail_s) {
    if (!has_acknowledgements(transport) || size <= transport.frame_bytes) return {};
    const int frames = frames_of(size, transport.frame_bytes);
    const double second_s = in_ticks(2 * (tail_s - head_s) / frames);  // until its first two frames are there
    return {frames * transport.acknowledgement_bytes, frames / 2, head_s + second_s, tail_s + second_s};
  }
};

}  // namespace isthmus
