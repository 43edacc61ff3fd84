// Sends and receives of a replay whose other end has not been issued yet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace isthmus {

/// One end of a message; the receiver is known by the list that it stands in.
struct UnmatchedMessage {
  std::int32_t from = 0;
  std::uint16_t lane = 0;
  bool is_receive = false;
  bool acknowledged = false;  ///< of a send: it is complete when the acknowledgement is back
  std::int32_t op = 0;        ///< of the rank that issued this end
  double time_s = 0;          ///< of a send: when the message arrives; of a receive: when it was posted
  std::int64_t bytes = 0;
};

/// A list for each receiver. Messages match by (source, destination, lane), first in, first out.
class UnmatchedMessages {
 public:
  explicit UnmatchedMessages(int ranks) : last_(ranks, none) {}

  /// Removes the other end of a message to this rank and gives it to matched(other). If it is not there, the message
  /// itself joins the list. False when the list is too long to be looked through.
  template <typename Matched>
  bool match(int to, const UnmatchedMessage& message, const Matched& matched) {
    std::uint32_t& last = last_[to];
    std::uint32_t before = last;
    for (int looked_at = 0; before != none; ++looked_at) {
      if (looked_at == max_looked_at) return false;
      const std::uint32_t at = entries_[before].next;
      const UnmatchedMessage& other = entries_[at].message;
      if (other.from == message.from && other.lane == message.lane) {
        if (other.is_receive == message.is_receive) break;
        const UnmatchedMessage taken = other;
        remove(last, before, at);
        matched(taken);
        return true;
      }
      if (at == last) break;
      before = at;
    }
    append(last, message);
    return true;
  }

  bool is_empty() const { return number_ == 0; }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;
  static constexpr int max_looked_at = 256;

  struct Entry {
    UnmatchedMessage message;
    std::uint32_t next;  // in the list, after the last one the first; of a free entry: the next free one
  };

  void append(std::uint32_t& last, const UnmatchedMessage& message) {
    std::uint32_t at = free_;
    if (at == none) {
      at = static_cast<std::uint32_t>(entries_.size());
      entries_.emplace_back();
    } else {
      free_ = entries_[at].next;
    }
    entries_[at] = {message, at};
    if (last != none) std::swap(entries_[at].next, entries_[last].next);
    last = at;
    ++number_;
  }

  void remove(std::uint32_t& last, std::uint32_t before, std::uint32_t at) {
    if (before == at)
      last = none;
    else {
      entries_[before].next = entries_[at].next;
      if (last == at) last = before;
    }
    entries_[at].next = free_;
    free_ = at;
    --number_;
  }

  std::vector<std::uint32_t> last_;  // by receiver: the last entry of its list
  std::vector<Entry> entries_;
  std::uint32_t free_ = none;
  std::size_t number_ = 0;
};

}  // namespace isthmus
