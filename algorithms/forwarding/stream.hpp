// One end of a stream: the bytes between two programs, cut into numbered segments that may come by several gateways.
// No sockets and no clock: the forwarder moves the bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "algorithms/forwarding/frame.hpp"

namespace isthmus {

/// A segment that the other end has not acknowledged. It is sent again if a gateway on its path is lost.
struct Outstanding {
  Frame frame;
  std::vector<int> path;  ///< empty: it has to be sent, again or for the first time
};

class Stream {
 public:
  /// `window_bytes`: how much may wait at either end for its program.
  Stream(std::uint64_t id, bool opener, int peer_host, std::size_t window_bytes)
      : id_(id),
        opener_(opener),
        peer_host_(peer_host),
        window_bytes_(window_bytes),
        peer_limit_(window_bytes),
        told_limit_(window_bytes) {}

  std::uint64_t id() const { return id_; }
  int peer_host() const { return peer_host_; }

  // ---- what leaves
  /// Bytes that the other end has room for.
  std::size_t room() const { return peer_limit_ > sent_bytes_ ? peer_limit_ - sent_bytes_ : 0; }
  /// A new segment, outstanding but not yet on a path.
  Outstanding& add(std::uint8_t flags, std::string_view payload);
  /// The frame of an outstanding segment with what the other end must know by now.
  Frame to_send(const Outstanding& segment, const std::vector<int>& path);
  std::map<std::uint64_t, Outstanding>& outstanding() { return outstanding_; }
  /// Removes what a frame of the other end acknowledges; `released` is called for each such segment.
  template <typename Released>
  void acknowledged_by(const Frame& frame, Released released);
  bool sent_end() const { return sent_end_; }

  // ---- what arrives
  /// Keeps a segment until those before it have come; one that came before is only acknowledged again.
  void arrive(Frame segment);
  /// The next segment for the program, in order; nothing if it has not come.
  const Frame* next() const;
  /// The program has taken the whole of next().
  void taken();
  bool got_end() const { return got_end_; }

  // ---- acknowledgements
  bool owes_acknowledgement() const { return !owed_.empty() || owes_limit_; }
  /// So much has come, or so much room been made, that the other end should soon know.
  bool owes_soon() const;
  Frame acknowledgement(const std::vector<int>& path);
  double owed_since_s = 0;

 private:
  void tell(FrameHeader& header);
  void remove_acknowledged(std::uint64_t below, const std::vector<std::uint64_t>& numbers,
                           std::vector<Outstanding>& removed);

  std::uint64_t id_;
  bool opener_;
  int peer_host_;
  std::size_t window_bytes_;

  std::uint64_t next_number_ = 0, sent_bytes_ = 0, peer_limit_;
  std::map<std::uint64_t, Outstanding> outstanding_;
  bool sent_end_ = false;

  std::uint64_t expected_ = 0;              ///< all segments below have come
  std::map<std::uint64_t, Frame> arrived_;  ///< and have not been taken
  std::uint64_t next_in_ = 0, taken_bytes_ = 0, told_limit_;
  std::set<std::uint64_t> owed_;
  std::size_t owed_bytes_ = 0;
  bool owes_limit_ = false, got_end_ = false;
};

/// The numbers in an acknowledgement's payload.
std::vector<std::uint64_t> numbers_in(const Frame& acknowledgement);

template <typename Released>
void Stream::acknowledged_by(const Frame& frame, Released released) {
  std::vector<Outstanding> removed;
  remove_acknowledged(frame.header.acknowledged, numbers_in(frame), removed);
  if (frame.header.limit > peer_limit_) peer_limit_ = frame.header.limit;
  for (const Outstanding& segment : removed) released(segment);
}

}  // namespace isthmus
