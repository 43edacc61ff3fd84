// A queue of events in order of time for a simulation, whose clock never goes back.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace isthmus {

/// A radix heap (Ahuja, Mehlhorn, Orlin, Tarjan 1990) over the bits of the times: amortised constant work for every bit
/// in which an event's time differs from the clock, and events of one time cost next to nothing. Events of equal time
/// leave in the order in which they were pushed, so that a simulation is repeatable.
class RadixQueue {
 public:
  struct Event {
    double time_s;
    std::uint32_t what;
  };

  /// `time_s` must not be negative, nor earlier than the event popped last.
  void push(double time_s, std::uint32_t what) {
    const std::uint64_t key = std::bit_cast<std::uint64_t>(time_s);  // ordered as the times are, which have no sign
    add({key, what});
    ++size_;
  }

  bool empty() const { return size_ == 0; }
  /// Whether another event has the time of the one popped last.
  bool has_more_now() const { return first_ < buckets_[0].size(); }

  /// The earliest event. The queue must not be empty.
  Event pop() {
    if (first_ == buckets_[0].size()) refill();
    --size_;
    const Entry& entry = buckets_[0][first_++];
    return {std::bit_cast<double>(entry.key), entry.what};
  }

 private:
  struct Entry {
    std::uint64_t key;
    std::uint32_t what;
  };

  // Bucket 0 holds the entries of the current time, bucket b those whose highest bit that differs from it is bit b - 1.
  void add(Entry entry) { buckets_[std::bit_width(entry.key ^ now_)].push_back(entry); }

  void refill() {
    buckets_[0].clear();
    first_ = 0;
    std::size_t next = 1;
    while (buckets_[next].empty()) ++next;
    std::vector<Entry>& bucket = buckets_[next];
    const auto [least, most] = std::minmax_element(
        bucket.begin(), bucket.end(), [](const Entry& one, const Entry& other) { return one.key < other.key; });
    now_ = least->key;
    if (most->key == now_) {  // as in a network of equal links, where whole rounds happen at once
      std::swap(bucket, buckets_[0]);
    } else {
      for (const Entry& entry : bucket) add(entry);  // all go to lower buckets, in their order
      bucket.clear();
    }
    // Memory that a burst needed is not kept in every bucket it passes through.
    constexpr std::size_t large = 1 << 16;
    if (bucket.capacity() > large) std::vector<Entry>().swap(bucket);
  }

  std::array<std::vector<Entry>, 65> buckets_;
  std::uint64_t now_ = 0;
  std::size_t first_ = 0;  // in bucket 0
  std::size_t size_ = 0;
};

}  // namespace isthmus
