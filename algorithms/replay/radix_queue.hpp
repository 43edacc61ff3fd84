// An event queue for a simulation, whose clock never goes back.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace isthmus {

/// A radix heap (Ahuja, Mehlhorn, Orlin, Tarjan 1990) over the times as hexadecimal numbers. An event is moved at most
/// once for every digit in which its time differs from the clock; events of equal time cost very little. Events of
/// equal time are popped in the order in which they were pushed, so that a simulation is repeatable.
class RadixQueue {
 public:
  struct Event {
    double time_s;
    std::uint32_t what;
  };

  /// `time_s` must not be negative, nor earlier than the event popped last.
  void push(double time_s, std::uint32_t what) {
    add({std::bit_cast<std::uint64_t>(time_s),
         what});  // times are not negative, so that their bits have the same order
  }

  /// Removes all events and sets the clock to 0; keeps its memory.
  void clear() {
    current_.clear();
    first_ = 0;
    for (; filled_places_ != 0; filled_places_ &= filled_places_ - 1) {
      const int place = std::countr_zero(filled_places_);
      for (std::uint16_t& filled = filled_digits_[place]; filled != 0; filled &= static_cast<std::uint16_t>(filled - 1))
        buckets_[place * digits + std::countr_zero(filled)].clear();
    }
    now_ = 0;
  }

  bool empty() const { return filled_places_ == 0 && !has_more_now(); }
  /// Whether another event has the time of the one popped last.
  bool has_more_now() const { return first_ < current_.size(); }

  /// The earliest event. The queue must not be empty.
  Event pop() {
    if (first_ == current_.size()) refill();
    const Entry& entry = current_[first_++];
    return {std::bit_cast<double>(entry.key), entry.what};
  }

 private:
  struct Entry {
    std::uint64_t key;
    std::uint32_t what;
  };

  static constexpr int digit_bits = 4, digits = 1 << digit_bits, places = 64 / digit_bits;

  // The bucket: the highest digit in which the time differs from the clock, and the value of this digit, which is above
  // the clock's.
  void add(Entry entry) {
    if (entry.key == now_) return current_.push_back(entry);
    const int place = (63 - std::countl_zero(entry.key ^ now_)) / digit_bits;
    const auto digit = static_cast<std::uint32_t>(entry.key >> (digit_bits * place)) % digits;
    buckets_[place * digits + digit].push_back(entry);
    filled_digits_[place] |= static_cast<std::uint16_t>(1U << digit);
    filled_places_ |= 1U << place;
  }

  void refill() {
    current_.clear();
    first_ = 0;
    const int place = std::countr_zero(filled_places_);
    std::uint16_t& filled = filled_digits_[place];
    std::vector<Entry>& bucket = buckets_[place * digits + std::countr_zero(filled)];
    filled &= static_cast<std::uint16_t>(filled - 1);
    if (filled == 0) filled_places_ &= filled_places_ - 1;
    if (bucket.size() == 1) {
      now_ = bucket.front().key;
      current_.push_back(bucket.front());
      return bucket.clear();
    }
    const auto [least, most] = std::minmax_element(
        bucket.begin(), bucket.end(), [](const Entry& one, const Entry& other) { return one.key < other.key; });
    now_ = least->key;
    if (most->key == now_) {  // frequent in a network of equal links, where many events have one time
      std::swap(bucket, current_);
    } else {
      for (const Entry& entry : bucket) add(entry);  // all move to lower digits, in their order
      bucket.clear();
    }
    // A bucket releases its memory after a burst.
    constexpr std::size_t large = 1 << 16;
    if (bucket.capacity() > large) std::vector<Entry>().swap(bucket);
  }

  std::vector<Entry> current_;  // those of the current time, from first_ on still to be popped
  std::size_t first_ = 0;
  std::array<std::vector<Entry>, std::size_t{places} * digits> buckets_;
  std::array<std::uint16_t, places> filled_digits_ = {};
  std::uint32_t filled_places_ = 0;
  std::uint64_t now_ = 0;
};

}  // namespace isthmus
