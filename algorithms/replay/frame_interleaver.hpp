// Messages that come to a shared link at the same time, as frames. The link serves frames in the order in which they
// come, so that messages which come side by side are interleaved: the frames of the second that come before the last of
// the first go before that. Each message is taken to come evenly from when its head is there until its tail is.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "algorithms/replay/ticks.hpp"

namespace isthmus {

/// How many frames a message makes; one where `frame_bytes` is 0, so that messages go one after the other.
inline int frames_of(double bytes, double frame_bytes) {
  return frame_bytes > 0 ? std::max(1, static_cast<int>(std::ceil(bytes / frame_bytes))) : 1;
}

/// The messages that are still coming to one link. `Id` tells them apart. Moments and durations are in seconds, in
/// ticks.
template <typename Id>
class FrameInterleaver {
 public:
  struct Passage {
    double start_s;  ///< when the link begins with the message
    double done_s;   ///< when it has served all of it, if nothing else comes; not before the tail is there
  };

  /// A message comes from `head_s` to `tail_s`, whose frames occupy the link for `occupied_s`; the heads of messages
  /// come in the order of time. `free_s` is when the link has served all that is known of. `on_delayed(id, done_s)` is
  /// called for those that are done later for it.
  template <typename PutOff>
  Passage come(const Id& id, double head_s, double tail_s, double occupied_s, int frames, double& free_s,
               PutOff&& on_delayed) {
    const Coming own{id, head_s, (tail_s - head_s) / frames, frames, occupied_s / frames, 0};
    std::erase_if(coming_, [head_s](const Coming& other) { return other.last_s() <= head_s; });
    double behind_head_s = 0, behind_tail_s = 0;  // frames of others that come later
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
    double head_s, step_s;  // the first frame's head, and how long after each the next one's comes
    int frames;
    double frame_s;   // how long one occupies the link
    double served_s;  // when the link has served what has come of it and before it

    static constexpr double same = 1e-6;  // of a step: frames that come together, but for rounding

    double last_s() const { return head_s + (frames - 1) * step_s; }
    double tail_s() const { return head_s + frames * step_s; }
    /// Those that come later than at an instant that the first does not.
    double frames_after(double instant_s) const {
      return std::max(0.0, frames - 1 - std::floor((instant_s - head_s) / step_s + same));
    }
    double frames_before(double instant_s) const {
      if (instant_s <= head_s) return 0;
      return step_s > 0 ? std::min<double>(frames, std::ceil((instant_s - head_s) / step_s - same)) : frames;
    }
  };
  std::vector<Coming> coming_;
};

}  // namespace isthmus
