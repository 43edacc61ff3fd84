// What happens in a replay by events.
#pragma once

#include <cstdint>

#include "algorithms/replay/compiled_schedule.hpp"
#include "algorithms/replay/radix_queue.hpp"

namespace isthmus {

enum class Happening : std::uint32_t {
  head_at_link,
  arrival,
  reception,
  processor_done,
  acknowledgement,
  head_at_last_link,
  stream_at_link
};

/// Whether a rank sends or receives at this moment or later, rather than acknowledgements alone being on their way.
inline bool is_of_ranks(Happening happening) {
  return happening != Happening::head_at_last_link && happening != Happening::stream_at_link;
}

/// In order of time.
class Happenings {
 public:
  struct Event {
    double time_s;
    Happening happening;
    std::uint32_t message;  ///< or the stream of acknowledgements
  };

  void push(double time_s, Happening happening, std::uint32_t message) {
    queue_.push(time_s, static_cast<std::uint32_t>(happening) << 29 | message);
  }
  void clear() { queue_.clear(); }
  bool empty() const { return queue_.empty(); }
  bool has_more_now() const { return queue_.has_more_now(); }
  Event pop() {
    const RadixQueue::Event event = queue_.pop();
    return {event.time_s, static_cast<Happening>(event.what >> 29), event.what & (Step::max_messages - 1)};
  }

 private:
  RadixQueue queue_;
};

}  // namespace isthmus
