#include "algorithms/forwarding/stream.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace isthmus {
namespace {

// An acknowledgement can travel with a segment of the other direction, so it waits a little unless much has come.
constexpr std::size_t segments_before_acknowledgement = 16;
constexpr std::size_t bytes_before_acknowledgement = 4096;

}  // namespace

Outstanding& Stream::add(std::uint8_t flags, std::string_view payload) {
  Outstanding segment{make_frame(FrameKind::segment, {}, payload), {}};
  segment.frame.header.flags = static_cast<std::uint8_t>(flags | (opener_ ? from_opener : 0));
  segment.frame.header.stream = id_;
  segment.frame.header.number = next_number_;
  if ((flags & opens) == 0) sent_bytes_ += payload.size();
  if ((flags & (ends | resets)) != 0) sent_end_ = true;
  return outstanding_[next_number_++] = std::move(segment);
}

Frame Stream::to_send(const Outstanding& segment, const std::vector<int>& path) {
  Frame frame = make_frame(FrameKind::segment, path);
  frame.header.bytes = segment.frame.header.bytes;
  frame.header.flags = segment.frame.header.flags;
  frame.header.number = segment.frame.header.number;
  frame.payload = segment.frame.payload;
  tell(frame.header);
  return frame;
}

void Stream::tell(FrameHeader& header) {
  header.stream = id_;
  if (opener_) header.flags |= from_opener;
  header.acknowledged = expected_;
  header.limit = told_limit_ = taken_bytes_ + window_bytes_;
  owes_limit_ = false;
  owed_.erase(owed_.begin(), owed_.lower_bound(expected_));
  if (owed_.empty()) owed_bytes_ = 0;
}

void Stream::remove_acknowledged(std::uint64_t below, const std::vector<std::uint64_t>& numbers,
                                 std::vector<Outstanding>& removed) {
  while (!outstanding_.empty() && outstanding_.begin()->first < below) {
    removed.push_back(std::move(outstanding_.begin()->second));
    outstanding_.erase(outstanding_.begin());
  }
  for (const std::uint64_t number : numbers) {
    const auto found = outstanding_.find(number);
    if (found == outstanding_.end()) continue;
    removed.push_back(std::move(found->second));
    outstanding_.erase(found);
  }
}

void Stream::arrive(Frame segment) {
  const std::uint64_t number = segment.header.number;
  owed_.insert(number);
  owed_bytes_ += segment.payload_bytes();
  if (number < expected_) {
    owes_limit_ = true;  // the acknowledgement was lost with a gateway
    return;
  }
  arrived_.emplace(number, std::move(segment));
  for (auto at = arrived_.find(expected_); at != arrived_.end() && at->first == expected_; ++at) ++expected_;
}

const Frame* Stream::next() const {
  const auto first = arrived_.begin();
  return first != arrived_.end() && first->first == next_in_ ? &first->second : nullptr;
}

void Stream::taken() {
  const Frame& frame = arrived_.begin()->second;
  if ((frame.header.flags & opens) == 0) taken_bytes_ += frame.payload_bytes();
  if ((frame.header.flags & (ends | resets)) != 0) got_end_ = true;
  arrived_.erase(arrived_.begin());
  ++next_in_;
  if (taken_bytes_ + window_bytes_ - told_limit_ >= window_bytes_ / 4) owes_limit_ = true;
}

bool Stream::owes_soon() const {
  return owes_limit_ || owed_.size() >= segments_before_acknowledgement || owed_bytes_ >= bytes_before_acknowledgement;
}

Frame Stream::acknowledgement(const std::vector<int>& path) {
  std::string numbers;
  for (auto number = owed_.lower_bound(expected_); number != owed_.end(); ++number)
    numbers.append(reinterpret_cast<const char*>(&*number), sizeof *number);
  owed_.clear();
  Frame frame = make_frame(FrameKind::acknowledgement, path, numbers);
  tell(frame.header);
  return frame;
}

std::vector<std::uint64_t> numbers_in(const Frame& acknowledgement) {
  if (acknowledgement.header.kind != FrameKind::acknowledgement) return {};
  std::vector<std::uint64_t> numbers(acknowledgement.payload_bytes() / sizeof(std::uint64_t));
  if (numbers.empty()) return {};
  std::memcpy(numbers.data(), acknowledgement.payload->data(), numbers.size() * sizeof(std::uint64_t));
  return numbers;
}

}  // namespace isthmus
