// What forwarders send each other over a TCP connection: frames, a fixed header and up to a segment of data.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace isthmus {

enum class FrameKind : std::uint8_t {
  segment = 1,      ///< of a stream, at the place `number`
  acknowledgement,  ///< `acknowledged`, and in the payload the numbers of further segments that have come
  edge_lost,        ///< between the hosts path[0] and path[1]; passed on to everybody
  programs,         ///< whether programs of the sender's host still need forwarding: `number`
  heartbeat,
  goodbye  ///< the sender ends as it should
};

/// Of segments.
enum FrameFlags : std::uint8_t {
  opens = 1,       ///< the first segment of a stream: the payload is a StreamEnds
  ends = 2,        ///< the sender's program sends no more
  resets = 4,      ///< the sender's program is gone
  from_opener = 8  ///< of the two directions, the one of the host that opened the stream
};

inline constexpr std::size_t max_path_hosts = 8;

struct FrameHeader {
  std::uint32_t bytes = 0;  ///< of the payload
  FrameKind kind = FrameKind::heartbeat;
  std::uint8_t flags = 0;
  std::uint8_t hosts = 0;     ///< in the path
  std::uint8_t position = 0;  ///< in the path, of the host that gets the frame
  std::array<std::uint16_t, max_path_hosts> path = {};
  std::uint64_t stream = 0, number = 0;
  std::uint64_t acknowledged = 0;  ///< all segments of the other direction below this number have come
  std::uint64_t limit = 0;         ///< how many bytes of the other direction there is room for since its beginning
};
static_assert(sizeof(FrameHeader) == 56);

/// The payload can be shared: a segment is kept until it is acknowledged.
struct Frame {
  FrameHeader header;
  std::shared_ptr<const std::string> payload;

  std::size_t payload_bytes() const { return payload ? payload->size() : 0; }
};

Frame make_frame(FrameKind kind, const std::vector<int>& path, std::string_view payload = {});
std::vector<int> path_of(const FrameHeader& header);

/// The first bytes of every connection to a forwarder.
struct Greeting {
  static constexpr std::uint64_t right_magic = 0x697374682d667732;  // and the order of bytes
  enum class Kind : std::uint32_t {
    watcher = 1,  ///< a program that wants to be told which hosts are lost
    stream,       ///< a program's connection to `host`, address and port
    neighbour     ///< another forwarder, of `host`
  };
  std::uint64_t magic = right_magic, key = 0;
  Kind kind = Kind::watcher;
  std::int32_t host = -1;
  std::uint32_t address = 0;         ///< of the peer
  std::uint32_t source_address = 0;  ///< of the program
  std::uint16_t port = 0, source_port = 0;
  std::uint32_t unused = 0;
};
static_assert(sizeof(Greeting) == 40);

/// The two ends of a stream: what the program at its destination is told of the one at its source.
struct StreamEnds {
  std::uint32_t address = 0, source_address = 0;
  std::uint16_t port = 0, source_port = 0;
};

/// The forwarder connects to programs from this address, and first sends a StreamEnds.
inline constexpr std::uint32_t address_of_forwarders = 0x7f560001;  // 127.86.0.1

}  // namespace isthmus
