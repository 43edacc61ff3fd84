#include "algorithms/bounds/postal.hpp"

#include <cmath>
#include <functional>
#include <queue>
#include <vector>

namespace isthmus::bounds {
namespace {

constexpr int max_events = 20'000;

/// At this time `told` hosts hear the word, and `again` hosts have finished a message and begin another.
struct Event {
  double time_s, told, again;

  bool operator>(const Event& other) const { return time_s > other.time_s; }
};

}  // namespace

double spreading_s(const PostalModel& model, double hosts) {
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events;
  if (model.start > 0) events.push({0, model.start, 0});
  const bool has_inflow = std::isfinite(model.inflow_gap_s);
  if (has_inflow) events.push({model.inflow_from_s + model.inflow_gap_s, 1, -1});
  double told = 0, now_s = 0;
  for (int number = 0; number < max_events && !events.empty(); ++number) {
    now_s = events.top().time_s;
    double begin = 0;
    while (!events.empty() && events.top().time_s <= now_s * (1 + 1e-12)) {  // a little early is still a lower bound
      const Event event = events.top();
      events.pop();
      told += event.told;
      begin += event.told;
      if (event.again > 0) begin += event.again;
      if (event.again < 0) {                                   // from outside
        if (model.inflow_gap_s <= 1e-9 * now_s) return now_s;  // as good as all at once
        events.push({event.time_s + model.inflow_gap_s, 1, -1});
      }
    }
    if (told >= hosts) return now_s;
    if (begin <= 0) continue;
    events.push({now_s + model.latency_s, model.gap_s > 0 ? begin : hosts, 0});  // without a gap to all at once
    if (model.gap_s > 0) events.push({now_s + model.gap_s, 0, begin});
  }
  return now_s;
}

}  // namespace isthmus::bounds
