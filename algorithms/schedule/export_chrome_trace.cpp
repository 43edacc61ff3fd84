#include "algorithms/schedule/export_chrome_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <queue>
#include <stdexcept>
#include <utility>
#include <vector>

#include "algorithms/schedule/matching.hpp"
#include "algorithms/schedule/text.hpp"

namespace isthmus {
namespace {

// The events of a thread must not overlap, so each kind of operation has as many threads as it needs.
constexpr std::array<const char*, 3> thread_names = {"sends", "receives", "local"};
constexpr int threads_a_kind = 1 << 20;

int kind_of(const Op& op) { return op.kind == OpKind::send ? 0 : op.kind == OpKind::receive ? 1 : 2; }

struct Event {
  TimedOp timed;
  double shown_from_s = 0;
  int thread = 0;  ///< among those of its rank and kind
};

// The lowest thread that is free at an event's begin. Events come in order of begin.
class Threads {
 public:
  int take(double begin_s, double end_s) {
    while (!busy_.empty() && busy_.top().first <= begin_s) {
      free_.push(busy_.top().second);
      busy_.pop();
    }
    int thread = count_;
    if (free_.empty()) {
      ++count_;
    } else {
      thread = free_.top();
      free_.pop();
    }
    busy_.emplace(end_s, thread);
    return thread;
  }
  int count() const { return count_; }

 private:
  template <class T>
  using LeastFirst = std::priority_queue<T, std::vector<T>, std::greater<>>;

  LeastFirst<std::pair<double, int>> busy_;
  LeastFirst<int> free_;
  int count_ = 0;
};

// The events of a schedule, and the event of each operation.
class Events {
 public:
  Events(const Schedule& schedule, const Timeline& timeline) : schedule_(schedule) {
    matching_.match(schedule);
    const int size = static_cast<int>(schedule.size());
    event_of_.assign(matching_.first(size), -1);
    for (const TimedOp& timed : timeline) {
      if (timed.rank < 0 || timed.rank >= size || timed.op < 0 ||
          timed.op >= static_cast<int>(schedule[timed.rank].ops().size()))
        throw std::out_of_range(
            fmt::format("the timeline has operation {} of rank {}, the schedule has not", timed.op, timed.rank));
      event_of_[matching_.number(timed.rank, timed.op)] = static_cast<int>(events_.size());
      events_.push_back({timed, timed.begin_s});
    }
    // A receive may have been posted long before; it is shown from the moment at which its message was sent.
    for (Event& event : events_) {
      if (op_of(event).kind != OpKind::receive) continue;
      if (const Event* send = other_end(event))
        event.shown_from_s = std::clamp(send->timed.begin_s, event.timed.begin_s, event.timed.end_s);
    }
    std::stable_sort(events_.begin(), events_.end(), [](const Event& a, const Event& b) {
      return a.timed.rank != b.timed.rank ? a.timed.rank < b.timed.rank : a.shown_from_s < b.shown_from_s;
    });
    for (std::size_t i = 0; i < events_.size(); ++i) event_of_[number(events_[i])] = static_cast<int>(i);
  }

  std::vector<Event>& all() { return events_; }
  const Op& op_of(const Event& event) const { return schedule_[event.timed.rank].ops()[event.timed.op]; }
  int number(const Event& event) const { return matching_.number(event.timed.rank, event.timed.op); }
  /// The event at the other end of a message; null when the timeline has none.
  const Event* other_end(const Event& event) const {
    const int partner = matching_.partner(number(event));
    return partner < 0 || event_of_[partner] < 0 ? nullptr : &events_[event_of_[partner]];
  }

 private:
  const Schedule& schedule_;
  Matching matching_;
  std::vector<Event> events_;  // by rank, then begin
  std::vector<int> event_of_;  // by number of the operation
};

std::string microseconds(double seconds) { return fmt::format("{:.6f}", seconds * 1e6); }

int thread_number(const Op& op, const Event& event) { return kind_of(op) * threads_a_kind + event.thread + 1; }

}  // namespace

std::string export_chrome_trace(const Schedule& schedule, const Timeline& timeline, std::int64_t element_bytes) {
  Events events(schedule, timeline);
  std::string text = "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n";
  const auto out = std::back_inserter(text);
  auto event = events.all().begin();
  for (int rank = 0; rank < static_cast<int>(schedule.size()); ++rank) {
    fmt::format_to(out,
                   R"({{"ph":"M","pid":{0},"name":"process_name","args":{{"name":"rank {0}"}}}},)"
                   "\n",
                   rank);
    fmt::format_to(out,
                   R"({{"ph":"M","pid":{0},"name":"process_sort_index","args":{{"sort_index":{0}}}}},)"
                   "\n",
                   rank);
    std::array<Threads, 3> threads;
    for (; event != events.all().end() && event->timed.rank == rank; ++event) {
      const Op& op = events.op_of(*event);
      event->thread = threads[kind_of(op)].take(event->shown_from_s, event->timed.end_s);
      const std::int64_t count = op.kind == OpKind::send ? op.from.count : op.to.count;
      fmt::format_to(out, R"({{"ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"name":"{}","cat":"{}",)", rank,
                     thread_number(op, *event), microseconds(event->shown_from_s),
                     microseconds(event->timed.end_s - event->shown_from_s), to_string(op), name(op.kind));
      fmt::format_to(out,
                     R"("args":{{"operation":{},"bytes":{},"lane":{},"issued_us":{}}}}},)"
                     "\n",
                     event->timed.op, count * element_bytes, op.lane, microseconds(event->timed.begin_s));
    }
    for (int kind = 0; kind < 3; ++kind)
      for (int thread = 0; thread < threads[kind].count(); ++thread)
        fmt::format_to(out,
                       R"({{"ph":"M","pid":{},"tid":{},"name":"thread_name","args":{{"name":"{}"}}}},)"
                       "\n",
                       rank, kind * threads_a_kind + thread + 1, thread_names[kind]);
  }
  for (const Event& send : events.all()) {
    const Op& op = events.op_of(send);
    const Event* receive = op.kind == OpKind::send ? events.other_end(send) : nullptr;
    if (receive == nullptr) continue;
    // An arrow must start and end inside the events that it joins.
    fmt::format_to(out,
                   R"({{"ph":"s","pid":{},"tid":{},"ts":{},"id":{},"name":"message","cat":"message"}},)"
                   "\n",
                   send.timed.rank, thread_number(op, send), microseconds(send.timed.begin_s), events.number(send));
    fmt::format_to(out,
                   R"({{"ph":"f","bp":"e","pid":{},"tid":{},"ts":{},"id":{},"name":"message","cat":"message"}},)"
                   "\n",
                   receive->timed.rank, thread_number(events.op_of(*receive), *receive),
                   microseconds((receive->shown_from_s + receive->timed.end_s) / 2), events.number(send));
  }
  if (text.ends_with(",\n")) text.erase(text.size() - 2, 1);
  text += "]}\n";
  return text;
}

}  // namespace isthmus
