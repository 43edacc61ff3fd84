// A slice: a range of elements in one of the three buffers that a rank has during a collective.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace isthmus {

/// `input` is read only. `output` takes the result. A broadcast has no input: its root's message is in `output` from
/// the start. `scratch` is private to the schedule and undefined at first.
enum class Buffer : std::uint8_t { input, output, scratch };

/// `count` elements of `buffer`, starting at element `offset`.
struct Slice {
  Buffer buffer = Buffer::output;
  std::int64_t offset = 0;
  std::int64_t count = 0;

  std::int64_t end() const { return offset + count; }
  bool empty() const { return count == 0; }
  bool operator==(const Slice&) const = default;

  /// `count` elements of this slice, starting at its element `first`.
  Slice part(std::int64_t first, std::int64_t elements) const { return {buffer, offset + first, elements}; }
};

inline Slice input(std::int64_t offset, std::int64_t count) { return {Buffer::input, offset, count}; }
inline Slice output(std::int64_t offset, std::int64_t count) { return {Buffer::output, offset, count}; }

/// Whether two slices share an element. An empty slice shares none.
inline bool overlap(const Slice& a, const Slice& b) {
  return a.buffer == b.buffer && std::max(a.offset, b.offset) < std::min(a.end(), b.end());
}

/// The consecutive segments of a slice, each of `segment` elements; the last one may be shorter. `segment <= 0` means
/// unsegmented. An empty slice has no segments.
class Segments {
 public:
  Segments(Slice whole, std::int64_t segment)
      : whole_(whole), segment_(segment <= 0 ? std::max<std::int64_t>(whole.count, 1) : segment) {}

  class Iterator {
   public:
    Iterator(const Segments& of, std::int64_t at) : of_(&of), at_(at) {}
    Slice operator*() const { return of_->whole_.part(at_, std::min(of_->segment_, of_->whole_.count - at_)); }
    Iterator& operator++() {
      at_ = std::min(at_ + of_->segment_, of_->whole_.count);
      return *this;
    }
    bool operator!=(const Iterator& other) const { return at_ != other.at_; }

   private:
    const Segments* of_;
    std::int64_t at_;
  };

  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, whole_.count}; }
  std::int64_t size() const { return (whole_.count + segment_ - 1) / segment_; }

 private:
  Slice whole_;
  std::int64_t segment_;
};

inline Segments split(Slice whole, std::int64_t segment) { return {whole, segment}; }

/// Block `index` of `parts` consecutive blocks of a slice. Their sizes differ by one element at most; the larger blocks
/// come first.
inline Slice block(Slice whole, int index, int parts) {
  const std::int64_t base = whole.count / parts;
  const std::int64_t larger = whole.count % parts;
  const std::int64_t begin = base * index + std::min<std::int64_t>(index, larger);
  return whole.part(begin, base + (index < larger ? 1 : 0));
}

/// A segment of one of the blocks of a slice.
struct BlockSegment {
  int block = 0;
  Slice slice;
};
/// The segments of all blocks of a slice, cut as block() does: the first of each block, the second of each, and so on.
inline std::vector<BlockSegment> segments_in_turn(Slice whole, int blocks, std::int64_t segment) {
  std::vector<BlockSegment> segments;
  const std::int64_t longest = block(whole, 0, blocks).count;
  const std::int64_t step = segment > 0 ? segment : std::max<std::int64_t>(longest, 1);
  for (std::int64_t first = 0; first < longest; first += step)
    for (int index = 0; index < blocks; ++index) {
      const Slice of = block(whole, index, blocks);
      if (first < of.count) segments.push_back({index, of.part(first, std::min(step, of.count - first))});
    }
  return segments;
}

}  // namespace isthmus
