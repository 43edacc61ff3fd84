#include "sim/link_queue.hpp"

#include <algorithm>

namespace isthmus {

double LinkQueue::cross(double arrival_s, double duration_s, double now_s) {
  while (first_ < crossings_.size() && crossings_[first_].end_s <= now_s) ++first_;
  if (2 * first_ > crossings_.size()) {
    crossings_.erase(crossings_.begin(), crossings_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }

  double begin_s = std::max(arrival_s, last_end_s_);
  auto place = crossings_.end();
  if (arrival_s < last_arrival_s_) {  // something settled arrives later: look for a gap before it
    begin_s = arrival_s;
    place = crossings_.begin() + static_cast<std::ptrdiff_t>(first_);
    for (auto at = place; at != crossings_.end(); ++at) {
      const bool comes_after = at->arrival_s > arrival_s && at->begin_s >= begin_s + duration_s;
      if (comes_after) continue;
      begin_s = std::max(begin_s, at->end_s);
    }
    place = std::find_if(place, crossings_.end(), [&](const Crossing& other) { return other.begin_s > begin_s; });
  }
  crossings_.insert(place, {arrival_s, begin_s, begin_s + duration_s});
  last_arrival_s_ = std::max(last_arrival_s_, arrival_s);
  last_end_s_ = std::max(last_end_s_, begin_s + duration_s);
  return begin_s;
}

}  // namespace isthmus
