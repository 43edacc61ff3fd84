#include "algorithms/schedule/matching.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace isthmus {
namespace {

std::size_t scatter(std::uint64_t ends, std::uint32_t lane) {
  std::uint64_t hash = (ends ^ (std::uint64_t{lane} << 17)) * 0x9E3779B97F4A7C15u;
  return static_cast<std::size_t>(hash ^ (hash >> 32));
}

}  // namespace

void Matching::match(const Schedule& schedule) {
  const int size = static_cast<int>(schedule.size());
  first_.resize(size + 1);
  std::size_t total = 0;
  for (int rank = 0; rank < size; ++rank) {
    first_[rank] = static_cast<int>(total);
    total += schedule[rank].ops().size();
    if (total > static_cast<std::size_t>(std::numeric_limits<int>::max()))
      throw std::length_error("a schedule of 2^31 operations or more cannot be matched");
  }
  first_[size] = static_cast<int>(total);
  partner_.assign(total, -1);
  next_.resize(total);
  used_ = 0;
  if (++round_ == 0) {
    channels_.assign(channels_.size(), Channel{});
    round_ = 1;
  }

  int number = 0;
  for (int rank = 0; rank < size; ++rank)
    for (const Op& op : schedule[rank].ops()) {
      const int self = number++;
      if (op.kind != OpKind::send && op.kind != OpKind::receive) continue;
      const auto from = static_cast<std::uint32_t>(op.kind == OpKind::send ? rank : op.peer);
      const auto to = static_cast<std::uint32_t>(op.kind == OpKind::send ? op.peer : rank);
      Channel& waiting = channel(std::uint64_t{from} << 32 | to, op.lane);
      if (waiting.head >= 0 && waiting.kind != op.kind) {
        partner_[self] = waiting.head;
        partner_[waiting.head] = self;
        waiting.head = next_[waiting.head];
        continue;
      }
      next_[self] = -1;
      if (waiting.head < 0)
        waiting.head = self;
      else
        next_[waiting.tail] = self;
      waiting.tail = self;
      waiting.kind = op.kind;
    }
}

int Matching::rank_of(int number) const {
  return static_cast<int>(std::upper_bound(first_.begin(), first_.end(), number) - first_.begin()) - 1;
}

Matching::Channel& Matching::channel(std::uint64_t ends, std::uint32_t lane) {
  for (std::size_t at = scatter(ends, lane);; ++at) {
    Channel& found = channels_[at & (channels_.size() - 1)];
    if (found.round == round_) {
      if (found.ends == ends && found.lane == lane) return found;
      continue;
    }
    if (2 * ++used_ > channels_.size()) {
      --used_;
      grow();
      return channel(ends, lane);
    }
    found = {ends, lane, round_, -1, -1, OpKind::send};
    return found;
  }
}

void Matching::grow() {
  std::vector<Channel> old(2 * channels_.size());
  old.swap(channels_);
  for (const Channel& moved : old) {
    if (moved.round != round_) continue;
    std::size_t at = scatter(moved.ends, moved.lane) & (channels_.size() - 1);
    while (channels_[at].round == round_) at = (at + 1) & (channels_.size() - 1);
    channels_[at] = moved;
  }
}

}  // namespace isthmus
