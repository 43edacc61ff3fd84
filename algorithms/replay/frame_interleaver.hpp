// Interleaves messages on a shared link by frames. The link serves frames in order of arrival, so that messages which
// arrive at the same time are interleaved: a frame of the second message that arrives before the last frame of the
// first is served before it. The frames of a message are assumed to arrive evenly spaced between its head and its tail.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "algorithms/replay/ticks.hpp"

namespace isthmus {

/// The number of frames of a message. With `frame` 0 it is one, so that messages are served one after the other.
inline int frames_of(double bytes, double frame) {
  return frame > 0 ? std::max(1, static_cast<int>(std::ceil(bytes / frame))) : 1;
}

/// The messages that are arriving at one link, identified by `Id`. Times are in seconds, rounded to ticks.
template <typename Id>
class FrameInterleaver {
 public:
  struct Passage {
    double start_s;  ///< when the link begins to serve the message
    double done_s;   ///< when it has served all of it, if no other message arrives; not before the arrival of the tail
  };

  void clear() { coming_.clear(); }

  /// A message arrives from `head_s` to `tail_s`; its frames occupy the link for `occupied_s`. To be called in order of
  /// `head_s`. `free_s` is when the link has served all messages so far. `on_delayed(id, done_s)` is called for each
  /// earlier message that this one delays.
  template <typename PutOff>
  Passage arrive(const Id& id, double head_s, double tail_s, double occupied_s, int frames, double& free_s,
                 PutOff&& on_delayed) {
    const Coming own{id, head_s, (tail_s - head_s) / frames, frames, occupied_s / frames, 0};
    std::erase_if(coming_, [head_s](const Coming& other) { return other.last_s() <= head_s; });
    double behind_head_s = 0, behind_tail_s = 0;  // frames of other messages that arrive later
    for (Coming& other : coming_) {
      behind_head_s += other.frames_after(head_s) * other.frame_s;
      behind_tail_s += other.frames_after(own.last_s()) * other.frame_s;
      const double before_s = own.frames_before(other.last_s()) * own.frame_s;
      other.served_s = std::max(other.served_s, head_s) + in_ticks(before_s);
      if (other.served_s > other.tail_s()) on_delayed(other.id, other.served_s);
    }
    const double start_s = std::max(head_s, free_s - in_ticks(behind_head_s));
    free_s = std::max(head_s, free_s) + occupied_s;
    const double served_s = std::max(start_s + occupied_s, free_s - in_ticks(behind_tail_s));
    if (own.last_s() > head_s) {
      coming_.push_back(own);
      coming_.back().served_s = served_s;
    }
    return {start_s, std::max(served_s, tail_s)};
  }

 private:
  struct Coming {
    Id id;
    double head_s, step_s;  // arrival of the first frame, and the interval between frames
    int frames;
    double frame_s;   // time for which a frame occupies the link
    double served_s;  // when the link has served its frames so far, and all frames before them

    static constexpr double same = 1e-6;  // fraction of a step within which frames count as simultaneous

    double last_s() const { return head_s + (frames - 1) * step_s; }
    double tail_s() const { return head_s + frames * step_s; }
    /// The frames that arrive after the given instant.
    double frames_after(double instant_s) const {
      return std::max(0, frames - 1 - whole((instant_s - head_s) / step_s + same));
    }
    double frames_before(double instant_s) const {
      if (instant_s <= head_s) return 0;
      if (step_s <= 0) return frames;
      const double steps = (instant_s - head_s) / step_s - same;
      const int passed = whole(steps);
      return std::min(frames, passed < steps ? passed + 1 : passed);
    }
    /// The whole part, at most the number of frames. Quicker than a call of std::floor.
    int whole(double steps) const { return static_cast<int>(std::min<double>(steps, frames)); }
  };
  std::vector<Coming> coming_;
};

}  // namespace isthmus
